#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

/* Scratch memory holds NaNs, so that what is read before it is written shows. */
enum { WORKSPACE_FILL = 0xff };

static void
put(void *args, ptrdiff_t offset, const void *value, size_t size)
{
	if (offset >= 0)
		memcpy((char *)args + offset, value, size);
}

static void
put_count(void *args, ptrdiff_t offset, int64_t value)
{
	put(args, offset, &value, sizeof value);
}

static void
put_pointer(void *args, ptrdiff_t offset, void *value)
{
	put(args, offset, &value, sizeof value);
}

/* ---- parameters ---- */

/* Reads the values of "NAME=1,2,1"; TEXT stands after the '='. */
static stencil_status
parse_values(const stencil_scalar_description *s, const char *text, void *at)
{
	char word[64];

	for (int64_t i = 0; i < s->size; i++) {
		size_t length = strcspn(text, ",");

		if (length == 0 || length >= sizeof word
		    || (text[length] == ',') != (i + 1 < s->size))
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"'%s' takes %lld value%s, separated by commas", s->name,
				(long long)s->size, s->size == 1 ? "" : "s");
		memcpy(word, text, length);
		word[length] = '\0';
		if (!value_parse(s->type, word, at, (size_t)i))
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"'%s' is not a value of '%s', which is of type %s",
				word, s->name, value_type_name(s->type));
		text += length + 1;
	}
	return STENCIL_OK;
}

static stencil_status
set_one(Problem *p, const char *setting)
{
	const stencil_description *d = p->what;
	size_t length = strcspn(setting, "="), n = 0;
	char all[200] = "";

	for (int i = 0; i < d->n_scalars; i++) {
		const stencil_scalar_description *s = &d->scalars[i];

		if (strlen(s->name) != length || memcmp(s->name, setting, length) != 0)
			continue;
		if (setting[length] == '=')
			return parse_values(s, setting + length + 1,
				(char *)p->args + s->offset);
	}
	if (setting[length] != '=')
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "'%s' is not NAME=VALUE", setting);
	for (int i = 0; i < d->n_scalars && n + 1 < sizeof all; i++)
		n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i > 0 ? ", " : "",
			d->scalars[i].name);
	return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
		"there is no scalar or table '%.*s'; there is: %s", (int)length, setting,
		n > 0 ? all : "none");
}

static stencil_status
set_parameters(Problem *p, Random *random)
{
	const stencil_description *d = p->what;

	for (int i = 0; i < d->n_scalars; i++) {
		const stencil_scalar_description *s = &d->scalars[i];

		if (!s->has_default)
			random_parameters(random, s->type, (char *)p->args + s->offset,
				(size_t)s->size, p->options.scale);
	}
	for (int i = 0; i < p->options.n_set; i++) {
		stencil_status status = set_one(p, p->options.set[i]);

		if (status != STENCIL_OK)
			return status;
	}
	return STENCIL_OK;
}

/* A box inside the default grid that leaves cells out on every axis where there
 * are enough of them. */
static void
set_box(Problem *p, Random *random)
{
	int grid = p->what->default_grid;

	if (!p->options.boxed || p->what->box < 0 || grid < 0)
		return;
	for (int a = 0; a < p->what->grids[grid].rank; a++) {
		int64_t n = p->sizes.extent[grid][a];
		int64_t lo = (int64_t)(random_next(random) >> 33) % (1 + n / 3);
		int64_t hi = n - (int64_t)(random_next(random) >> 33) % (1 + n / 3);

		p->box.lo[a] = lo;
		p->box.hi[a] = hi > lo ? hi : lo + 1;
	}
	put(p->args, p->what->box, &p->box, sizeof p->box);
}

/* ---- arrays ---- */

static stencil_status
out_of_memory(size_t bytes)
{
	return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
}

/* What is only written starts as POISON, cells and all. */
static int
is_poisoned(const Array *array)
{
	return array->field == NULL || array->field->role == STENCIL_ROLE_OUT;
}

/* 0: out of memory. */
static int
make_on_host(const Problem *p, Array *array, Random *random)
{
	const Layout *layout = &array->layout;

	array->initial = layout_allocate(layout);
	array->host = layout_allocate(layout);
	if (array->initial == NULL || array->host == NULL)
		return 0;
	if (!is_poisoned(array))
		layout_fill(layout, array->initial, random, p->options.few
			&& !value_is_real(layout->type) && layout->type != STENCIL_BOOL
			&& random_next(random) >> 63 != 0);
	if (p->options.ctx != NULL)
		array->seen = layout_allocate(layout);
	return p->options.ctx == NULL || array->seen != NULL;
}

static stencil_status
fill_array(Problem *p, Array *array, Random *random)
{
	const Layout *layout = &array->layout;
	size_t bytes = layout_bytes(layout);

	if (p->options.fill == NULL && !make_on_host(p, array, random))
		return out_of_memory(bytes);
	if (p->options.ctx == NULL)
		return STENCIL_OK;
	stencil_status status = stencil_malloc(p->options.ctx, &array->device, bytes);
	if (status != STENCIL_OK)
		return stencil_fail(NULL, status, "%s", stencil_error(p->options.ctx));
	return STENCIL_OK;
}

/* Whether the bytes of F can be counted, with what lies around the cells. */
static int
has_size(const stencil_field_description *f, const Sizes *sizes)
{
	double bytes = (double)stencil_type_size(f->type);

	for (int i = 0; i < f->n_dims; i++)
		bytes *= (double)f->dim[i];
	for (int a = 0; a < STENCIL_MAX_RANK; a++)
		if (f->axes >> a & 1)
			bytes *= (double)sizes->extent[f->grid][a];
	return bytes < (double)(INT64_MAX / 4);
}

static stencil_status
make_arrays(Problem *p, Random *random)
{
	const stencil_description *d = p->what;
	Array *array;

	p->n_arrays = d->n_results;
	for (int i = 0; i < d->n_fields; i++)
		p->n_arrays += 1 + d->fields[i].n_history;
	array = p->arrays = calloc((size_t)p->n_arrays + 1, sizeof *p->arrays);
	if (array == NULL)
		return out_of_memory(sizeof *p->arrays);
	for (int i = 0; i < d->n_fields; i++) {
		const stencil_field_description *f = &d->fields[i];

		if (!has_size(f, &p->sizes))
			return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY,
				"'%s' does not fit into memory", f->name);
		for (int level = 0; level <= f->n_history; level++, array++) {
			array->field = f;
			array->level = level;
			array->offset = level == 0 ? f->offset : f->history[level - 1];
			array->layout = layout_of_field(f, &p->sizes, &p->options.layout);
		}
	}
	for (int i = 0; i < d->n_results; i++, array++) {
		array->result = &d->results[i];
		array->offset = d->results[i].offset;
		array->layout = layout_of_result(&d->results[i], &p->options.layout);
	}
	for (int i = 0; i < p->n_arrays; i++) {
		stencil_status status = fill_array(p, &p->arrays[i], random);

		if (status != STENCIL_OK)
			return status;
	}
	return STENCIL_OK;
}

static void
store_pitches(Problem *p)
{
	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];
		const Layout *layout = &array->layout;

		if (array->field != NULL && layout->pitch != layout->width)
			put_count(p->args, array->field->pitch, layout->pitch);
	}
}

static stencil_status
make_workspace(Problem *p)
{
	if (!p->options.own_workspace || p->what->workspace < 0)
		return STENCIL_OK;
	p->workspace_bytes = p->what->workspace_call(p->args);
	if (p->workspace_bytes == 0)
		return STENCIL_OK;
	p->host_workspace = malloc(p->workspace_bytes);
	if (p->host_workspace == NULL)
		return out_of_memory(p->workspace_bytes);
	if (p->options.ctx == NULL)
		return STENCIL_OK;
	stencil_status status = stencil_malloc(p->options.ctx, &p->device_workspace,
		p->workspace_bytes);
	if (status != STENCIL_OK)
		return stencil_fail(NULL, status, "%s", stencil_error(p->options.ctx));
	return STENCIL_OK;
}

static stencil_status
make(Problem *p)
{
	Random random = random_seed(p->options.seed);
	stencil_status status;

	p->args = calloc(1, p->what->args_size);
	if (p->args == NULL)
		return out_of_memory(p->what->args_size);
	p->what->init(p->args);
	sizes_store(&p->sizes, p->what, p->args);
	put_count(p->args, p->what->t0, p->options.t0);
	status = set_parameters(p, &random);
	if (status != STENCIL_OK)
		return status;
	set_box(p, &random);
	status = make_arrays(p, &random);
	if (status != STENCIL_OK)
		return status;
	store_pitches(p);
	status = make_workspace(p);
	if (status != STENCIL_OK)
		return status;
	if (p->options.fill == NULL)
		problem_reset_host(p);
	return p->options.ctx != NULL ? problem_reset_device(p) : STENCIL_OK;
}

Problem *
problem_new(const stencil_description *what, const Sizes *sizes, const ProblemOptions *options)
{
	Problem *p = calloc(1, sizeof *p);

	stencil_status status = p == NULL ? out_of_memory(sizeof *p) : STENCIL_OK;

	if (p != NULL) {
		p->what = what;
		p->sizes = *sizes;
		p->options = *options;
		status = make(p);
	}
	if (status == STENCIL_OK)
		return p;
	if (options->why != NULL)
		*options->why = status;
	if (p != NULL)
		problem_free(p);
	return NULL;
}

void
problem_free(Problem *p)
{
	stencil_context *ctx = p->options.ctx;

	for (int i = 0; i < p->n_arrays && p->arrays != NULL; i++) {
		Array *array = &p->arrays[i];

		if (array->device != NULL)
			stencil_free(ctx, array->device);
		free(array->initial);
		free(array->host);
		free(array->seen);
		free(array->spread);
	}
	if (p->device_workspace != NULL)
		stencil_free(ctx, p->device_workspace);
	free(p->host_workspace);
	free(p->arrays);
	free(p->args);
	free(p);
}

/* ---- calls ---- */

void
problem_reset_host(Problem *p)
{
	for (int i = 0; i < p->n_arrays; i++)
		memcpy(p->arrays[i].host, p->arrays[i].initial, layout_bytes(&p->arrays[i].layout));
	if (p->host_workspace != NULL)
		memset(p->host_workspace, WORKSPACE_FILL, p->workspace_bytes);
}

/* The initial contents of array NUMBER, on the device. */
static stencil_status
reset_array(const Problem *p, int number)
{
	const Array *array = &p->arrays[number];
	const ProblemOptions *o = &p->options;
	size_t bytes = layout_bytes(&array->layout);

	if (o->fill == NULL)
		return stencil_upload(o->ctx, array->device, array->initial, bytes);
	if (is_poisoned(array))
		return stencil_fill(o->ctx, array->device, ARRAY_POISON, bytes);
	return o->fill(o->ctx, array->device, array->layout.type,
		array->layout.rows * array->layout.width,
		o->seed + ((uint64_t)(number + 1) << 40));
}

stencil_status
problem_reset_device(Problem *p)
{
	stencil_context *ctx = p->options.ctx;
	stencil_status status = STENCIL_OK;

	for (int i = 0; status == STENCIL_OK && i < p->n_arrays; i++)
		status = reset_array(p, i);
	if (status == STENCIL_OK && p->device_workspace != NULL)
		status = stencil_fill(ctx, p->device_workspace, WORKSPACE_FILL, p->workspace_bytes);
	if (status != STENCIL_OK)
		stencil_fail(NULL, status, "%s", stencil_error(ctx));
	return status;
}

/* Completes the arguments for one side. */
static void
bind(Problem *p, int on_device, int64_t steps, int64_t *done)
{
	const stencil_description *d = p->what;

	for (int i = 0; i < p->n_arrays; i++) {
		Array *array = &p->arrays[i];

		put_pointer(p->args, array->offset, layout_row(&array->layout,
			on_device ? array->device : array->host, 0));
	}
	put_count(p->args, d->steps, steps);
	put_pointer(p->args, d->steps_done, done);
	if (p->workspace_bytes > 0) {
		put_pointer(p->args, d->workspace,
			on_device ? p->device_workspace : p->host_workspace);
		put(p->args, d->workspace_size, &p->workspace_bytes, sizeof(size_t));
	}
}

stencil_status
problem_call_host(Problem *p, stencil_host_call *call, int64_t steps, int64_t *done)
{
	bind(p, 0, steps, done);
	return call(p->args);
}

stencil_status
problem_start_device(Problem *p, stencil_device_call *call, int64_t steps, int64_t *done)
{
	bind(p, 1, steps, done);
	return call(p->options.ctx, p->args);
}

stencil_status
problem_call_device(Problem *p, int64_t steps, int64_t *done)
{
	stencil_context *ctx = p->options.ctx;
	stencil_status status = problem_start_device(p, p->what->device, steps, done);

	if (status == STENCIL_OK)
		status = stencil_context_synchronize(ctx);
	return status;
}

stencil_status
problem_download(Problem *p)
{
	stencil_context *ctx = p->options.ctx;

	for (int i = 0; i < p->n_arrays; i++) {
		Array *array = &p->arrays[i];
		stencil_status status = stencil_download(ctx, array->seen, array->device,
			layout_bytes(&array->layout));

		if (status != STENCIL_OK)
			return stencil_fail(NULL, status, "%s", stencil_error(ctx));
	}
	return STENCIL_OK;
}

void
array_print_name(const Array *array, char *text, size_t room)
{
	const char *name = array->field != NULL ? array->field->name : array->result->name;

	if (array->level == 0)
		snprintf(text, room, "%s", name);
	else
		snprintf(text, room, "%s[t-%d]", name, array->level);
}

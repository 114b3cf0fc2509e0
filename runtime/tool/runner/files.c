/* files.c: fields from files and into files. */
#include "files.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "value.h"

/* The shape of a field in a file. */
typedef struct {
	int rank;              /* of the axes */
	int axis[STENCIL_MAX_RANK];
	int64_t components;
	int first, last;       /* the file has the components there */
} Shape;

static int64_t
components_of(const stencil_field_description *f)
{
	int64_t n = 1;

	for (int i = 0; i < f->n_dims; i++)
		n *= f->dim[i];
	return n;
}

/* The level of F that NAME, LENGTH bytes of it, is: 0, or K for "F_tmK"; -1: it is not of F. */
static int
level_of(const stencil_field_description *f, const char *name, size_t length)
{
	size_t own = strlen(f->name);
	char text[24];

	if (length < own || memcmp(f->name, name, own) != 0)
		return -1;
	for (int level = 0; level <= f->n_history; level++) {
		int n = level == 0 ? 0 : snprintf(text, sizeof text, "_tm%d", level);

		if (length == own + (size_t)n && memcmp(name + own, text, (size_t)n) == 0)
			return level;
	}
	return -1;
}

/* Fails: no field of D is called NAME, LENGTH bytes of it. */
static void
report_unknown(const stencil_description *d, const char *name, size_t length)
{
	char all[200] = "";
	size_t n = 0;

	for (int i = 0; i < d->n_results; i++)
		if (strlen(d->results[i].name) == length
			&& memcmp(d->results[i].name, name, length) == 0) {
			stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "'%.*s' is no field but a result, "
				"which is printed", (int)length, name);
			return;
		}
	for (int i = 0; i < d->n_fields && n + 1 < sizeof all; i++)
		n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i > 0 ? ", " : "",
			d->fields[i].name);
	stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "there is no field '%.*s'; there is: %s",
		(int)length, name, all);
}

const stencil_field_description *
files_field(const stencil_description *d, const char *setting, int *level, const char **path)
{
	size_t length = strcspn(setting, "=");

	if (setting[length] != '=' || setting[length + 1] == '\0') {
		stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "'%s' is not FIELD=FILE", setting);
		return NULL;
	}
	*path = setting + length + 1;
	for (int i = 0; i < d->n_fields; i++) {
		*level = level_of(&d->fields[i], setting, length);
		if (*level >= 0)
			return &d->fields[i];
	}
	report_unknown(d, setting, length);
	return NULL;
}

static int
is_npy(const char *path)
{
	size_t n = strlen(path);

	return n >= 4 && strcasecmp(path + n - 4, ".npy") == 0;
}

/* Components stand last in the file PATH of F. */
static int
stand_last(const stencil_field_description *f, const char *path)
{
	return f->interleaved || !is_npy(path);
}

/* How INPUT holds F; 0: it cannot. */
static int
shape_of(const stencil_field_description *f, const Input *input, Shape *shape)
{
	const stencil_array *array = &input->array;
	int n_dims = f->n_dims, want_last = stand_last(f, input->path);
	int64_t lead = 1, trail = 1;

	memset(shape, 0, sizeof *shape);
	shape->components = components_of(f);
	for (int a = 0; a < STENCIL_MAX_RANK; a++)
		if (f->axes >> a & 1)
			shape->axis[shape->rank++] = a;
	if (shape->components == 1 && array->rank == shape->rank)
		return 1;
	/* An image has one last extent for all its components. */
	if (n_dims > 1 && array->rank == shape->rank + 1)
		n_dims = 1;
	if (array->rank != shape->rank + n_dims)
		return 0;
	for (int i = 0; i < n_dims; i++) {
		lead *= array->extent[i];
		trail *= array->extent[array->rank - 1 - i];
	}
	if (trail == shape->components && (want_last || lead != trail))
		shape->last = n_dims;
	else if (lead == shape->components)
		shape->first = n_dims;
	return shape->first + shape->last == n_dims;
}

/* Adds "[N]", or "[NAME]", to TEXT, as far as there is room. */
static void
put_extent(char *text, size_t size, const char *name, int64_t n)
{
	size_t used = strlen(text);

	if (name != NULL)
		snprintf(text + used, size - used, "[%s]", name);
	else
		snprintf(text + used, size - used, "[%lld]", (long long)n);
}

/* What F is in a file, "[y][x][3]". */
static void
put_shape(char *text, size_t size, const stencil_description *d,
	const stencil_field_description *f, int last)
{
	*text = '\0';
	for (int i = 0; !last && i < f->n_dims; i++)
		put_extent(text, size, NULL, f->dim[i]);
	for (int a = 0; a < STENCIL_MAX_RANK; a++)
		if (f->axes >> a & 1)
			put_extent(text, size, d->grids[f->grid].axis[a], 0);
	for (int i = 0; last && i < f->n_dims; i++)
		put_extent(text, size, NULL, f->dim[i]);
}

static stencil_status
bad_shape(const stencil_description *d, const stencil_field_description *f, const Input *input)
{
	const stencil_array *array = &input->array;
	char has[256] = "", takes[256];

	for (int i = 0; i < array->rank; i++)
		put_extent(has, sizeof has, NULL, array->extent[i]);
	put_shape(takes, sizeof takes, d, f, stand_last(f, input->path));
	return stencil_fail(NULL, STENCIL_BAD_FILE,
		"'%s' is %s in a file of this kind, and %s has %s", f->name, takes, input->path,
		array->rank > 0 ? has : "no axes");
}

stencil_status
files_extents(const stencil_description *d, const stencil_field_description *f,
	const Input *input, Sizes *sizes)
{
	Shape shape;

	if (!shape_of(f, input, &shape))
		return bad_shape(d, f, input);
	for (int i = 0; i < shape.rank; i++) {
		int a = shape.axis[i];
		int64_t given = input->array.extent[shape.first + i];
		int64_t *extent = &sizes->extent[f->grid][a];

		if (given < 1)
			return stencil_fail(NULL, STENCIL_BAD_FILE,
				"the file for '%s' has no cells along %s", f->name,
				d->grids[f->grid].axis[a]);
		if (!sizes_is_free(d, f->grid, a))
			continue; /* checked when all are known */
		if (*extent != 0 && *extent != given)
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"the file for '%s' has %lld cells along %s, not %lld", f->name,
				(long long)given, d->grids[f->grid].axis[a], (long long)*extent);
		*extent = given;
	}
	return STENCIL_OK;
}

/* 1 if values of FROM can be stored as TO without loss. */
static int
widens(stencil_type from, stencil_type to)
{
	if (from == to)
		return 1;
	if (value_is_real(from))
		return to == STENCIL_F64 || (to == STENCIL_F32 && stencil_type_size(from) == 2);
	if (value_is_real(to))
		return stencil_type_size(from) < stencil_type_size(to)
			|| (stencil_type_size(from) == 1 && to == STENCIL_F16);
	return stencil_type_size(from) < stencil_type_size(to)
		&& (to != STENCIL_U16 || from != STENCIL_I8);
}

/* Where element X of row ROW of the field stands in a file of SHAPE. */
static size_t
place_in_file(const Layout *layout, const Shape *shape, int64_t row, int64_t x)
{
	int64_t coordinate[STENCIL_MAX_RANK], component, cell = 0, cells = 1;

	layout_place(layout, row, x, coordinate, &component);
	for (int i = 0; i < layout->rank; i++) {
		cell = cell * layout->extent[i] + coordinate[layout->axis[i]];
		cells *= layout->extent[i];
	}
	return (size_t)(shape->last > 0 ? cell * shape->components + component
		: component * cells + cell);
}

static void
load_level(const Array *to, const Shape *shape, const stencil_array *array)
{
	const Layout *layout = &to->layout;

	for (int64_t row = 0; row < layout->rows; row++) {
		void *cells = layout_row(layout, to->initial, row);

		for (int64_t x = 0; x < layout->width; x++) {
			size_t from = place_in_file(layout, shape, row, x);

			if (value_is_real(layout->type))
				value_set_real(layout->type, cells, (size_t)x,
					value_get(array->type, array->data, from));
			else
				value_set_integer(layout->type, cells, (size_t)x,
					value_integer(array->type, array->data, from));
		}
	}
}

stencil_status
files_load(Problem *p, const stencil_field_description *f, int level, const Input *input)
{
	const stencil_array *array = &input->array;
	Shape shape;

	if (!shape_of(f, input, &shape))
		return bad_shape(p->what, f, input);
	if (!widens(array->type, f->type))
		return stencil_fail(NULL, STENCIL_BAD_FILE,
			"the file for '%s' holds %s, which is not stored as %s without a loss",
			f->name, value_type_name(array->type), value_type_name(f->type));
	for (int i = 0; i < shape.rank; i++)
		if (array->extent[shape.first + i] != p->sizes.extent[f->grid][shape.axis[i]])
			return stencil_fail(NULL, STENCIL_BAD_FILE,
				"the file for '%s' has another extent along %s than the grid",
				f->name, p->what->grids[f->grid].axis[shape.axis[i]]);
	for (int i = 0; i < p->n_arrays; i++)
		if (p->arrays[i].field == f && (level == 0 || p->arrays[i].level == level))
			load_level(&p->arrays[i], &shape, array);
	return STENCIL_OK;
}

/* The extents of the file that FROM is written to; LAST: components stand last. */
static int
extents_of_file(const Array *from, int last, int64_t *extent)
{
	const stencil_field_description *f = from->field;
	int rank = 0;

	for (int i = 0; !last && i < f->n_dims; i++)
		extent[rank++] = f->dim[i];
	for (int i = 0; i < from->layout.rank; i++)
		extent[rank++] = from->layout.extent[i];
	for (int i = 0; last && i < f->n_dims; i++)
		extent[rank++] = f->dim[i];
	return rank;
}

static const Array *
find_array(const Problem *p, const stencil_field_description *f, int level)
{
	const Array *array = p->arrays;

	while (array->field != f || array->level != level)
		array++;
	return array;
}

/* *ARRAY becomes what FROM is in the file PATH, without its data. */
static stencil_status
shape_in_file(const Array *from, const char *path, stencil_array *array)
{
	const stencil_field_description *f = from->field;
	int64_t extent[STENCIL_MAX_RANK + STENCIL_MAX_DIMS];
	int rank = extents_of_file(from, stand_last(f, path), extent);

	if (rank > (int)(sizeof array->extent / sizeof *array->extent))
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "'%s' has too many axes for a file",
			f->name);
	*array = (stencil_array){ .type = f->type, .rank = rank };
	memcpy(array->extent, extent, (size_t)rank * sizeof *extent);
	return STENCIL_OK;
}

stencil_status
files_check(const Problem *p, const stencil_field_description *f, int level, const char *path)
{
	stencil_array array;
	stencil_status status = shape_in_file(find_array(p, f, level), path, &array);

	return status == STENCIL_OK ? stencil_array_check(&array, path) : status;
}

stencil_status
files_save(const Problem *p, const stencil_field_description *f, int level, int on_device,
	const char *path)
{
	const Array *from = find_array(p, f, level);
	const Layout *layout = &from->layout;
	Shape shape = { .components = layout->components, .last = stand_last(f, path) };
	stencil_array what, array;
	stencil_status status = shape_in_file(from, path, &what);

	if (status == STENCIL_OK)
		status = stencil_array_create(&array, what.type, what.rank, what.extent);
	if (status != STENCIL_OK)
		return status;
	for (int64_t row = 0; row < layout->rows; row++) {
		const char *cells = layout_row(layout, on_device ? from->seen : from->host, row);
		size_t size = stencil_type_size(f->type);

		for (int64_t x = 0; x < layout->width; x++)
			memcpy((char *)array.data + place_in_file(layout, &shape, row, x) * size,
				cells + (size_t)x * size, size);
	}
	status = stencil_array_write(&array, path);
	stencil_array_free(&array);
	return status;
}

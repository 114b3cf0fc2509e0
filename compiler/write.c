/* write.c: the files of a run, all of them or none. */
#include "unit.h"

#include <string.h>

#include "base/output.h"
#include "depfile.h"
#include "emit/describe.h"
#include "emit/emit.h"

static const struct {
	const char *suffix;
	EmitTarget *emit;
} targets[] = {
	[TARGET_KIND_CUDA] = { ".cu", emit_cuda },
	[TARGET_KIND_HOST] = { ".c", emit_host },
};

/* Where everything goes; NULL: not asked for. */
typedef struct {
	char *output, *header, *depend;
} Paths;

static gboolean
is_stdout(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* PATH with another suffix. */
static char *
with_suffix(const char *path, const char *suffix)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	gboolean has = dot && dot > (slash ? slash + 1 : path);

	return g_strdup_printf("%.*s%s", has ? (int)(dot - path) : (int)strlen(path), path, suffix);
}

/* NAME + SUFFIX beside PATH. */
static char *
beside(const char *path, const char *name, const char *suffix)
{
	const char *slash = strrchr(path, '/');

	return g_strdup_printf("%.*s%s%s", slash ? (int)(slash + 1 - path) : 0, path, name, suffix);
}

static Paths
find_paths(const Unit *u)
{
	const Options *o = u->options;
	const char *suffix = targets[o->target].suffix;
	Paths p = { 0 };

	p.output = o->output ? g_strdup(o->output) : g_strconcat(u->base, suffix, NULL);
	if (o->header)
		p.header = g_strdup(o->header);
	else if (!o->no_header)
		p.header = beside(p.output, u->base, ".h");
	if (o->depend_file)
		p.depend = g_strdup(o->depend_file);
	else if (o->depend)
		p.depend = is_stdout(p.output) ? g_strconcat(u->base, ".d", NULL)
			: with_suffix(p.output, ".d");
	return p;
}

static void
free_paths(Paths *p)
{
	g_free(p->output);
	g_free(p->header);
	g_free(p->depend);
}

/* The headers that functions of the program are from (const char *); to be freed. */
static GPtrArray *
headers_named(const Unit *u)
{
	GPtrArray *headers = g_ptr_array_new();

	for (guint i = 0; u->program && i < u->program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(u->program->stencils, i);

		for (guint k = 0; k < s->externs->len; k++) {
			const Extern *f = g_ptr_array_index(s->externs, k);

			if (f->header != NULL)
				g_ptr_array_add(headers, (gpointer)f->header);
		}
	}
	return headers;
}

/* The names of all files that are read: the program's, its functions' headers, and those of
 * options; to be freed. */
static GPtrArray *
files_read(const Unit *u)
{
	const Options *o = u->options;
	const GPtrArray *files = loader_files(u->loader);
	GPtrArray *headers = headers_named(u);
	const char *given[] = { o->plan, o->measured,
		o->device != NULL && device_is_path(o->device) ? o->device : NULL };
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < files->len; i++)
		g_ptr_array_add(all, g_strdup(g_ptr_array_index(files, i)));
	for (guint i = 0; i < headers->len; i++) {
		char *found = loader_find(u->loader, g_ptr_array_index(headers, i));

		if (found != NULL)
			g_ptr_array_add(all, found);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(given); i++)
		if (given[i] != NULL)
			g_ptr_array_add(all, g_strdup(given[i]));
	g_ptr_array_unref(headers);
	return all;
}

/* Whether PATH, to be the WHAT, is one of the files that are read, which is reported. */
static gboolean
spoils_source(const Unit *u, const char *what, const char *path)
{
	GPtrArray *files = files_read(u);
	gboolean spoils = FALSE;

	for (guint i = 0; i < files->len && !spoils; i++)
		spoils = output_is_same(path, g_ptr_array_index(files, i));
	if (spoils)
		diag_error(u->diag, (Span){ 0 }, "the %s would overwrite '%s', which is "
			"read", what, path);
	g_ptr_array_unref(files);
	return spoils;
}

/* What the output includes: the header's name, folder apart. */
static char *
header_name(const Unit *u, const Paths *p)
{
	return p->header && !is_stdout(p->header) ? g_path_get_basename(p->header)
		: g_strconcat(u->base, ".h", NULL);
}

/* It would be found instead of one that C has, or our run-time, or the program names. */
static gboolean
hides_other(const Unit *u, const char *name)
{
	static const char *const others[] = { "assert.h", "complex.h", "ctype.h", "errno.h",
		"fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "locale.h", "math.h",
		"setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h",
		"stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h",
		"tgmath.h", "threads.h", "time.h", "uchar.h", "wchar.h", "wctype.h",
		"stencil_at_once.h", "stencil_entry.h", "stencil_fill.h", "stencil_inset.h",
		"stencil_kernel.h", "stencil_launch.h", "stencil_loop.h", "stencil_ops.h",
		"stencil_steps.h", "stencilrt.h", NULL };

	GPtrArray *headers = headers_named(u);
	gboolean hides = g_strv_contains(others, name) || g_ptr_array_find_with_equal_func(headers,
		name, g_str_equal, NULL);

	g_ptr_array_unref(headers);
	return hides;
}

static gboolean
check_header_name(const Unit *u, const Paths *p)
{
	char *name = header_name(u, p);
	gboolean written = strpbrk(name, "\"\\\n\r") == NULL, own = !hides_other(u, name);

	if (!written)
		diag_error(u->diag, (Span){ 0 }, "no C can include a header that is called '%s'",
			name);
	else if (!own)
		diag_error(u->diag, (Span){ 0 }, "the header '%s' would hide the one of that name "
			"which the program includes", name);
	if (!own)
		diag_help(u->diag, "give the program another name, or write --header=FILE");
	g_free(name);
	return written && own;
}

/* No file may be written twice, none that was compiled at all. */
static gboolean
check_paths(const Unit *u, const Paths *p)
{
	const struct {
		const char *what, *path;
	} to[] = {
		{ "output", p->output },
		{ "header", p->header },
		{ "manifest", u->options->manifest },
		{ "dependency file", p->depend },
	};

	for (guint i = 0; i < G_N_ELEMENTS(to); i++) {
		if (!to[i].path || is_stdout(to[i].path))
			continue;
		for (guint k = 0; k < i; k++)
			if (to[k].path && (strcmp(to[i].path, to[k].path) == 0
				|| output_is_same(to[i].path, to[k].path))) {
				diag_error(u->diag, (Span){ 0 }, "the %s and the %s are both '%s'",
					to[k].what, to[i].what, to[i].path);
				return FALSE;
			}
		if (spoils_source(u, to[i].what, to[i].path))
			return FALSE;
	}
	return TRUE;
}

/* Adds TEXT, which is freed, as PATH. */
static void
add(Unit *u, OutputSet *set, const char *path, char *text)
{
	GError *error = NULL;

	if (!u->failed && !output_add(set, path, text, strlen(text), &error))
		unit_fail_io(u, error);
	g_free(text);
}

static EmitOptions
emit_options(const Unit *u, const char *source, const char *header)
{
	return (EmitOptions){
		.source = source,
		.header = header,
		.arch = u->arch,
		.fast_math = u->options->fast_math,
		.associative = u->options->associative == 1,
	};
}

static char *
output_text(const Unit *u, const EmitOptions *options)
{
	const Options *o = u->options;
	char *name = g_strconcat(u->base, targets[o->target].suffix, NULL);
	Writer *w = writer_new(name, !o->no_lines);

	targets[o->target].emit(u->program, u->schedules, options, w);
	g_free(name);
	return writer_finish(w);
}

static char *
header_text(const Unit *u, const EmitOptions *options)
{
	Writer *w = writer_new(options->header, FALSE);

	emit_header(u->program, options, w);
	return writer_finish(w);
}

void
write_texts(const Unit *u, char **output, char **header)
{
	char *source = g_path_get_basename(u->file->source->name);
	char *name = g_strconcat(u->base, ".h", NULL);
	EmitOptions options = emit_options(u, source, name);

	*output = output_text(u, &options);
	*header = header_text(u, &options);
	g_free(source);
	g_free(name);
}

static void
add_program(Unit *u, OutputSet *set, const Paths *p)
{
	const Options *o = u->options;
	char *header = header_name(u, p);
	char *source = g_path_get_basename(u->file->source->name);
	EmitOptions options = emit_options(u, source, header);
	Writer *w;

	add(u, set, p->output, output_text(u, &options));
	if (p->header)
		add(u, set, p->header, header_text(u, &options));
	if (o->manifest) {
		w = writer_new(o->manifest, FALSE);
		emit_manifest(u->program, u->schedules, &options, w);
		add(u, set, o->manifest, writer_finish(w));
	}
	if (o->describe) {
		w = writer_new(o->describe, FALSE);
		emit_describe(u->program, w);
		add(u, set, o->describe, writer_finish(w));
	}
	g_free(source);
	g_free(header);
}

static void
add_depend(Unit *u, OutputSet *set, const Paths *p)
{
	const Options *o = u->options;
	GString *text = g_string_new(NULL);

	depfile_print(o->depend_target ? o->depend_target : p->output, o->depend_target != NULL,
		loader_files(u->loader), o->depend_phony, text);
	add(u, set, p->depend, g_string_free(text, FALSE));
}

void
write_outputs(Unit *u)
{
	OutputSet *set = output_set_new();
	Paths p = find_paths(u);
	GError *error = NULL;

	if (check_header_name(u, &p) && check_paths(u, &p))
		add_program(u, set, &p);
	else
		u->failed = EXIT_USAGE;
	if (p.depend && !u->failed)
		add_depend(u, set, &p);
	if (!u->failed && !output_commit(set, &error))
		unit_fail_io(u, error);
	output_set_free(set);
	free_paths(&p);
}

void
write_list(Unit *u)
{
	GPtrArray *files = files_read(u);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < files->len; i++) {
		char *name = g_strescape(g_ptr_array_index(files, i), NULL);

		g_string_append_printf(text, "%s\n", name);
		g_free(name);
	}
	write_text(u, "-", text);
	g_string_free(text, TRUE);
	g_ptr_array_unref(files);
}

void
write_dump(Unit *u, const char *form, const GString *text)
{
	char *path = g_strdup_printf("%s/%s.%s", u->options->dump_dir, u->base, form);

	write_text(u, path, text);
	g_free(path);
}

void
write_text(Unit *u, const char *path, const GString *text)
{
	OutputSet *set;
	GError *error = NULL;

	if (spoils_source(u, "output", path)) {
		u->failed = EXIT_USAGE;
		return;
	}
	set = output_set_new();
	if (!output_add(set, path, text->str, text->len, &error)
		|| !output_commit(set, &error))
		unit_fail_io(u, error);
	output_set_free(set);
}

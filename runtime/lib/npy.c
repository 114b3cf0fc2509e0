/* npy.c: NumPy's format: a magic number, a dictionary in Python's notation that
 * says type, order and shape, then the elements. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_HEADER = 1 << 20, ALIGNMENT = 64 };

static const unsigned char magic[6] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* NumPy's name of each type, without the byte order. */
static const char *const descr[] = {
	[STENCIL_BOOL] = "b1",
	[STENCIL_U8] = "u1",
	[STENCIL_I8] = "i1",
	[STENCIL_U16] = "u2",
	[STENCIL_I16] = "i2",
	[STENCIL_I32] = "i4",
	[STENCIL_I64] = "i8",
	[STENCIL_F16] = "f2",
	[STENCIL_BF16] = "V2",
	[STENCIL_F32] = "f4",
	[STENCIL_F64] = "f8",
};
enum { N_TYPES = sizeof descr / sizeof descr[0] };

typedef struct {
	stencil_type type;
	int swapped; /* the other byte order */
	int fortran;
	int rank;
	int64_t extent[ARRAY_MAX_RANK];
	int seen;    /* SEEN_ bits of the keys that were there */
} Header;

enum { SEEN_DESCR = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4, SEEN_ALL = 7 };

/* ---- the dictionary ---- */

typedef struct {
	const InFile *in;
	const char *at; /* ends in a null byte */
	Header *header;
} Parser;

static void
skip_blanks(Parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

/* TRUE, and past it, if C comes next. */
static int
accept(Parser *p, char c)
{
	skip_blanks(p);
	if (*p->at != c)
		return 0;
	p->at++;
	return 1;
}

static stencil_status
expect(Parser *p, char c)
{
	return accept(p, c) ? STENCIL_OK : rt_in_bad(p->in, "'%c' is missing in the header", c);
}

/* 'text' or "text", shorter than SIZE. */
static stencil_status
parse_string(Parser *p, char *text, size_t size)
{
	skip_blanks(p);

	char quote = *p->at;
	const char *end = quote == '\'' || quote == '"' ? strchr(p->at + 1, quote) : NULL;

	if (end == NULL || (size_t)(end - p->at) > size)
		return rt_in_bad(p->in, "the header is not what NumPy writes");
	memcpy(text, p->at + 1, (size_t)(end - p->at - 1));
	text[end - p->at - 1] = '\0';
	p->at = end + 1;
	return STENCIL_OK;
}

static stencil_status
parse_descr(Parser *p)
{
	char text[16];
	stencil_status status;

	skip_blanks(p);
	if (*p->at == '[')
		return rt_in_bad(p->in, "records are not read");
	status = parse_string(p, text, sizeof text);
	if (status != STENCIL_OK)
		return status;

	int ordered = text[0] != '\0' && strchr("<>=|", text[0]) != NULL;

	for (int t = 0; t < N_TYPES; t++)
		if (strcmp(text + ordered, descr[t]) == 0) {
			p->header->type = (stencil_type)t;
			p->header->swapped = text[0] == (NATIVE_IS_LITTLE ? '>' : '<');
			return STENCIL_OK;
		}
	return rt_in_bad(p->in, "a stencil has no type for NumPy's '%s'", text);
}

static stencil_status
parse_order(Parser *p)
{
	skip_blanks(p);
	p->header->fortran = strncmp(p->at, "True", 4) == 0;
	if (!p->header->fortran && strncmp(p->at, "False", 5) != 0)
		return rt_in_bad(p->in, "fortran_order is neither True nor False");
	p->at += p->header->fortran ? 4 : 5;
	return STENCIL_OK;
}

/* An integer, and the L that Python 2 added. */
static stencil_status
parse_extent(Parser *p, int64_t *extent)
{
	*extent = 0;
	if (*p->at < '0' || *p->at > '9')
		return rt_in_bad(p->in, "the shape is not made of numbers");
	for (; *p->at >= '0' && *p->at <= '9'; p->at++)
		if (__builtin_mul_overflow(*extent, 10, extent)
			|| __builtin_add_overflow(*extent, *p->at - '0', extent))
			return rt_in_bad(p->in, "the shape is too large");
	if (*p->at == 'L')
		p->at++;
	return STENCIL_OK;
}

static stencil_status
parse_shape(Parser *p)
{
	Header *h = p->header;
	stencil_status status = expect(p, '(');

	h->rank = 0;
	while (status == STENCIL_OK && !accept(p, ')')) {
		if (h->rank == ARRAY_MAX_RANK)
			return rt_in_bad(p->in, "there are more than %d axes", ARRAY_MAX_RANK);
		status = parse_extent(p, &h->extent[h->rank++]);
		if (status == STENCIL_OK && !accept(p, ',')) {
			status = expect(p, ')');
			break;
		}
	}
	return status;
}

static stencil_status
parse_entry(Parser *p)
{
	char key[16];
	stencil_status status = parse_string(p, key, sizeof key);

	if (status == STENCIL_OK)
		status = expect(p, ':');
	if (status != STENCIL_OK)
		return status;
	if (strcmp(key, "descr") == 0) {
		p->header->seen |= SEEN_DESCR;
		return parse_descr(p);
	}
	if (strcmp(key, "fortran_order") == 0) {
		p->header->seen |= SEEN_ORDER;
		return parse_order(p);
	}
	if (strcmp(key, "shape") == 0) {
		p->header->seen |= SEEN_SHAPE;
		return parse_shape(p);
	}
	return rt_in_bad(p->in, "the header has an unknown key '%s'", key);
}

static stencil_status
parse_header(const InFile *in, const char *text, Header *header)
{
	Parser p = { in, text, header };
	stencil_status status = expect(&p, '{');

	while (status == STENCIL_OK && !accept(&p, '}')) {
		status = parse_entry(&p);
		if (status == STENCIL_OK && !accept(&p, ',')) {
			status = expect(&p, '}');
			break;
		}
	}
	if (status != STENCIL_OK)
		return status;
	skip_blanks(&p);
	if (*p.at != '\0')
		return rt_in_bad(in, "the header goes on after its end");
	if (header->seen != SEEN_ALL)
		return rt_in_bad(in, "the header does not say type, order and shape");
	return STENCIL_OK;
}

/* Magic, version, length, dictionary. */
static stencil_status
read_header(InFile *in, Header *header)
{
	unsigned char start[8], length[4] = { 0 };
	stencil_status status = rt_in_read(in, start, sizeof start);

	if (status == STENCIL_OK && memcmp(start, magic, sizeof magic) != 0)
		return rt_in_bad(in, "this is no .npy file");
	if (status == STENCIL_OK && (start[6] < 1 || start[6] > 3 || start[7] != 0))
		return rt_in_bad(in, "version %d.%d is not known", start[6], start[7]);
	if (status == STENCIL_OK)
		status = rt_in_read(in, length, start[6] == 1 ? 2 : 4);
	if (status != STENCIL_OK)
		return status;

	size_t size = (size_t)length[0] | (size_t)length[1] << 8
		| (size_t)length[2] << 16 | (size_t)length[3] << 24;

	if (size > MAX_HEADER || (int64_t)size > in->left)
		return rt_in_bad(in, "the header's length is wrong");

	char *text = malloc(size + 1);

	if (text == NULL)
		return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "%s: no memory", in->path);
	status = rt_in_read(in, text, size);
	text[size] = '\0';
	if (status == STENCIL_OK && strlen(text) != size)
		status = rt_in_bad(in, "the header is not text");
	if (status == STENCIL_OK)
		status = parse_header(in, text, header);
	free(text);
	return status;
}

/* ---- the elements ---- */

/* FROM's first axis is the fastest, TO's the last. */
static void
reorder(char *to, const char *from, const Header *h, size_t size)
{
	int64_t index[ARRAY_MAX_RANK] = { 0 }, stride[ARRAY_MAX_RANK], at = 0, n = 1;

	for (int i = 0; i < h->rank; i++) {
		stride[i] = n;
		n *= h->extent[i];
	}
	for (int64_t k = 0; k < n; k++) {
		memcpy(to + (size_t)k * size, from + (size_t)at * size, size);
		for (int i = h->rank - 1; i >= 0; i--) {
			at += stride[i];
			if (++index[i] < h->extent[i])
				break;
			at -= index[i] * stride[i];
			index[i] = 0;
		}
	}
}

static stencil_status
to_c_order(stencil_array *array, const Header *h, const InFile *in)
{
	stencil_array ordered;

	if (stencil_array_create(&ordered, h->type, h->rank, h->extent) != STENCIL_OK)
		return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "%s: no memory", in->path);
	reorder(ordered.data, array->data, h, stencil_type_size(h->type));
	stencil_array_free(array);
	*array = ordered;
	return STENCIL_OK;
}

stencil_status
rt_npy_read(stencil_array *array, InFile *in)
{
	Header h = { 0 };
	stencil_status status = read_header(in, &h);
	int64_t bytes;

	if (status != STENCIL_OK)
		return status;
	bytes = rt_array_bytes(h.type, h.rank, h.extent);
	if (bytes < 0)
		return rt_in_bad(in, "the shape is too large");
	if (bytes > in->left)
		return rt_in_bad(in, "the file ends too early");
	status = stencil_array_create(array, h.type, h.rank, h.extent);
	if (status == STENCIL_OK)
		status = rt_in_read(in, array->data, (size_t)bytes);
	if (status == STENCIL_OK && rt_in_byte(in) != EOF)
		status = rt_in_bad(in, "the file goes on after the array");
	if (status != STENCIL_OK)
		return status;

	size_t size = stencil_type_size(h.type), n = (size_t)bytes / size;

	if (h.swapped)
		rt_array_swap(array->data, size, n);
	if (h.type == STENCIL_BOOL)
		for (uint8_t *at = array->data, *end = at + n; at < end; at++)
			*at = *at != 0;
	return h.fortran && h.rank > 1 ? to_c_order(array, &h, in) : STENCIL_OK;
}

stencil_status
rt_npy_write(const stencil_array *array, OutFile *out)
{
	char text[256];
	size_t size = stencil_type_size(array->type);
	char order = size == 1 ? '|' : NATIVE_IS_LITTLE ? '<' : '>';
	size_t n = (size_t)snprintf(text, sizeof text,
		"{'descr': '%c%s', 'fortran_order': False, 'shape': (", order, descr[array->type]);

	for (int i = 0; i < array->rank; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld%s", i > 0 ? ", " : "",
			(long long)array->extent[i], array->rank == 1 ? "," : "");
	n += (size_t)snprintf(text + n, sizeof text - n, "), }");

	/* Blanks and a newline, so that the elements are aligned. */
	size_t end = (10 + n + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - 10;
	unsigned char start[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0,
		(unsigned char)(end & 0xff), (unsigned char)(end >> 8) };

	memset(text + n, ' ', end - n);
	text[end - 1] = '\n';
	fwrite(start, 1, sizeof start, out->stream);
	fwrite(text, 1, end, out->stream);
	fwrite(array->data, size, (size_t)stencil_array_count(array), out->stream);
	return STENCIL_OK;
}

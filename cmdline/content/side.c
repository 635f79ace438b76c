/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/side.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "base/path.h"
#include "os/file.h"
#include "report/report.h"

#define MAGIC		"SNAPSIDE"
#define MAGIC_BYTES	8
#define VERSION		1
#define HEADER_BYTES	24
#define SECTION_BYTES	12	/* of its header */
#define CRC_BYTES	4
#define SAVED_MAX	(INT64_MAX - (INT64_C(1) << 60))	/* in the year 2225; each save may add one more */
#define TAG(text)	((uint32_t)(text)[0] | (uint32_t)(text)[1] << 8 | (uint32_t)(text)[2] << 16 | \
			 (uint32_t)(text)[3] << 24)

static void save_write(struct packer *packer, struct array *array)
{
	pack_signed(packer, array->saved);
}

static bool save_read(struct unpacker *unpacker, struct array *array)
{
	int64_t saved = unpack_signed(unpacker);

	if (!unpacker_is_at_end(unpacker) || saved < 0 || saved > SAVED_MAX)
		return false;
	array->saved = saved;
	return true;
}

static const struct section section_table[] = {
	{ TAG("SAVE"), meta_has_any, save_write, save_read },
	{ TAG("PATH"), parities_has_any, parities_write, parities_read },
	{ TAG("CODE"), code_has_any, code_write, code_read },
	{ TAG("META"), meta_has_any, meta_write, meta_read },
	{ TAG("SYNC"), synced_has_any, synced_write, synced_read },
};

#define SECTION_COUNT	(sizeof(section_table) / sizeof(section_table[0]))

static void write_section(const struct section *section, struct array *array, struct buf *image)
{
	struct packer *packer = mem_alloc(sizeof(*packer));
	uint8_t header[SECTION_BYTES];
	size_t at = image->size;

	le32_store(header, section->tag);
	buf_add(image, header, sizeof(header));
	packer_begin(packer, image);
	section->write(packer, array);
	packer_end(packer);
	le64_store(image->data + at + 4, image->size - at - SECTION_BYTES);
	free(packer);
}

void side_encode(struct array *array, const struct binding *binding, struct buf *image)
{
	uint8_t header[HEADER_BYTES] = MAGIC, crc[CRC_BYTES];
	bool any = false;

	buf_clear(image);
	for (size_t i = 0; i < SECTION_COUNT; i++)
		any |= section_table[i].has_any(array);
	if (!any)
		return;
	le32_store(header + MAGIC_BYTES, VERSION);
	le32_store(header + 12, binding->tail);
	le64_store(header + 16, binding->size);
	buf_add(image, header, sizeof(header));
	for (size_t i = 0; i < SECTION_COUNT; i++)
		if (section_table[i].has_any(array))
			write_section(&section_table[i], array, image);
	le32_store(crc, crc32c(0, image->data, image->size));
	buf_add(image, crc, sizeof(crc));
}

/* Magic, version, binding. */
static enum side_state prove_header(const uint8_t *data, size_t size, const struct binding *binding)
{
	if (size < HEADER_BYTES + CRC_BYTES || memcmp(data, MAGIC, MAGIC_BYTES) != 0)
		return SIDE_DAMAGED;
	if (le32_load(data + MAGIC_BYTES) != VERSION)
		return SIDE_NEWER;
	return le32_load(data + 12) == binding->tail && le64_load(data + 16) == binding->size ? SIDE_FITS : SIDE_OTHER;
}

static enum side_state prove(const uint8_t *data, size_t size, const struct binding *binding)
{
	enum side_state state = prove_header(data, size, binding);

	if (state == SIDE_FITS && crc32c(0, data, size - CRC_BYTES) != le32_load(data + size - CRC_BYTES))
		return SIDE_DAMAGED;
	return state;
}

static struct cursor all_sections(const uint8_t *data, size_t size)
{
	return (struct cursor){ .at = data + HEADER_BYTES, .end = data + size - CRC_BYTES };
}

/* false: it is cut short. */
static bool next_section(struct cursor *in, uint32_t *tag, struct cursor *body)
{
	const uint8_t *header = cursor_bytes(in, SECTION_BYTES);
	uint64_t length = header != NULL ? le64_load(header + 4) : 0;
	const uint8_t *data = header != NULL && length <= SIZE_MAX ? cursor_bytes(in, (size_t)length) : NULL;

	if (data == NULL)
		return false;
	*tag = le32_load(header);
	*body = (struct cursor){ .at = data, .end = data + length };
	return true;
}

static bool read_section(uint32_t tag, const uint8_t *data, size_t size, struct array *array)
{
	const struct section *section = NULL;
	struct unpacker *unpacker;
	bool good;

	for (size_t i = 0; i < SECTION_COUNT; i++)
		if (section_table[i].tag == tag)
			section = &section_table[i];
	if (section == NULL)
		return true;
	unpacker = mem_alloc(sizeof(*unpacker));
	unpacker_begin(unpacker, data, size);
	good = section->read(unpacker, array);
	unpacker_end(unpacker);
	free(unpacker);
	return good;
}

enum side_state side_decode(const uint8_t *data, size_t size, const struct binding *binding, struct array *array)
{
	enum side_state state = prove(data, size, binding);
	struct cursor in, body;
	uint32_t tag;

	if (state != SIDE_FITS)
		return state;
	in = all_sections(data, size);
	while (in.at < in.end)
		if (!next_section(&in, &tag, &body) ||
		    !read_section(tag, body.at, (size_t)(body.end - body.at), array))
			return SIDE_DAMAGED;
	return SIDE_FITS;
}

static char *side_name(const char *content)
{
	return path_add_suffix(content, ".side");
}

static char *fresh_name(const char *content)
{
	return path_add_suffix(content, ".side.tmp");
}

/* One of these names beside the file behind a content file, if that is a symbolic link; malloc. */
static char *name_beside(const char *content, char *(*name)(const char *))
{
	char *real = copy_real_path(content);
	char *path = name(real != NULL ? real : content);

	free(real);
	return path;
}

/* What a content file in place would have as its binding. false: there is none. */
static bool binding_of(const char *content, struct binding *binding)
{
	return copy_ending(content, &binding->tail, &binding->size);
}

static bool is_fit(const char *path, const struct binding *binding)
{
	struct os_view view;
	bool fits = os_view_open(&view, path) == 0 && prove(view.data, view.size, binding) == SIDE_FITS;

	os_view_close(&view);
	return fits;
}

/* The name of the new one is made free. -1 with errno. */
static int clear_fresh(const char *content, const char *side, const char *fresh)
{
	struct binding binding;

	if (access(fresh, F_OK) == 0 && binding_of(content, &binding) && !is_fit(side, &binding) &&
	    is_fit(fresh, &binding))
		return os_rename_durable(fresh, side);
	return unlink(fresh) < 0 && errno != ENOENT ? -1 : 0;
}

static int write_fresh(const char *fresh, const struct buf *image, const char **what)
{
	int fd;

	*what = "creating";
	fd = os_create_new(fresh, 0600);
	if (fd < 0)
		return -1;
	*what = "writing";
	if (os_write_all(fd, image->data, image->size) < 0 || os_sync(fd) < 0) {
		os_close(fd);
		return -1;
	}
	os_close(fd);
	*what = "making durable";
	return os_sync_parent(fresh);
}

int side_prepare(const char *content, const struct buf *image, const char **what)
{
	char *side = side_name(content), *fresh = fresh_name(content);
	int rc, error;

	*what = "removing";
	rc = clear_fresh(content, side, fresh);
	if (rc == 0 && image->size > 0)
		rc = write_fresh(fresh, image, what);
	error = errno;
	free(side);
	free(fresh);
	errno = error;
	return rc;
}

void side_commit(const char *content, const struct buf *image)
{
	char *side = side_name(content), *fresh = fresh_name(content);

	if (image->size > 0)
		os_rename_durable(fresh, side);
	else
		unlink(side);
	free(side);
	free(fresh);
}

void side_discard(const char *content)
{
	char *side = side_name(content), *fresh = fresh_name(content);

	clear_fresh(content, side, fresh);
	free(side);
	free(fresh);
}

/* One name of a side file. false: there is no such file. */
static bool try_name(const char *content, char *(*name)(const char *), const struct binding *binding,
		     struct array *array, char **path, enum side_state *state)
{
	struct os_view view;
	bool found;

	*path = name_beside(content, name);
	/* One that cannot be read is as good as damaged, and told. */
	found = os_view_open(&view, *path) == 0 || (errno != ENOENT && errno != ENOTDIR);
	if (found)
		*state = side_decode(view.data, view.size, binding, array);
	os_view_close(&view);
	return found;
}

bool side_is_settled(const char *content)
{
	char *side = name_beside(content, side_name), *fresh = name_beside(content, fresh_name);
	bool settled = access(side, F_OK) == 0 && access(fresh, F_OK) != 0;

	free(fresh);
	free(side);
	return settled;
}

static void tell(const char *path, enum side_state state)
{
	static const enum event events[] = {
		[SIDE_OTHER] = EV_SIDE_OTHER, [SIDE_DAMAGED] = EV_SIDE_DAMAGED, [SIDE_NEWER] = EV_SIDE_NEWER,
	};

	report(events[state], path);
}

static bool find_saved(const char *path, const struct binding *binding, int64_t *saved)
{
	struct array only = { .saved = 0 };
	struct cursor in, body;
	struct os_view view;
	uint32_t tag;

	if (os_view_open(&view, path) == 0 && prove(view.data, view.size, binding) == SIDE_FITS) {
		in = all_sections(view.data, view.size);
		while (in.at < in.end && next_section(&in, &tag, &body))
			if (tag == TAG("SAVE"))
				read_section(tag, body.at, (size_t)(body.end - body.at), &only);
	}
	os_view_close(&view);
	*saved = only.saved;
	return only.saved != 0;
}

int64_t side_saved(const struct copy *copy)
{
	const struct binding binding = { copy->tail, copy->size };
	char *side = name_beside(copy->path, side_name), *fresh = name_beside(copy->path, fresh_name);
	int64_t saved = 0;

	if (!find_saved(side, &binding, &saved))
		find_saved(fresh, &binding, &saved);
	free(fresh);
	free(side);
	return saved;
}

char *side_path(const char *content)
{
	return name_beside(content, side_name);
}

bool side_begins_as_of(const uint8_t *data, size_t size, const struct binding *binding)
{
	return prove_header(data, size, binding) == SIDE_FITS;
}

void side_load(const struct copy *copy, unsigned count, const struct copy *used, struct array *array)
{
	static char *(*const names[])(const char *) = { side_name, fresh_name };
	const struct binding binding = { used->tail, used->size };
	enum side_state state = SIDE_OTHER, first = SIDE_OTHER;
	char *path, *unfit = NULL;
	bool loaded = false;

	for (unsigned i = 0; i < 2 * count + 2 && !loaded; i++) {
		const struct copy *at = i < 2 ? used : &copy[i / 2 - 1];

		if (!try_name(at->path, names[i % 2], &binding, array, &path, &state)) {
			free(path);
			continue;
		}
		loaded = state == SIDE_FITS;
		if (loaded && i > 0)
			array->changed = true;	/* it was not where it belongs */
		if (!loaded && unfit == NULL) {
			unfit = path;
			first = state;
		} else {
			free(path);
		}
	}
	if (!loaded && unfit != NULL)
		tell(unfit, first);
	for (unsigned i = 0; loaded && i < count; i++)
		if (copy[i].state == COPY_PRESENT && !copy[i].settled)
			array->changed = true;
	free(unfit);
}

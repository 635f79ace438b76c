/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -C: a configuration to be filled in, for somebody who has nothing left but a content file. */
#include "command/command.h"

#include <errno.h>
#include <inttypes.h>

#include "base/path.h"
#include "os/file.h"

#define KIB 1024
#define DEFAULT_BLOCK_SIZE (256 * KIB)

/* Names come from the file as they are: one with a line end would become a line of the configuration. */
static void add_name(struct buf *out, const char *before, const char *name, const char *after)
{
	buf_str(out, before);
	path_escape_terminal(out, name);
	buf_str(out, after);
}

/* What the blocks of this array are made of. */
static void write_sizes(struct buf *out, const struct array *array)
{
	buf_printf(out, "# As the array was made: do not change these\nblocksize %" PRIu32 "\nhashsize %u\n\n",
		   array->block_size / KIB, array->hash_size);
}

static void write_level(struct buf *out, const struct level *level)
{
	unsigned s;

	buf_printf(out, "# Parity '%s' was in %u file%s:\n", level->name, level->split_count,
		   level->split_count == 1 ? "" : "s");
	for (s = 0; s < level->split_count; ++s) {
		const struct split *split = &level->split[s];

		if (split->path != NULL && split->path[0] != '\0')
			add_name(out, "#   ", split->path, "");
		else
			buf_str(out, "#   (path not recorded)");
		if (split->size_bytes != SPLIT_SIZE_UNKNOWN)
			buf_printf(out, ", %" PRIu64 " bytes", split->size_bytes);
		if (split->uuid != NULL && split->uuid[0] != '\0')
			add_name(out, ", on the file system with UUID ", split->uuid, "");
		buf_char(out, '\n');
	}
	buf_printf(out, "%s PATH_OF_THE_PARITY_FILE%s\n\n", level->name,
		   level->split_count > 1 ? "S_SEPARATED_BY_COMMAS" : "");
}

static void write_disk(struct buf *out, const struct disk *disk)
{
	const struct tommy_node *first = tommy_list_head(&disk->files);

	add_name(out, "\n# Disk '", disk->name, "'\n");
	if (disk->uuid != NULL && disk->uuid[0] != '\0')
		add_name(out, "#   was the file system with UUID ", disk->uuid, "\n");
	if (first != NULL)
		add_name(out, "#   held the file ", ((const struct file *)first->data)->path, "\n");
	add_name(out, "data ", disk->name, " DIRECTORY_OF_THE_DISK\n");
}

static void write_conf(struct buf *out, const char *content_path, const struct array *array)
{
	unsigned i;

	buf_printf(out, "# Configuration made from %s\n"
			"# Put in the words in capitals, then try 'snapraid status' and 'snapraid diff'.\n\n",
		   content_path);
	write_sizes(out, array);
	for (i = 0; i < array->level_count; ++i)
		write_level(out, &array->level[i]);
	buf_printf(out, "# Add the other copies\ncontent %s\n", content_path);
	for (i = 0; i < array->disk_count; ++i)
		write_disk(out, array->disk[i]);
}

int command_gen_conf(const char *content_path)
{
	struct content *content = NULL;
	struct array *array;
	struct buf text = { 0 };
	int fd = os_open_read(content_path);

	if (fd < 0 && errno == ENOENT) {
		report(EV_GENCONF_NO_FILE, content_path);
		/* As one that was never synced. */
		array = array_new(DEFAULT_BLOCK_SIZE, HASH_BYTES_MAX);
	} else {
		array = content_load_alone(content_path, &content);
	}
	os_close(fd);
	if (array == NULL)
		return 1;
	write_conf(&text, content_path, array);
	text.data[--text.size] = '\0';	/* the last line end is that of the event */
	report(EV_GENCONF_LINES, (const char *)text.data);
	buf_done(&text);
	array_free(array);
	content_close(content);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "world.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "os/file.h"
#include "report/report.h"

unsigned world_helpers;

int world_setup(void **state)
{
	struct world *w = mem_zalloc(sizeof(*w));

	strcpy(w->root, "/tmp/scan.XXXXXX");
	assert_non_null(mkdtemp(w->root));
	w->array = array_new(BLOCK, 16);
	w->config.filter = filter_new();
	w->options = (struct scan_options){ .order = SCAN_ALPHA, .diff = true, .growth_most = STRIPE_COUNT_MAX, .helpers = world_helpers };
	for (int i = 1; i <= 2; ++i) {
		char *name = mem_printf("d%d", i), *dir = mem_printf("%s/d%d/", w->root, i);

		world_dir(w, name);
		array_add_disk(w->array, name, dir)->inodes_trusted = true;
		free(name);
		free(dir);
	}
	assert_true(array_map_disks(w->array));
	*state = w;
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

int world_teardown(void **state)
{
	struct world *w = *state;

	scan_free(w->scan);
	array_free(w->array);
	filter_free(w->config.filter);
	free(w->log);
	free(w->text);
	nftw(w->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(w);
	return 0;
}

const char *world_path(struct world *w, const char *path)
{
	static char text[8][8192];
	static unsigned at;
	char *out = text[at++ % 8];

	snprintf(out, sizeof(text[0]), "%s/%s", w->root, path);
	return out;
}

static void make_parents(struct world *w, const char *path)
{
	char *full = mem_strdup(world_path(w, path)), *slash = full + strlen(w->root);

	while ((slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	free(full);
}

static void write_file(struct world *w, const char *path, const void *data, size_t size)
{
	int fd;

	make_parents(w, path);
	fd = open(world_path(w, path), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(os_write_all(fd, data, size), 0);
	close(fd);
}

void world_touch(struct world *w, const char *path, int64_t sec, uint32_t nsec)
{
	struct timespec time[2] = { { .tv_sec = sec, .tv_nsec = nsec }, { .tv_sec = sec, .tv_nsec = nsec } };

	assert_int_equal(utimensat(AT_FDCWD, world_path(w, path), time, 0), 0);
}

void world_put(struct world *w, const char *path, size_t size, int64_t sec, uint32_t nsec)
{
	char *data = mem_alloc(size);

	memset(data, 'x', size);
	write_file(w, path, data, size);
	free(data);
	world_touch(w, path, sec, nsec);
}

void world_text(struct world *w, const char *path, const char *text)
{
	write_file(w, path, text, strlen(text));
	world_touch(w, path, 77, NSEC);
}

void world_move(struct world *w, const char *from, const char *to)
{
	make_parents(w, to);
	assert_int_equal(rename(world_path(w, from), world_path(w, to)), 0);
}

void world_copy(struct world *w, const char *from, const char *to)
{
	struct stat st;

	assert_int_equal(stat(world_path(w, from), &st), 0);
	world_put(w, to, (size_t)st.st_size, st.st_mtim.tv_sec, (uint32_t)st.st_mtim.tv_nsec);
}

void world_link(struct world *w, const char *old, const char *path)
{
	make_parents(w, path);
	assert_int_equal(link(world_path(w, old), world_path(w, path)), 0);
}

void world_symlink(struct world *w, const char *text, const char *path)
{
	make_parents(w, path);
	assert_int_equal(symlink(text, world_path(w, path)), 0);
}

void world_dir(struct world *w, const char *path)
{
	make_parents(w, path);
	assert_int_equal(mkdir(world_path(w, path), 0755), 0);
}

void world_remove(struct world *w, const char *path)
{
	assert_int_equal(remove(world_path(w, path)), 0);
}

void world_trust(struct world *w, bool trusted)
{
	for (unsigned i = 0; i < w->array->disk_count; ++i)
		w->array->disk[i]->inodes_trusted = trusted;
}

/* Screen and log of one piece of work go to files; the log is kept. */
static void say_begin(struct world *w)
{
	struct report_options options = { .verbosity = -9, .log = world_path(w, "log") };

	assert_int_equal(report_open(&options), 0);
}

static void say_end(struct world *w)
{
	struct buf log = { 0 };

	report_close();
	assert_int_equal(os_read_file(world_path(w, "log"), 1 << 24, &log), 0);
	free(w->log);
	w->log = log.data != NULL ? log.data : mem_strdup("");
}

bool world_scan(struct world *w)
{
	scan_free(w->scan);
	say_begin(w);
	w->scan = scan_disks(w->array, &w->config, &w->options);
	if (w->scan != NULL)
		scan_report_summary(w->scan, w->options.diff);
	say_end(w);
	return w->scan != NULL;
}

int world_prove(struct world *w)
{
	int rc;

	say_begin(w);
	rc = scan_prove(w->scan);
	say_end(w);
	return rc;
}

const char *world_items(struct world *w)
{
	struct buf items = { 0 };

	assert_true(world_scan(w));
	buf_str(&items, "");
	for (const char *line = w->log; *line != '\0'; line = strchr(line, '\n') + 1)
		if (strncmp(line, "scan:", 5) == 0)
			buf_add(&items, line + 5, (size_t)(strchr(line, '\n') - line) - 4);
	free(w->text);
	return w->text = items.data;
}

bool world_said(const struct world *w, const char *part)
{
	return strstr(w->log, part) != NULL;
}

void world_scan_and_apply(struct world *w)
{
	assert_true(world_scan(w));
	scan_apply(w->scan, w->array);
	scan_free(w->scan);
	w->scan = NULL;
}

void world_sync(struct world *w)
{
	world_scan_and_apply(w);
	for (unsigned i = 0; i < w->array->disk_count; ++i) {
		struct extent_map *map = w->array->disk[i]->map;

		extent_forget_deleted_run(map, 0, extent_map_end(map));
		for (stripe_t at = 0; at < extent_map_end(map); ++at) {
			uint8_t hash[16] = { 1, (uint8_t)i, (uint8_t)at, (uint8_t)(at >> 8) };

			if (extent_at(map, at) == NULL)
				continue;
			extent_set(map, at, BLOCK_BLK, hash);
			info_set(w->array->info, at, &(struct info){ .time = 800 });
		}
	}
	w->array->changed = false;
}

struct file *world_file(struct world *w, const char *path)
{
	for (unsigned i = 0; i < w->array->disk_count; ++i) {
		struct disk *disk = w->array->disk[i];
		size_t size = strlen(disk->name);

		if (strncmp(path, disk->name, size) != 0 || path[size] != '/')
			continue;
		for (struct tommy_node *n = tommy_list_head(&disk->files); n != NULL; n = n->next)
			if (strcmp(((struct file *)n->data)->path, path + size + 1) == 0)
				return n->data;
	}
	return NULL;
}

const char *world_layout(struct world *w, unsigned disk)
{
	static const char letter[] = { '-', 'b', 'g', 'p', 'o' };
	const struct extent_map *map = w->array->disk[disk]->map;
	struct buf out = { 0 };

	buf_str(&out, "");
	for (stripe_t at = 0, end; at < extent_map_end(map); at = end) {
		const struct extent *first = extent_at(map, at), *e;

		end = at + 1;
		if (first == NULL)
			continue;
		while ((e = extent_at(map, end)) != NULL && e->file == first->file && e->state == first->state)
			end++;
		buf_printf(&out, "%s%s@%llu+%llu:%c", out.size > 0 ? " " : "",
			   first->file != NULL ? first->file->path : "", (unsigned long long)at,
			   (unsigned long long)(end - at), letter[first->state]);
	}
	free(w->text);
	return w->text = out.data;
}

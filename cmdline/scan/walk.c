/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of one disk, depth first. behaviour.md 3.2. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "config/config.h"
#include "config/filter.h"
#include "os/clock.h"
#include "os/dir.h"
#include "os/file.h"
#include "scan/ahead.h"
#include "scan/tree.h"

struct walk {
	struct tree *tree;
	int root_fd;
	struct ahead *ahead;
	uint64_t device;
	struct buf path;		/* of the entry or directory at hand; "" is the root */
	struct string_table {
		const char **path;
		size_t count, room;
	} own;				/* own files on this disk */
	bool holds_own;			/* one of them was met in the directory at hand */
	bool tells_excluded;
};

void tree_note(struct tree *tree, const struct note *note)
{
	mem_grow(&tree->note, tree->note_count, &tree->note_room, sizeof(*tree->note));
	tree->note[tree->note_count++] = *note;
}

static void walk_note(struct walk *walk, enum event event, const char *text, int error)
{
	struct arena *arena = walk->tree->arena;

	tree_note(walk->tree, &(struct note){ .event = event, .error = error,
					      .path = arena_strdup(arena, walk->path.data),
					      .text = text != NULL ? arena_strdup(arena, text) : NULL });
}

static int walk_fail(struct walk *walk, enum event event)
{
	walk_note(walk, event, NULL, errno);
	return -1;
}

static void walk_cut(struct walk *walk, size_t size)
{
	walk->path.size = size;
	walk->path.data[size] = '\0';
}

static void walk_enter(struct walk *walk, const char *name)
{
	if (walk->path.size > 0)
		buf_char(&walk->path, '/');
	buf_str(&walk->path, name);
}

/* Names that fix gives to files it is writing; what is left of them is of no use to anyone. Earlier versions had half
 * of the digits. */
static bool is_restore_name(const char *name)
{
	static const char head[] = ".snapraid-", tail[] = ".tmp";
	size_t digits;

	if (strncmp(name, head, strlen(head)) != 0)
		return false;
	name += strlen(head);
	digits = strspn(name, "0123456789abcdefABCDEF");
	return (digits == 16 || digits == 8) && strcmp(name + digits, tail) == 0;
}

static bool is_own_file(const struct walk *walk)
{
	for (size_t i = 0; i < walk->own.count; ++i)
		if (strcmp(walk->own.path[i], walk->path.data) == 0)
			return true;
	return false;
}

/* Do the filters want the file or directory at hand? If not, `*rule` tells why, NULL: no rule includes it. */
static bool rules_want(const struct walk *walk, const struct ignore_stack *ignore, bool is_dir, const char **rule)
{
	const struct filter *filter = walk->tree->config->filter;
	const char *path = walk->path.data;
	bool wanted = is_dir ? filter_wants_dir(filter, path, rule) : filter_wants_file(filter, path, rule);

	if (!wanted || !ignore_stack_excludes(ignore, path, is_dir))
		return wanted;
	*rule = IGNORE_NAME;
	return false;
}

static bool walk_wants(struct walk *walk, const struct ignore_stack *ignore, bool is_dir)
{
	const char *rule = NULL;
	bool wanted = rules_want(walk, ignore, is_dir, &rule);

	if (!wanted && walk->tells_excluded)
		walk_note(walk, is_dir ? EV_SCAN_EXCLUDED_DIR : EV_SCAN_EXCLUDED,
			  rule != NULL ? rule : "nothing includes it", 0);
	return wanted;
}

static struct found *found_add(struct walk *walk, enum found_kind kind)
{
	struct tree *tree = walk->tree;
	struct found *found;

	mem_grow(&tree->found, tree->count, &tree->room, sizeof(*tree->found));
	found = &tree->found[tree->count++];
	*found = (struct found){ .path = arena_strdup(tree->arena, walk->path.data), .kind = kind };
	return found;
}

static struct status status_of(const struct os_entry *entry)
{
	return (struct status){
		.mode = entry->mode, .uid = entry->uid, .gid = entry->gid, .link_count = (uint32_t)entry->link_count,
		.ctime_sec = entry->ctime_sec, .ctime_nsec = entry->ctime_nsec, .is_short = entry->is_short,
	};
}

static void found_add_file(struct walk *walk, const struct os_entry *entry)
{
	struct found *found = found_add(walk, FOUND_FILE);

	found->stamp = (struct stamp){ entry->size, entry->mtime_sec, entry->mtime_nsec };
	found->inode = entry->inode;
	found->shared = entry->link_count > 1;
	found->status = status_of(entry);
}

static int found_add_symlink(struct walk *walk, const struct os_entry *entry)
{
	struct found *found;
	const char *text = os_read_link(walk->root_fd, walk->path.data, walk->tree->arena);

	if (text == NULL)
		return errno == ENOENT ? 0 : walk_fail(walk, EV_SCAN_STAT);
	found = found_add(walk, FOUND_SYMLINK);
	found->target = text;
	found->stamp = (struct stamp){ entry->size, entry->mtime_sec, entry->mtime_nsec };
	found->status = status_of(entry);
	return 0;
}

/* The directory at hand. The root has no time: our own files may be in it. */
static void dir_add(struct walk *walk, const struct os_entry *entry, const struct buf *xattrs)
{
	struct tree *tree = walk->tree;
	struct found_dir *dir;

	if (!tree->options->keep_metadata)
		return;
	mem_grow(&tree->dir, tree->dir_count, &tree->dir_room, sizeof(*tree->dir));
	dir = &tree->dir[tree->dir_count++];
	*dir = (struct found_dir){ .path = arena_strdup(tree->arena, walk->path.data), .status = status_of(entry),
				   .has_time = walk->path.size > 0, .mtime_sec = entry->mtime_sec,
				   .mtime_nsec = entry->mtime_nsec };
	status_take(&dir->status, xattrs, tree->arena);
}

static bool is_hidden(const struct walk *walk, const struct os_entry *entry)
{
	return entry->name[0] == '.' && walk->tree->config->no_hidden;
}

static int walk_dir(struct walk *walk, const struct os_entry *self, const struct ignore_stack *above);

static int walk_entry(struct walk *walk, const struct ignore_stack *ignore, const struct os_entry *entry)
{
	if (is_hidden(walk, entry))
		return 0;
	walk_enter(walk, entry->name);
	if (walk->path.size > PATH_BYTES_MAX) {
		walk_note(walk, EV_SCAN_TOO_LONG, NULL, ENAMETOOLONG);
		return 0;
	}
	if (entry->kind == OS_FILE && is_restore_name(entry->name)) {
		walk_note(walk, EV_SCAN_UNFINISHED, NULL, 0);
		return 0;
	}
	if (entry->kind == OS_FILE && is_own_file(walk)) {
		walk->holds_own = true;
		return 0;
	}
	if (!walk_wants(walk, ignore, entry->kind == OS_DIR))
		return 0;
	switch (entry->kind) {
	case OS_FILE:
		found_add_file(walk, entry);
		return 0;
	case OS_SYMLINK:
		return found_add_symlink(walk, entry);
	case OS_DIR:
		if (entry->device == walk->device)
			return walk_dir(walk, entry, ignore);
		walk_note(walk, EV_SCAN_MOUNT_POINT, NULL, 0);
		return 0;
	case OS_SPECIAL:
		walk_note(walk, EV_SCAN_SPECIAL, NULL, 0);
		return 0;
	}
	return 0;
}

static int compare_name(const void *a, const void *b)
{
	return strcmp(((const struct os_entry *)a)->name, ((const struct os_entry *)b)->name);
}

/* Take the directory at hand, its entries in the order of the walk. 1: it vanished. */
static int walk_list(struct walk *walk, const struct os_entry *self, const struct listing *listing)
{
	if (listing->bad != NULL) {
		walk_enter(walk, listing->bad);
		errno = listing->error;
		return walk_fail(walk, EV_SCAN_STAT);
	}
	if (listing->error == ENOENT && walk->path.size > 0)
		return 1;
	if (listing->error != 0) {
		errno = listing->error;
		return walk_fail(walk, walk->path.size > 0 ? EV_SCAN_DIR : EV_SCAN_ROOT);
	}
	dir_add(walk, self, &listing->xattrs);
	if (walk->tree->options->order == SCAN_ALPHA && listing->count > 0)
		qsort(listing->entry, listing->count, sizeof(*listing->entry), compare_name);
	return 0;
}

/* The rules that begin in the directory at hand, if it has any: then `*ignore` is the `own` stack. */
static int walk_rules(struct walk *walk, const struct os_entry *entry, size_t count,
		      const struct ignore_stack **ignore, struct ignore_stack *own)
{
	size_t size = walk->path.size;
	int rc = 0;

	for (size_t i = 0; i < count && *ignore != own; ++i) {
		if (entry[i].kind != OS_FILE || strcmp(entry[i].name, IGNORE_NAME) != 0)
			continue;
		walk_enter(walk, IGNORE_NAME);
		rc = ignore_push(own, *ignore, walk->tree, walk->root_fd, walk->path.data);
		walk_cut(walk, size);
		if (rc < 0)
			break;
		*ignore = own;
	}
	return rc;
}

/* Tell the helpers where the walk will go from the directory at hand: from behind, as the last one told comes first. */
static void walk_tell(struct walk *walk, const struct listing *listing, const struct ignore_stack *ignore)
{
	size_t size = walk->path.size;

	if (walk->tree->helpers == 0)
		return;
	for (size_t i = listing->count; i-- > 0;) {
		const struct os_entry *entry = &listing->entry[i];
		const char *rule;

		if (entry->kind != OS_DIR || entry->device != walk->device || is_hidden(walk, entry))
			continue;
		walk_enter(walk, entry->name);
		if (walk->path.size <= PATH_BYTES_MAX && rules_want(walk, ignore, true, &rule))
			ahead_tell(walk->ahead, walk->path.data);
		walk_cut(walk, size);
	}
}

static int walk_dir(struct walk *walk, const struct os_entry *self, const struct ignore_stack *above)
{
	struct listing *listing = ahead_take(walk->ahead, walk->path.data);
	const struct os_entry *entry = listing->entry;
	size_t count = listing->count;
	struct ignore_stack own = { 0 };
	const struct ignore_stack *ignore = above;
	size_t size = walk->path.size, before = walk->tree->count, index = walk->tree->dir_count;
	int rc = walk_list(walk, self, listing);

	if (rc == 0)
		rc = walk_rules(walk, entry, count, &ignore, &own);
	else if (rc > 0)
		goto vanished;
	if (rc == 0)
		walk_tell(walk, listing, ignore);
	for (size_t i = 0; rc == 0 && i < count; ++i) {
		walk->holds_own = false;
		rc = walk_entry(walk, ignore, &entry[i]);
		if (walk->holds_own && entry[i].kind == OS_FILE && index < walk->tree->dir_count)
			walk->tree->dir[index].has_time = false;
		if (rc == 0)
			walk_cut(walk, size);
	}
	/* The root is always there, so it is not recorded. */
	if (rc == 0 && walk->tree->count == before && size > 0)
		found_add(walk, FOUND_DIR);
vanished:
	ignore_free(own.rules);
	listing_free(listing);
	return rc < 0 ? -1 : 0;
}

/* The directory, and the directory of the file, as the file system has them: the configuration may name them by
 * links or from the working directory. The result is the caller's. */
static char *real_file_path(const char *path)
{
	char *parent = path_parent(path), *real = realpath(*parent == '\0' ? "." : parent, NULL);
	char *joined = real != NULL ? path_join(real, path_name(path)) : mem_strdup(path);

	free(parent);
	free(real);
	return joined;
}

static char *real_dir_path(const char *dir)
{
	char *real = realpath(dir, NULL), *slashed = path_with_slash(real != NULL ? real : dir);

	free(real);
	return slashed;
}

/* Paths below the disk of the files that are ours, and of their companions. */
static void walk_own_files(struct walk *walk)
{
	const struct tree *tree = walk->tree;
	char *dir = real_dir_path(tree->disk->dir);
	size_t dir_size = strlen(dir);
	struct string_table *own = &walk->own;

	for (unsigned i = 0; i < tree->options->own_count; ++i) {
		char *path = real_file_path(tree->options->own_file[i]);

		for (size_t s = 0; strncmp(path, dir, dir_size) == 0 && s < CONTENT_SUFFIX_COUNT; ++s) {
			mem_grow(&own->path, own->count, &own->room, sizeof(*own->path));
			own->path[own->count++] = path_add_suffix(path + dir_size, content_suffix[s]);
		}
		free(path);
	}
	free(dir);
}

static void walk_done(struct walk *walk)
{
	for (size_t i = 0; i < walk->own.count; ++i)
		free((void *)walk->own.path[i]);
	free(walk->own.path);
	buf_done(&walk->path);
	os_close(walk->root_fd);
}

void tree_walk(struct tree *tree)
{
	enum scan_order order = tree->options->order;
	struct walk walk = { .tree = tree, .tells_excluded = report_verbose() || report_has_log() };
	uint64_t begin = os_monotonic_ms();
	struct stat st;

	buf_str(&walk.path, "");
	walk_own_files(&walk);
	walk.root_fd = os_open_dir(tree->disk->dir);
	if (walk.root_fd < 0 || os_stat_beneath(walk.root_fd, ".", &st) < 0) {
		tree->failed = true;
		walk_fail(&walk, EV_SCAN_ROOT);
	} else {
		const struct os_entry root = { .mode = st.st_mode & 07777, .uid = st.st_uid, .gid = st.st_gid };

		walk.device = st.st_dev;
		walk.ahead = ahead_begin(&(struct ahead_options){
			.root_fd = walk.root_fd,
			.by_inode = order == SCAN_PHYSICAL || order == SCAN_INODE,
			.xattrs = tree->options->keep_metadata,
			.helpers = tree->helpers,
		});
		tree->failed = walk_dir(&walk, &root, NULL) < 0;
		ahead_end(walk.ahead);
	}
	walk_done(&walk);
	tree->elapsed_ms = os_monotonic_ms() - begin;
}

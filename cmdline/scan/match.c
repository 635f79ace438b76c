/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of a disk against what is recorded of it. behaviour.md 3.3.
 *
 * A file is recognised first by its inode, then by its path; where inodes are not to be trusted by its path, then by
 * inode and time together. All inodes are looked at before any path: so 'mv log log.1' with a new log in its place is
 * a move and an addition, in whatever order the two are met. Only where both tell of a file of that size and time, and
 * of two, it is the path.
 *
 * Most files are met unchanged and in the order in which they are recorded, so the next recorded one is looked at before
 * any table. Tables cost more than the comparison: each is made when first asked, and of a disk where nothing changed
 * none. */
#include <stdlib.h>
#include <string.h>

#include "scan/tree.h"
#include "tommyds/tommytable.h"

struct index {
	struct tommy_table table;
	bool made;
};

struct match {
	struct tree *tree;
	const struct tommy_node *next;	/* the file recorded behind the one that was met last; NULL: none */
	struct found **left;		/* all but the files that are unchanged */
	size_t left_count, left_room;
	struct index inode, path, link, dir;
};

typedef uint64_t hash_fn(const void *object);

static uint64_t hash_text(const char *text)
{
	return tommy_hash_bytes(text, strlen(text));
}

static uint64_t hash_file_path(const void *file)
{
	return hash_text(((const struct file *)file)->path);
}

static uint64_t hash_link_path(const void *link)
{
	return hash_text(((const struct link *)link)->path);
}

static uint64_t hash_dir_path(const void *dir)
{
	return hash_text(((const struct dir *)dir)->path);
}

static int is_inode(const void *inode, const void *file)
{
	return *(const uint64_t *)inode != ((const struct file *)file)->inode;
}

static int is_file_path(const void *path, const void *file)
{
	return strcmp(path, ((const struct file *)file)->path);
}

static int is_link_path(const void *path, const void *link)
{
	return strcmp(path, ((const struct link *)link)->path);
}

static int is_dir_path(const void *path, const void *dir)
{
	return strcmp(path, ((const struct dir *)dir)->path);
}

static void index_make(struct index *index, const struct tommy_list *list, hash_fn *hash)
{
	tommy_table_reserve(&index->table, tommy_list_count(list));
	for (const struct tommy_node *i = tommy_list_head(list); i != NULL; i = i->next)
		tommy_table_insert(&index->table, i->data, hash(i->data));
	index->made = true;
}

/* Not those without an inode, and of equal ones the first: a thousand of them would make a thousand steps of each search. */
static void index_inodes(struct index *index, const struct tommy_list *files)
{
	tommy_table_reserve(&index->table, tommy_list_count(files));
	for (const struct tommy_node *i = tommy_list_head(files); i != NULL; i = i->next) {
		struct file *file = i->data;
		uint64_t hash = tommy_hash_u64(file->inode);

		if (file->inode != 0 && tommy_table_search(&index->table, is_inode, &file->inode, hash) == NULL)
			tommy_table_insert(&index->table, file, hash);
	}
	index->made = true;
}

static struct file *search_inode(struct match *match, uint64_t inode)
{
	if (inode == 0)
		return NULL;
	if (!match->inode.made)
		index_inodes(&match->inode, &match->tree->disk->files);
	return tommy_table_search(&match->inode.table, is_inode, &inode, tommy_hash_u64(inode));
}

/* The recorded file of that inode; NULL if there is none, or if inodes of this disk mean nothing. */
static struct file *file_of_inode(struct match *match, uint64_t inode)
{
	return match->tree->disk->inodes_trusted ? search_inode(match, inode) : NULL;
}

static struct file *file_of_path(struct match *match, const char *path)
{
	if (!match->path.made)
		index_make(&match->path, &match->tree->disk->files, hash_file_path);
	return tommy_table_search(&match->path.table, is_file_path, path, hash_text(path));
}

static struct link *link_of_path(struct match *match, const char *path)
{
	if (!match->link.made)
		index_make(&match->link, &match->tree->disk->links, hash_link_path);
	return tommy_table_search(&match->link.table, is_link_path, path, hash_text(path));
}

static struct dir *dir_of_path(struct match *match, const char *path)
{
	if (!match->dir.made)
		index_make(&match->dir, &match->tree->disk->dirs, hash_dir_path);
	return tommy_table_search(&match->dir.table, is_dir_path, path, hash_text(path));
}

/* Nanoseconds that were not known when recorded may be any. */
static bool stamp_fits(const struct stamp *recorded, const struct stamp *now)
{
	return recorded->size == now->size && recorded->mtime_sec == now->mtime_sec &&
	       (recorded->mtime_nsec == now->mtime_nsec || recorded->mtime_nsec == NSEC_UNKNOWN);
}

static void found_keeps(struct found *found, struct file *file, enum found_as as)
{
	found->as = as;
	found->was.file = file;
	found->suspect = file->suspect;
	file->mark = FATE_KEPT;
}

/* The recorded file that a recorded hard link among these paths stands for, if it looks the same now: a link
 * is as good a witness as the path of the file. */
static struct file *file_of_links(struct match *match, struct found *const *same, size_t count)
{
	for (size_t i = 0; i < count; ++i) {
		const struct link *link = link_of_path(match, same[i]->path);
		struct file *file = link != NULL && link->hard ? file_of_path(match, link->target) : NULL;

		if (file != NULL && file->mark == FATE_GONE && stamp_fits(&file->stamp, &same[i]->stamp))
			return file;
	}
	return NULL;
}

/* Of the paths of one inode, which is the file? The one that was it before, so that links stay what they
 * are. If that path is gone, one that was no link: the others then stay links. */
static struct found *choose_file(struct match *match, struct found *const *same, size_t count)
{
	struct file *file = file_of_inode(match, same[0]->inode);

	if (file != NULL)
		for (size_t i = 0; i < count; ++i)
			if (strcmp(file->path, same[i]->path) == 0)
				return same[i];
	for (size_t i = 0; i < count; ++i)
		if (file_of_path(match, same[i]->path) != NULL)
			return same[i];
	for (size_t i = 0; i < count; ++i)
		if (link_of_path(match, same[i]->path) == NULL)
			return same[i];
	return same[0];
}

static void match_shared(struct match *match, struct found *const *same, size_t count)
{
	struct found *first = choose_file(match, same, count);

	if (file_of_inode(match, first->inode) == NULL && file_of_path(match, first->path) == NULL) {
		struct file *file = file_of_links(match, same, count);

		if (file != NULL)
			found_keeps(first, file, AS_MOVED);
	}
	for (size_t i = 0; i < count; ++i) {
		if (same[i] == first)
			continue;
		same[i]->kind = FOUND_HARDLINK;
		same[i]->same_as = first;
		same[i]->target = first->path;
	}
}

/* By inode, then in the order of the walk. */
static int compare_shared(const void *a, const void *b)
{
	const struct found *x = *(struct found *const *)a, *y = *(struct found *const *)b;

	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Find the paths that share an inode: one of them is a file, the others hard links to it. */
static void match_hard_links(struct match *match)
{
	struct tree *tree = match->tree;
	struct found **shared = NULL;
	size_t count = 0, room = 0, end;

	for (size_t i = 0; i < tree->count; ++i) {
		if (!tree->found[i].shared)
			continue;
		mem_grow(&shared, count, &room, sizeof(*shared));
		shared[count++] = &tree->found[i];
	}
	if (count > 0)
		qsort(shared, count, sizeof(*shared), compare_shared);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && shared[end]->inode == shared[i]->inode; ++end)
			;
		if (end - i > 1)
			match_shared(match, shared + i, end - i);
	}
	free(shared);
}

/* Is nothing of the file other than recorded, as far as that can be told without its data? */
static bool is_unchanged(const struct match *match, const struct file *file, const struct found *found)
{
	return file->mark == FATE_GONE && stamp_fits(&file->stamp, &found->stamp) &&
	       (!match->tree->disk->inodes_trusted || file->inode == found->inode) && strcmp(file->path, found->path) == 0;
}

/* The recorded file that was met unchanged; NULL: it was not. */
static struct file *unchanged_file(struct match *match, const struct found *found)
{
	struct file *file = match->next != NULL ? match->next->data : NULL;

	if (file != NULL && is_unchanged(match, file, found))
		return file;
	file = match->tree->disk->inodes_trusted ? search_inode(match, found->inode) : file_of_path(match, found->path);
	return file != NULL && is_unchanged(match, file, found) ? file : NULL;
}

/* The files that are as recorded; what else there is, is left for the steps that look closer. */
static void match_unchanged(struct match *match)
{
	struct tree *tree = match->tree;

	match->next = tommy_list_head(&tree->disk->files);
	for (struct found *found = tree->found; found < tree->found + tree->count; ++found) {
		struct file *file = NULL;

		if (found->kind == FOUND_FILE && found->as == AS_ADDED)
			file = unchanged_file(match, found);
		if (file != NULL) {
			found_keeps(found, file, AS_EQUAL);
			match->next = file->node.next;
		} else {
			mem_grow(&match->left, match->left_count, &match->left_room, sizeof(*match->left));
			match->left[match->left_count++] = found;
		}
	}
}

/* The file of that size and time that is recorded with this path, unless it was found elsewhere. */
static struct file *gone_from_path(struct match *match, const struct found *found)
{
	struct file *file = file_of_path(match, found->path);

	return file != NULL && file->mark == FATE_GONE && stamp_fits(&file->stamp, &found->stamp) ? file : NULL;
}

/* Where inode and path tell of two files of one size and time: of many such files that were lost, each may have been
 * restored in the inode that was another one's. It is the one of the path, and the sync looks at the data of both. */
static void match_inode(struct match *match, struct found *found)
{
	struct file *file = file_of_inode(match, found->inode), *other;

	if (file == NULL || file->mark != FATE_GONE || !stamp_fits(&file->stamp, &found->stamp))
		return;
	other = gone_from_path(match, found);
	if (other == NULL)
		found_keeps(found, file, AS_MOVED);
	else
		file->suspect = other->suspect = true;
}

/* Is one time the other one, as a file system or a program keeps it that has not all of the digits? */
static bool stamp_is_rounded(const struct stamp *a, const struct stamp *b)
{
	static const uint32_t unit[] = { 100, 1000, 1000000, 1000000000 };

	if (a->size != b->size || a->mtime_sec != b->mtime_sec || a->mtime_nsec == NSEC_UNKNOWN)
		return false;
	for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); ++i)
		if (a->mtime_nsec - a->mtime_nsec % unit[i] == b->mtime_nsec ||
		    b->mtime_nsec - b->mtime_nsec % unit[i] == a->mtime_nsec)
			return true;
	return false;
}

static void match_path(struct match *match, struct found *found)
{
	struct file *file = file_of_path(match, found->path);

	if (file == NULL || file->mark != FATE_GONE)
		return;
	if (stamp_fits(&file->stamp, &found->stamp)) {
		found_keeps(found, file, match->tree->disk->inodes_trusted ? AS_RESTORED : AS_EQUAL);
	} else if (stamp_is_rounded(&file->stamp, &found->stamp)) {
		/* Copied by way of one, or edited: the sync looks at the data. */
		found_keeps(found, file, AS_RESTORED);
		found->suspect = true;
		found->assumed = true;
	}
}

/* A disk without a UUID may be another one, or invent its inodes, so there an inode alone tells nothing. Together with
 * a time down to the nanosecond it tells a renamed file, whose data the sync then looks at. */
static void match_renamed(struct match *match, struct found *found)
{
	const struct disk *disk = match->tree->disk;
	struct file *file;

	if (disk->inodes_trusted || disk->replaced || found->stamp.mtime_nsec == 0 ||
	    found->stamp.mtime_nsec == NSEC_UNKNOWN)
		return;
	file = search_inode(match, found->inode);
	if (file == NULL || file->mark != FATE_GONE || !stamp_equal(&file->stamp, &found->stamp))
		return;
	found_keeps(found, file, AS_MOVED);
	found->suspect = true;
}

/* Another version of a file that was there. */
static void match_replaced(struct match *match, struct found *found)
{
	struct file *file = file_of_path(match, found->path);

	if (file == NULL || file->mark != FATE_GONE)
		return;
	found->as = AS_UPDATED;
	found->was.file = file;
	file->mark = FATE_REPLACED;
}

/* Does the link still mean the same? A hard link follows its file when that is moved. */
static bool link_is_same(const struct link *link, const struct found *found)
{
	const struct found *file = found->same_as;

	if (link->hard != (found->kind == FOUND_HARDLINK))
		return false;
	if (strcmp(link->target, found->target) == 0)
		return true;
	return link->hard && file->as == AS_MOVED && strcmp(link->target, file->was.file->path) == 0;
}

static void match_link(struct match *match, struct found *found)
{
	struct link *link = link_of_path(match, found->path);

	if (link == NULL)
		return;
	found->as = link_is_same(link, found) ? AS_EQUAL : AS_UPDATED;
	found->was.link = link;
	link->mark = FATE_KEPT;
}

static void match_dir(struct match *match, struct found *found)
{
	struct dir *dir = dir_of_path(match, found->path);

	if (dir == NULL)
		return;
	found->as = AS_EQUAL;
	found->was.dir = dir;
	dir->mark = FATE_KEPT;
}

static void set_fate(const struct disk *disk, enum fate fate)
{
	const struct tommy_node *i;

	for (i = tommy_list_head(&disk->files); i != NULL; i = i->next)
		((struct file *)i->data)->mark = fate;
	for (i = tommy_list_head(&disk->links); i != NULL; i = i->next)
		((struct link *)i->data)->mark = fate;
	for (i = tommy_list_head(&disk->dirs); i != NULL; i = i->next)
		((struct dir *)i->data)->mark = fate;
}

void tree_keep_all(struct tree *tree)
{
	set_fate(tree->disk, FATE_KEPT);
}

void tree_match(struct tree *tree)
{
	/* Each for all files before the next. Inodes again: what has the path may have been found elsewhere since. */
	static void (*const steps[])(struct match *, struct found *) = {
		match_inode, match_path, match_inode, match_renamed, match_replaced,
	};
	struct match match = { .tree = tree };

	set_fate(tree->disk, FATE_GONE);
	match_hard_links(&match);
	match_unchanged(&match);
	for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); ++s)
		for (size_t i = 0; i < match.left_count; ++i)
			if (match.left[i]->kind == FOUND_FILE && match.left[i]->as == AS_ADDED)
				steps[s](&match, match.left[i]);
	for (size_t i = 0; i < match.left_count; ++i)
		if (match.left[i]->kind == FOUND_SYMLINK || match.left[i]->kind == FOUND_HARDLINK)
			match_link(&match, match.left[i]);
		else if (match.left[i]->kind == FOUND_DIR)
			match_dir(&match, match.left[i]);
	free(match.left);
	tommy_table_done(&match.inode.table);
	tommy_table_done(&match.path.table);
	tommy_table_done(&match.link.table);
	tommy_table_done(&match.dir.table);
}

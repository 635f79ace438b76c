/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/attr.h"
#include "os/file.h"
#include "os/thread.h"

/* What waits for the walk takes memory, some 150 bytes an entry. Only the directories that it comes to next are read, and
 * none while so many entries wait. */
#define NEXT_MAX	32
#define ENTRIES_MAX	65536

/* A directory that the walk will come to. */
struct coming {
	struct coming *next;		/* the one after it */
	char *path;
	enum { COMING_UNREAD, COMING_BEING_READ, COMING_READ } state;
	struct listing *listing;	/* COMING_READ */
};

struct ahead {
	struct ahead_options options;
	thread_t *helper;
	mutex_t lock;			/* of all below */
	cond_t changed;
	struct coming *first;
	size_t entries;			/* read, and not taken */
	bool ending;
};

/* Opened from the root of the disk: a tree can be deeper than a process may have open files. */
static struct listing *listing_read(const struct ahead_options *options, const char *path)
{
	struct listing *listing = mem_zalloc(sizeof(*listing));
	int fd;

	listing->arena = arena_new();
	if (os_dir_read(options->root_fd, path[0] != '\0' ? path : ".", options->by_inode, listing->arena, &fd,
			&listing->entry, &listing->count, &listing->bad) < 0) {
		listing->error = errno;
		return listing;
	}
	if (options->xattrs && os_xattrs_get(fd, &listing->xattrs) < 0)
		buf_clear(&listing->xattrs);
	os_close(fd);
	return listing;
}

void listing_free(struct listing *listing)
{
	if (listing == NULL)
		return;
	arena_free(listing->arena);
	buf_done(&listing->xattrs);
	free(listing);
}

/* The directory that a helper reads next; NULL: there is none now. */
static struct coming *next_unread(const struct ahead *ahead)
{
	struct coming *coming = ahead->entries < ENTRIES_MAX ? ahead->first : NULL;

	for (unsigned i = 0; coming != NULL && i < NEXT_MAX; ++i, coming = coming->next)
		if (coming->state == COMING_UNREAD)
			return coming;
	return NULL;
}

/* Read it, without the lock meanwhile. */
static void read_coming(struct ahead *ahead, struct coming *coming)
{
	coming->state = COMING_BEING_READ;
	mutex_unlock(&ahead->lock);
	coming->listing = listing_read(&ahead->options, coming->path);
	mutex_lock(&ahead->lock);
	coming->state = COMING_READ;
	ahead->entries += coming->listing->count;
	cond_broadcast(&ahead->changed);
}

/* Read one, or wait for any change. */
static void read_or_wait(struct ahead *ahead)
{
	struct coming *coming = next_unread(ahead);

	if (coming != NULL)
		read_coming(ahead, coming);
	else
		cond_wait(&ahead->changed, &ahead->lock);
}

static void *help(void *argument)
{
	struct ahead *ahead = argument;

	mutex_lock(&ahead->lock);
	while (!ahead->ending)
		read_or_wait(ahead);
	mutex_unlock(&ahead->lock);
	return NULL;
}

struct ahead *ahead_begin(const struct ahead_options *options)
{
	struct ahead *ahead = mem_zalloc(sizeof(*ahead));

	ahead->options = *options;
	mutex_init(&ahead->lock);
	cond_init(&ahead->changed);
	ahead->helper = mem_alloc(options->helpers * sizeof(*ahead->helper));
	for (unsigned i = 0; i < options->helpers; ++i)
		thread_start(&ahead->helper[i], help, ahead);
	return ahead;
}

static void coming_free(struct coming *coming)
{
	free(coming->path);
	free(coming);
}

void ahead_end(struct ahead *ahead)
{
	mutex_lock(&ahead->lock);
	ahead->ending = true;
	cond_broadcast(&ahead->changed);
	mutex_unlock(&ahead->lock);
	for (unsigned i = 0; i < ahead->options.helpers; ++i)
		thread_join(ahead->helper[i]);
	while (ahead->first != NULL) {
		struct coming *coming = ahead->first;

		ahead->first = coming->next;
		listing_free(coming->listing);
		coming_free(coming);
	}
	cond_done(&ahead->changed);
	mutex_done(&ahead->lock);
	free(ahead->helper);
	free(ahead);
}

void ahead_tell(struct ahead *ahead, const char *path)
{
	struct coming *coming = mem_zalloc(sizeof(*coming));

	coming->path = mem_strdup(path);
	mutex_lock(&ahead->lock);
	coming->next = ahead->first;
	ahead->first = coming;
	cond_broadcast(&ahead->changed);
	mutex_unlock(&ahead->lock);
}

/* Take the first one off the list. While a helper reads it, the walk reads another one. */
static struct listing *take_first(struct ahead *ahead)
{
	struct coming *coming = ahead->first;
	struct listing *listing;

	if (coming->state == COMING_UNREAD)
		read_coming(ahead, coming);
	while (coming->state != COMING_READ)
		read_or_wait(ahead);
	ahead->first = coming->next;
	listing = coming->listing;
	ahead->entries -= listing->count;
	cond_broadcast(&ahead->changed);
	coming_free(coming);
	return listing;
}

struct listing *ahead_take(struct ahead *ahead, const char *path)
{
	struct listing *listing = NULL;

	mutex_lock(&ahead->lock);
	if (ahead->first != NULL && strcmp(ahead->first->path, path) == 0)
		listing = take_first(ahead);
	mutex_unlock(&ahead->lock);
	/* Or nobody was told: it is the root, or there are no helpers. */
	return listing != NULL ? listing : listing_read(&ahead->options, path);
}

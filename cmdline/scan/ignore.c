/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "config/filter.h"
#include "os/file.h"
#include "scan/tree.h"

#define IGNORE_BYTES_MAX	((size_t)1 << 20)

struct bad_line {
	struct tree *tree;
	const char *path;
};

static void note_bad_line(void *argument, unsigned line, const char *pattern)
{
	const struct bad_line *bad = argument;
	struct arena *arena = bad->tree->arena;

	tree_note(bad->tree, &(struct note){ .event = EV_SCAN_IGNORE_LINE, .line = line,
					     .path = arena_strdup(arena, bad->path),
					     .text = arena_strdup(arena, pattern) });
}

/* The whole file, malloc; NULL with errno. */
static char *ignore_read(int root_fd, const char *path, size_t *size)
{
	int fd = os_open_beneath(root_fd, path, O_RDONLY | O_NONBLOCK, 0);
	struct stat st;
	char *text = NULL;
	ssize_t got;

	if (fd < 0 || fstat(fd, &st) < 0)
		goto fail;
	if (st.st_size > (off_t)IGNORE_BYTES_MAX) {
		errno = EFBIG;
		goto fail;
	}
	text = mem_alloc((size_t)st.st_size);
	got = os_pread_all(fd, text, (size_t)st.st_size, 0);
	if (got < 0)
		goto fail;
	os_close(fd);
	*size = (size_t)got;
	return text;
fail:
	os_close(fd);
	free(text);
	return NULL;
}

int ignore_push(struct ignore_stack *stack, const struct ignore_stack *above, struct tree *tree, int root_fd,
		const char *path)
{
	struct bad_line bad = { tree, path };
	size_t size;
	char *text = ignore_read(root_fd, path, &size);

	if (text == NULL) {
		/* Without its rules, what the user wants out would come into the array. */
		tree_note(tree, &(struct note){ .event = EV_SCAN_IGNORE_READ, .error = errno,
						.path = arena_strdup(tree->arena, path) });
		return -1;
	}
	stack->rules = ignore_parse(text, size, note_bad_line, &bad);
	stack->prefix = strlen(path) - strlen(IGNORE_NAME);
	stack->above = above;
	free(text);
	return 0;
}

bool ignore_stack_excludes(const struct ignore_stack *stack, const char *path, bool is_dir)
{
	for (; stack != NULL; stack = stack->above)
		if (ignore_excludes(stack->rules, path + stack->prefix, is_dir))
			return true;
	return false;
}

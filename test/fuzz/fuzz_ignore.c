/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes up to a NUL as a .snapraidignore, read as a scan reads it; the rest are paths to be matched. */
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "config/filter.h"
#include "config/glob.h"
#include "fuzz.h"
#include "os/file.h"
#include "scan/tree.h"

#define PATHS_MAX	20

/* A path in which every byte is escaped is a pattern of itself, and of no other path. */
static void check_itself(const char *path)
{
	struct buf pattern = { 0 }, other = { 0 };
	struct glob *glob;

	buf_char(&pattern, '/');
	for (const char *at = path; *at != '\0'; ++at) {
		if (*at != '/')
			buf_char(&pattern, '\\');
		buf_char(&pattern, *at);
	}
	buf_str(&other, path);
	buf_char(&other, 'x');
	glob = glob_compile(pattern.data, GLOB_PATTERN, NULL);
	PROMISED(glob != NULL && glob_match(glob, path, false) && !glob_match(glob, path, true) &&
		 !glob_match(glob, other.data, false));
	glob_free(glob);
	buf_done(&pattern);
	buf_done(&other);
}

/* A pattern of names alone, without brackets, in which libc has no say of its own. */
static bool is_plain(const char *pattern)
{
	return pattern[0] != '\0' && strpbrk(pattern, "[]\\/") == NULL && strspn(pattern, ".") < strlen(pattern);
}

/* What libc says of a plain pattern, and our own of the pattern as a rule and as a name. */
static void check_pattern(const char *pattern, const char *path)
{
	struct glob *glob = glob_compile(pattern, GLOB_PATTERN, NULL);
	struct filter *filter = filter_new();

	if (is_plain(pattern))
		PROMISED(glob != NULL &&
			 glob_match(glob, path, false) == (fnmatch(pattern, path_name(path), FNM_NOESCAPE) == 0));
	PROMISED(filter_add(filter, false, pattern) == (glob != NULL));
	if (glob != NULL) {
		PROMISED(filter_wants_file(filter, path, NULL) != glob_match(glob, path, false));
		PROMISED(filter_wants_dir(filter, path, NULL) != glob_match(glob, path, true));
	}
	filter_glob_name(pattern, path_name(path));
	filter_free(filter);
	glob_free(glob);
}

static void match(const struct ignore_stack *stack, const char *first, const char *path)
{
	if (!path_is_safe(path, strlen(path)))
		return;
	ignore_stack_excludes(stack, path, false);
	ignore_stack_excludes(stack, path, true);
	check_itself(path);
	check_pattern(first, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1), *end = text + size, *line, *paths;
	struct tree tree = { .arena = arena_new() };
	struct ignore_stack stack = { .rules = NULL };
	int root_fd;
	size_t rules;

	fuzz_begin();
	if (size > 0)
		memcpy(text, data, size);
	*end = '\0';
	rules = strlen(text);
	free(fuzz_file(IGNORE_NAME, text, rules));
	root_fd = open(fuzz_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ignore_push(&stack, NULL, &tree, root_fd, IGNORE_NAME) == 0) {
		line = mem_printf("%.*s", (int)strcspn(text, "\n"), text);
		paths = text + rules + 1;
		for (unsigned i = 0; paths < end && i < PATHS_MAX; ++i, paths += strlen(paths) + 1)
			match(&stack, line, paths);
		free(line);
	}
	ignore_free(stack.rules);
	os_close(root_fd);
	free(tree.note);
	arena_free(tree.arena);
	free(text);
	return 0;
}

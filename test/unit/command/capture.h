/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command prints and logs, and an array to run it on. For one test program each. */
#ifndef TEST_COMMAND_CAPTURE_H
#define TEST_COMMAND_CAPTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "command/command.h"

static char capture_dir[] = "/tmp/snapraid-unit-XXXXXX";
static char *capture_out;	/* of the last run */
static char *capture_log;	/* likewise; each tag is between two line ends */
static int save_count;

/* Stands for the one of command/session.c: no content file is needed here. */
int session_save(struct session *session)
{
	session->array->changed = false;
	save_count++;
	return 0;
}

static int capture_setup(void **state)
{
	(void)state;
	return mkdtemp(capture_dir) == NULL ? -1 : chdir(capture_dir);
}

static int capture_teardown(void **state)
{
	char *command = mem_printf("rm -rf %s", capture_dir);
	int rc = chdir("/") | system(command);

	(void)state;
	free(command);
	free(capture_out);
	free(capture_log);
	return rc;
}

static inline char *read_whole(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = mem_zalloc(1 << 16);

	assert_non_null(file);
	assert_true(fread(text, 1, (1 << 16) - 1, file) < (1 << 16) - 1);
	fclose(file);
	return text;
}

/* Run, and keep what it says. Returns the exit status. */
static inline int capture(int (*run)(struct session *), struct session *session, int verbosity)
{
	int keep = dup(STDOUT_FILENO);
	char *log;
	int status;

	free(capture_out);
	free(capture_log);
	fflush(stdout);
	assert_non_null(freopen("out", "w", stdout));
	assert_int_equal(report_open(&(struct report_options){ .verbosity = verbosity, .log = "log" }), 0);
	save_count = 0;
	status = run(session);
	report_close();
	fflush(stdout);
	dup2(keep, STDOUT_FILENO);
	close(keep);
	capture_out = read_whole("out");
	log = read_whole("log");
	capture_log = mem_printf("\n%s", log);
	free(log);
	return status;
}

static inline struct file *put_file(struct disk *disk, const char *path, const struct stamp *stamp, stripe_t at,
				    stripe_t count, enum block_state state, const uint8_t *hash)
{
	struct file *file = disk_add_file(disk, path, stamp, 7);

	if (count > 0)
		assert_non_null(extent_insert(disk->map, file, 0, at, count, state, (uint8_t *)(uintptr_t)hash, false));
	return file;
}

#endif

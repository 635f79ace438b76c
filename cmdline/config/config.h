/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user asked for in the configuration file. Made once, then const. interface.md 2.
 *
 * Strings are owned by the configuration, never NULL unless said. Directories end in exactly one slash. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "base/types.h"

struct filter;

struct config_disk {
	char *name;
	char *dir;		/* with final slash */
	char *smartctl;		/* options, NULL: none */
	unsigned line;
};

struct config_level {
	char *path[SPLIT_MAX];
	unsigned split_count;	/* 0: not configured */
	char *smartctl;
	unsigned line;
};

struct smart_ignore {
	char *name;		/* a disk or level name, or "*" */
	uint8_t id[4];		/* 0: the attribute of that word, as smartctl calls it */
	char *word[4];
	unsigned count;
};

/* A number of files at which a sync stops. */
struct threshold {
	bool given;
	bool percent;		/* `at` is per cent of the files and links recorded */
	uint64_t at;
};

/* A content file, "", and what we write beside it. */
#define CONTENT_SUFFIX_COUNT 6
extern const char *const content_suffix[CONTENT_SUFFIX_COUNT];

struct config {
	char *path;		/* of the configuration file */
	struct config_disk *disk;	/* in the order of the file */
	unsigned disk_count;
	struct config_disk *extra;
	unsigned extra_count;
	struct config_level level[LEVEL_MAX];
	unsigned level_count;
	bool z_parity;		/* the third level is Vandermonde's */
	char **content;
	unsigned content_count;
	uint32_t block_size;	/* bytes */
	bool block_size_given;
	unsigned hash_size;	/* bytes of a stored digest */
	bool hash_size_given;
	uint64_t autosave_bytes;	/* 0: off */
	struct threshold removed, updated;	/* of one run of sync */
	char *pool, *share;	/* NULL: none */
	unsigned pool_line;
	bool no_hidden;
	bool keep_metadata;	/* complete restores */
	struct filter *filter;	/* include and exclude rules, in order */
	struct smart_ignore *smart_ignore;
	unsigned smart_ignore_count;
	unsigned temp_limit;	/* degrees, 0: none */
	unsigned temp_sleep_minutes;
	bool snapshot;
};

/* Read and check `path` (NULL: the default one). Everything that the file alone can tell is checked;
 * directories and devices are not touched. NULL: a message with the line and what to do was given. */
struct config *config_load(const char *path);
void config_free(struct config *config);		/* NULL is fine */

/* "parity", "2-parity", ... ; the third level is "3-parity" or "z-parity". */
const char *config_level_name(const struct config *config, level_t level);

#endif

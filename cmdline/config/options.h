/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: one option table gives parsing, refusals and usage text. interface.md 1. */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

#include "base/types.h"

enum scrub_plan { PLAN_DEFAULT, PLAN_PERCENT, PLAN_BAD, PLAN_NEW, PLAN_FULL, PLAN_EVEN, PLAN_COUNT };

enum file_order { ORDER_PHYSICAL, ORDER_INODE, ORDER_ALPHA, ORDER_DIR };

struct string_list {
	const char **text;
	unsigned count;
};

struct options {
	const char *command;
	const char *conf;		/* NULL: the default file */
	const char *log;		/* NULL: none */
	int verbosity;			/* -v minus -q */

	/* which files and disks: check, fix; the disks of up and down too */
	struct string_list filter, filter_disk;
	bool missing, error, block_error;	/* -m -e -b */
	const char *import, *import_content;	/* -i, --test-import-content */
	const char *to;			/* --to; NULL: where it was */
	stripe_t start, count;		/* -S -B; count 0: to the end */

	/* scrub */
	enum scrub_plan plan;
	double percent;			/* PLAN_PERCENT */
	uint64_t plan_count;		/* PLAN_COUNT: --test-force-scrub-at */
	int older_than_days;		/* -1: default */

	/* forces */
	bool force_zero, force_empty, force_uuid, force_device, force_nocopy, force_full, force_realloc;
	bool force_threshold;
	uint64_t realloc_tail_bytes;	/* -W; 0: not given */
	bool audit_only, pre_hash, accept_changed, meta_only;
	uint64_t error_limit;		/* -L, default 100; 0: none */
	uint64_t bandwidth;		/* -w bytes per second; 0: none */
	uint64_t tail_bytes;		/* -t */
	bool stats, spin_down_on_error, no_warnings;
	bool gui, gui_verbose, gui_rescan_after, gui_touch_before;
	bool threshold_removes_given, threshold_updates_given;
	uint64_t threshold_removes, threshold_updates;
	const char *gen_conf;		/* -C */
	bool speed_test;		/* -T */
	unsigned speed_period_ms, speed_disks, speed_block_kib;
	bool json;			/* --json: on stdout */
	const char *raid_kernel, *hash_kernel;	/* NULL: chosen */

	/* interface.md 1.5, first group */
	struct {
		bool skip_device, skip_self, skip_lock, fake_uuid, match_first_uuid, fake_device;
		bool skip_multi_scan, kill_before_sync, kill_after_sync, force_progress;
		bool force_autosave_given, force_murmur3, force_spooky2, force_content_write;
		bool force_parity_update;
		bool expect_unrecoverable, expect_recoverable, expect_failure, expect_need_sync;
		bool skip_parity_access, skip_disk_access, skip_content_write;
		stripe_t force_autosave_at;
		uint64_t parity_limit;	/* 0: none */
		stripe_t checkpoint_every;	/* stripes; 0: by time */
		unsigned io_cache;	/* 0: automatic */
		enum file_order order;
		const char *run;	/* --test-run CMD */
	} test;
	char fmt;			/* --test-fmt: an enum report_names */
};

enum options_result {
	OPTIONS_RUN,		/* go on with options->command */
	OPTIONS_DONE,		/* -H or -V was answered: exit 0 */
	OPTIONS_BAD,		/* said on stderr: exit 1 */
};

/* Parse, and refuse what interface.md 1.1 and 1.4 refuse, but what needs the configuration or the content. */
enum options_result options_parse(int argc, char *argv[], struct options *options);
void options_done(struct options *options);

/* A command as options know it: name, which options it refuses. `command/command.c` has the rest. */
bool options_command_exists(const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/survey.h"

#include <stdlib.h>

#include "base/mem.h"
#include "command/space.h"

struct scan *survey(struct session *session, bool diff)
{
	const struct config *config = session->config;
	const struct options *options = session->options;
	static const enum scan_order order[] = {
		[ORDER_PHYSICAL] = SCAN_PHYSICAL,
		[ORDER_INODE] = SCAN_INODE,
		[ORDER_ALPHA] = SCAN_ALPHA,
		[ORDER_DIR] = SCAN_DIR,
	};
	struct scan_options how = {
		.order = order[options->test.order],
		.nocopy = options->force_nocopy,
		.one_by_one = options->test.skip_multi_scan,
		.diff = diff,
		.report_equal = options->gui_verbose,
		.keep_metadata = session->array->keep_metadata,
		.skip_access = options->test.skip_disk_access,
		.growth_most = space_growth_most(session),
		.own_file = (const char *const *)config->content,
		.own_count = config->content_count,
	};

	return scan_disks(session->array, config, &how);
}

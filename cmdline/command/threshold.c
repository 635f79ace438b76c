/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/threshold.h"

static const struct scan_limit_events stop = {
	EV_THRESHOLD_STOP, EV_SCAN_EXAMPLE_STOP, EV_SCAN_MORE_STOP,
};

static const struct scan_limit_events gui_stop = {
	EV_THRESHOLD_GUI, EV_SCAN_EXAMPLE_STOP, EV_SCAN_MORE_STOP,
};

static const struct scan_limit_events warning = {
	EV_THRESHOLD_WARN, EV_SCAN_EXAMPLE_WARN, EV_SCAN_MORE_WARN,
};

bool threshold_stops(const struct session *session, const struct scan *scan)
{
	const struct config *config = session->config;
	const struct options *options = session->options;
	struct threshold removes = { options->threshold_removes_given, false, options->threshold_removes };
	struct threshold updates = { options->threshold_updates_given, false, options->threshold_updates };
	bool removed, updated;

	if (scan_reaches(scan, SCAN_REMOVED, &removes, &gui_stop) || scan_reaches(scan, SCAN_UPDATED, &updates, &gui_stop))
		return true;
	if (options->force_threshold)
		return false;
	/* Who lets it through should know of both. */
	removed = scan_reaches(scan, SCAN_REMOVED, &config->removed, &stop);
	updated = scan_reaches(scan, SCAN_UPDATED, &config->updated, &stop);
	return removed || updated;
}

void threshold_warn(const struct session *session, const struct scan *scan)
{
	scan_reaches(scan, SCAN_REMOVED, &session->config->removed, &warning);
	scan_reaches(scan, SCAN_UPDATED, &session->config->updated, &warning);
}

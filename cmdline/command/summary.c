/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/summary.h"

#include <stdlib.h>

#include "os/signal.h"

static void advise(const struct session *session, bool sync)
{
	const struct error_counts *errors = &session->errors;

	/* What is left out was told before the sync began, and another one does not help. */
	if (errors->soft > session->left_out) {
		report(EV_ADVICE_SOFT);
		if (sync)
			report(EV_ADVICE_SOFT_SYNC);
	}
	if (errors->io > 0)
		report(EV_ADVICE_IO);
	if (errors->data > 0)
		report(EV_ADVICE_DATA);
	if (errors->io > 0 || errors->data > 0) {
		report(EV_ADVICE_LIST);
		report(EV_ADVICE_FIX);
		report(EV_ADVICE_RECHECK);
	}
}

int summary_end(struct session *session, stripe_t processed, bool sync)
{
	const struct error_counts *errors = &session->errors;
	bool hard = errors->io > 0 || errors->data > 0, any = hard || errors->soft > 0;

	if (any) {
		report(EV_TOTAL_BLANK);
		report(EV_TOTAL_FILE, errors->soft);
		report(EV_TOTAL_SOFT, errors->soft);
		report(EV_TOTAL_IO, errors->io);
		report(EV_TOTAL_DATA, errors->data);
		advise(session, sync);
	} else {
		if (processed == 0)
			report(EV_NOTHING_TO_DO);
		report(EV_EVERYTHING_OK);
	}
	report(EV_SUMMARY_ERROR_FILE, errors->soft);
	report(EV_SUMMARY_ERROR_SOFT, errors->soft);
	report(EV_SUMMARY_ERROR_IO, errors->io);
	report(EV_SUMMARY_ERROR_DATA, errors->data);
	report(EV_SUMMARY_EXIT, hard ? "error" : any ? "warning" : "ok");
	return any ? EXIT_FAILURE : EXIT_SUCCESS;
}

int summary_interrupted(void)
{
	int signal = os_stop_signal();

	return signal != 0 ? 128 + signal : EXIT_FAILURE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process: options, log, configuration, one command, exit status. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/command.h"
#include "command/own.h"
#include "command/speed.h"
#include "config/config.h"
#include "config/options.h"
#include "os/clock.h"
#include "os/signal.h"
#include "os/term.h"
#include "report/report.h"

static void log_start(const struct options *options, int argc, char *argv[])
{
	time_t now = time(NULL);
	struct tm tm;

	if (!report_has_log())
		return;
	localtime_r(&now, &tm);
	report(EV_VERSION, PACKAGE_VERSION);
	report(EV_UNIXTIME, (int64_t)now);
	report(EV_TIME, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	report(EV_COMMAND, options->command);
	for (int i = 0; i < argc; ++i)
		report(EV_ARGV, i, argv[i]);
}

/* --test-expect-...: harnesses turn the outcome around. */
static int expected(const struct options *options, const struct session *session, int status)
{
	bool unrecoverable = session->errors.unrecoverable > 0;

	if (options->test.expect_unrecoverable)
		return unrecoverable ? EXIT_SUCCESS : EXIT_FAILURE;
	if (options->test.expect_recoverable)
		return status != EXIT_SUCCESS && !unrecoverable ? EXIT_SUCCESS : EXIT_FAILURE;
	if (options->test.expect_failure)
		return status != EXIT_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
	if (options->test.expect_need_sync)
		return status == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
	return status;
}

static int run_command(const struct options *options, const struct config *config)
{
	const struct command *command = command_find(options->command);
	struct session session;
	int status = EXIT_FAILURE;

	if (session_open(&session, config, options, command->needs) == 0)
		status = command->run(&session);
	status = expected(options, &session, status);
	report(EV_MEMORY, os_memory_bytes());
	session_close(&session);
	return status;
}

/* -s: what failed waits for a person, and the disks need not spin until then. */
static int run_and_rest(const struct options *options, const struct config *config)
{
	int status = run_command(options, config);
	struct options rest = *options;

	if (status != EXIT_SUCCESS && options->spin_down_on_error) {
		rest.command = "down";
		rest.filter_disk.count = 0;
		run_command(&rest, config);
	}
	return status;
}

/* Begin the log if that destroys nothing. false: its file is one of the array; said. */
static bool log_begin_safely(const struct options *options, const struct config *config)
{
	const char *what;
	struct stat st;

	if (!report_log_stat(&st)) {
		report_log_begin();
		return true;
	}
	what = config == NULL ? NULL : own_file(config, &st);
	if (what != NULL) {
		report(EV_LOG_OWN, options->log, what);
		return false;
	}
	if (config != NULL || report_log_may_replace())
		report_log_begin();
	else
		report(EV_LOG_OTHER, options->log);
	return true;
}

/* An answer that could not be written is none. What was done to the array is done, whether it could be told or not. */
static int answered(const struct options *options, int status)
{
	const struct command *command = options->command == NULL ? NULL : command_find(options->command);
	int error = report_lost();

	if (error == 0)
		return status;
	if (error != EPIPE)	/* a reader that went away has seen enough */
		report(EV_OUTPUT_LOST, strerror(error));
	return status > 128 || (command != NULL && !command->answers) ? status : EXIT_FAILURE;
}

/* The directory of a disk of the configuration. */
static const char *dir_of(const void *argument, const char *disk)
{
	const struct config *config = argument;

	for (unsigned d = 0; d < config->disk_count; ++d)
		if (strcmp(config->disk[d].name, disk) == 0)
			return config->disk[d].dir;
	return NULL;
}

int main(int argc, char *argv[])
{
	struct options options;
	struct config *config = NULL;
	int status = EXIT_FAILURE;

	os_streams_secure();
	switch (options_parse(argc, argv, &options)) {
	case OPTIONS_DONE:
		status = EXIT_SUCCESS;
		goto out;
	case OPTIONS_BAD:
		goto out;
	case OPTIONS_RUN:
		break;
	}
	struct report_options how = {
		/* What -C says is to become a configuration: its steps are not told among it. */
		.verbosity = options.verbosity - (options.gen_conf != NULL ? 2 : 0),
		.log = options.log,
		.gui = options.gui,
		.json = options.json && !options.speed_test,
		.log_waits = true,
	};
	if (report_open(&how) < 0)
		goto out;
	if (options.gen_conf != NULL) {
		log_begin_safely(&options, NULL);
		status = command_gen_conf(options.gen_conf);
		goto out;
	}
	if (kernels_force(&options) < 0)
		goto out;
	if (options.speed_test) {
		log_begin_safely(&options, NULL);
		status = command_speed(&options);
		goto out;
	}
	log_start(&options, argc, argv);
	config = config_load(options.conf);
	if (log_begin_safely(&options, config) && config != NULL) {
		report_name_files((enum report_names)options.fmt, dir_of, config);
		status = run_and_rest(&options, config);
	}
out:
	status = answered(&options, status);
	report_close();
	config_free(config);
	options_done(&options);
	if (status > 128)
		os_die_by(status - 128);
	return status;
}

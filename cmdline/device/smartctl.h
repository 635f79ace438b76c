/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of smartctl, of the smartmontools. Each has a time limit, as smartctl waits for the disk, and a disk
 * that fails may not answer. All but the waking of SMARTCTL_SLEEP are refused by a sleeping disk's power mode
 * (-n standby), so that it sleeps on. Thread safe. */
#ifndef DEVICE_SMARTCTL_H
#define DEVICE_SMARTCTL_H

#include "base/buf.h"
#include "device/device.h"
#include "os/proc.h"

enum smartctl_call {
	SMARTCTL_ALL,		/* all there is to know */
	SMARTCTL_INFO,		/* what it is, and if it is awake */
	SMARTCTL_TEMPERATURE,
	SMARTCTL_SLEEP,		/* stop spinning */
};

/* The exit status that is asked for if the disk sleeps: bits 0 and 1 together never happen otherwise, as the
 * one says that nothing was tried. */
#define SMARTCTL_ASLEEP	3

/* Bits of the exit status of smartctl. */
enum smartctl_bit {
	SMARTCTL_USAGE = 1,		/* the command line, or the kind of device is not known */
	SMARTCTL_OPEN = 2,		/* the device cannot be opened, or does not tell what it is */
	SMARTCTL_COMMAND = 4,		/* some command failed, or a checksum is wrong */
	SMARTCTL_FAILING = 8,		/* the disk says that it is failing */
	SMARTCTL_PREFAIL = 16,		/* an attribute is at its threshold */
	SMARTCTL_PREFAIL_PAST = 32,	/* it once was */
	SMARTCTL_ERROR_LOG = 64,	/* the error log has errors */
	SMARTCTL_SELFTEST_LOG = 128,	/* the self-test log has errors */
};

#define SMARTCTL_LIMIT_MS	30000

struct smartctl_reply {
	struct os_proc_result result;
	struct buf out;		/* JSON */
	char *command;		/* as it was run, for people */
};

/* `limit_ms`: 0 for SMARTCTL_LIMIT_MS. smartctl_reply_done releases what is in `reply`. */
void smartctl_run(const struct device *device, enum smartctl_call call, unsigned limit_ms,
		  struct smartctl_reply *reply);
void smartctl_reply_done(struct smartctl_reply *reply);
/* In the log, for each use of the device; the output too with -v, or if there was no good end. Coordinator. */
void smartctl_log(const struct device *device, const char *name, const struct smartctl_reply *reply);
/* Why there is no answer, in words, as "cannot be run: ..."; NULL: there is one. Into `text`. */
const char *smartctl_failure(const struct smartctl_reply *reply, char *text, size_t size);

#endif

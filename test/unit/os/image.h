/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real file system in a file of the scratch directory, mounted through a loop device at "mnt". Its device
 * node has a blank in its name. */
#ifndef UNIT_OS_IMAGE_H
#define UNIT_OS_IMAGE_H

#include <linux/loop.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

#include "os/file.h"
#include "test/unit/os/scratch.h"

struct image {
	const char *kind, *make, *uuid, *label;
	unsigned mib;
};

/* false: not root, or this system lacks something for it. */
static inline bool image_mount(const struct image *image)
{
	char device[32], node[128], command[512];
	int file, control, loop, number;
	struct stat st;

	snprintf(command, sizeof(command), "truncate -s %uM image && %s image >/dev/null 2>&1", image->mib,
		 image->make);
	if (geteuid() != 0 || system(command) != 0)
		return false;
	control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	os_close(control);
	if (number < 0)
		return false;
	snprintf(device, sizeof(device), "/dev/loop%d", number);
	loop = open(device, O_RDWR | O_CLOEXEC);
	file = open("image", O_RDWR | O_CLOEXEC);
	if (loop >= 0 && ioctl(loop, LOOP_SET_FD, file) == 0) {
		const struct loop_info64 info = { .lo_flags = LO_FLAGS_AUTOCLEAR };

		ioctl(loop, LOOP_SET_STATUS64, &info);
		fstat(loop, &st);
		snprintf(node, sizeof(node), "%s/a node", scratch_path);
		mkdir("mnt", 0755);
		number = mknod(node, S_IFBLK | 0600, st.st_rdev);
		number = number < 0 ? -1 : mount(node, "mnt", image->kind, 0, NULL);
	} else {
		number = -1;
	}
	os_close(file);
	os_close(loop);
	return number == 0;
}

#endif

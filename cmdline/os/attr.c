/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/attr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"

#define LIST_BYTES	65536	/* XATTR_LIST_MAX */
#define ACL_PREFIX	"system.posix_acl_"
#define ACL_ACCESS	"system.posix_acl_access"
#define ACL_DEFAULT	"system.posix_acl_default"

/* A signature that the kernel binds to the inode would be wrong on another file; ACLs have these names, too, on XFS
 * alone. */
static bool is_left_out(const char *name)
{
	return strcmp(name, "security.evm") == 0 || strncmp(name, "trusted.SGI_ACL_", 16) == 0;
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a list of the OS, sorted; malloc. */
static const char **sort_names(const char *list, size_t size, size_t *count)
{
	const char **name = NULL;
	size_t room = 0;

	*count = 0;
	for (const char *at = list; at < list + size; at += strlen(at) + 1) {
		if (is_left_out(at))
			continue;
		mem_grow(&name, *count, &room, sizeof(*name));
		name[(*count)++] = at;
	}
	if (*count > 0)
		qsort(name, *count, sizeof(*name), compare_text);
	return name;
}

static int read_values(int fd, const char *list, size_t size, struct buf *set)
{
	size_t count;
	const char **name = sort_names(list, size, &count);
	uint8_t *value = mem_alloc(XATTR_BYTES_MAX);
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++) {
		ssize_t got = fgetxattr(fd, name[i], value, XATTR_BYTES_MAX);

		if (got >= 0)
			xattrs_add(set, &(struct xattr){ name[i], value, (uint32_t)got });
		else if (errno != ENODATA)	/* removed meanwhile */
			rc = -1;
	}
	free(value);
	free(name);
	return rc;
}

int os_xattrs_get(int fd, struct buf *set)
{
	char few[1024], *list = few;
	ssize_t size = flistxattr(fd, few, sizeof(few));
	int rc = -1;

	buf_clear(set);
	if (size < 0 && errno == ERANGE) {
		list = mem_alloc(LIST_BYTES);
		size = flistxattr(fd, list, LIST_BYTES);
	}
	if (size == 0 || (size < 0 && (errno == ENOTSUP || errno == ENOSYS)))
		rc = 0;
	else if (size > 0)
		rc = read_values(fd, list, (size_t)size, set);
	if (list != few)
		free(list);
	return rc;
}

bool os_has_holes(int fd, uint64_t size)
{
	off_t hole = lseek(fd, 0, SEEK_HOLE);

	return hole >= 0 && (uint64_t)hole < size;
}

int os_punch(int fd, uint64_t offset, uint64_t size)
{
	int rc;

	do
		rc = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size);
	while (rc < 0 && errno == EINTR);
	return rc;
}

/* Note what could not be set. */
static unsigned unset(unsigned what, int *error)
{
	if (*error == 0)
		*error = errno;
	return what;
}

/* With the owner that is there nothing is asked for, so that no right is needed. */
static unsigned set_owner(int fd, struct stat *st, const struct os_attr *attr, int *error)
{
	if (st->st_uid == attr->uid && st->st_gid == attr->gid)
		return 0;
	if (fchown(fd, attr->uid, attr->gid) == 0)
		return 0;
	unset(0, error);
	/* A group may be given without being root. */
	if (st->st_gid != attr->gid && fchown(fd, (uid_t)-1, attr->gid) == 0 && st->st_uid == attr->uid)
		return 0;
	return UNSET_OWNER;
}

/* An ACL that came with the directory it was made in gives rights to others. */
static void drop_acl(int fd, const struct os_attr *attr, const char *name)
{
	struct xattr xattr;

	if (!xattrs_find(attr->xattrs, attr->xattr_bytes, name, &xattr))
		fremovexattr(fd, name);
}

static bool has_value(int fd, const struct xattr *xattr)
{
	uint8_t *value = mem_alloc(XATTR_BYTES_MAX);
	ssize_t got = fgetxattr(fd, xattr->name, value, XATTR_BYTES_MAX);
	bool same = got == (ssize_t)xattr->size && memcmp(value, xattr->value, xattr->size) == 0;

	free(value);
	return same;
}

static unsigned set_xattrs(int fd, const struct os_attr *attr, int *error)
{
	struct cursor at = { .at = attr->xattrs, .end = attr->xattrs + attr->xattr_bytes };
	struct xattr xattr;
	unsigned left = 0;

	while (xattrs_next(&at, &xattr)) {
		bool is_acl = strncmp(xattr.name, ACL_PREFIX, strlen(ACL_PREFIX)) == 0;

		if (has_value(fd, &xattr) || fsetxattr(fd, xattr.name, xattr.value, xattr.size, 0) == 0)
			continue;
		left |= unset(is_acl ? UNSET_ACL : UNSET_XATTR, error);
	}
	return left;
}

unsigned os_attr_set(int fd, const struct os_attr *attr, int *error)
{
	mode_t mode = attr->mode & 07777;
	struct stat st;
	unsigned left;

	*error = 0;
	if (fstat(fd, &st) < 0)
		return unset(UNSET_MODE, error);
	/* The owner first: its change takes away capabilities and bits of the mode. The mode last: an ACL sets some. */
	left = set_owner(fd, &st, attr, error);
	if ((left & UNSET_OWNER) && !S_ISDIR(st.st_mode))
		mode &= ~(mode_t)06000;
	drop_acl(fd, attr, ACL_ACCESS);
	if (S_ISDIR(st.st_mode))
		drop_acl(fd, attr, ACL_DEFAULT);
	left |= set_xattrs(fd, attr, error);
	/* With an ACL these bits are the most that anyone in it may have; without it they would be the group's. */
	if (left & UNSET_ACL)
		mode &= ~(mode_t)0070;
	if (fchmod(fd, mode) < 0)
		left |= unset(UNSET_MODE, error);
	return left;
}

int os_link_owner(int dir_fd, const char *name, uint32_t uid, uint32_t gid)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (st.st_uid == uid && st.st_gid == gid)
		return 0;
	return fchownat(dir_fd, name, uid, gid, AT_SYMLINK_NOFOLLOW);
}

int os_link_time(int dir_fd, const char *name, int64_t sec, uint32_t nsec)
{
	const struct timespec time = { (time_t)sec, (long)nsec }, both[2] = { time, time };

	return utimensat(dir_fd, name, both, AT_SYMLINK_NOFOLLOW);
}

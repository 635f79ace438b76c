/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "os/file.h"
#include "test/unit/os/scratch.h"

#define DEEP 300

static void make_tree(void)
{
	make_dir("a");
	make_dir("a/b");
	make_file("a/b/file", "inside");
	make_file(".hidden", "hidden");
	make_file("name\nwith\xff", "odd");
	make_dir("outside");
	make_file("outside/secret", "secret");
	assert_int_equal(symlink("a", "link-to-dir"), 0);
	assert_int_equal(symlink("b/file", "a/link-to-file"), 0);
	assert_int_equal(symlink("../outside", "a/link-out"), 0);
	assert_int_equal(symlink("/", "a/link-root"), 0);
	assert_int_equal(symlink("nowhere", "dangling"), 0);
}

static void expect_text(int root, const char *path, const char *text)
{
	char found[64] = "";
	int fd = os_open_beneath(root, path, O_RDONLY, 0);

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(errno));
	assert_int_equal(os_pread_all(fd, found, sizeof(found) - 1, 0), strlen(text));
	assert_string_equal(found, text);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	os_close(fd);
}

static void expect_refusal(int root, const char *path, int flags, int error)
{
	int fd = os_open_beneath(root, path, flags, 0644);

	if (fd >= 0)
		fail_msg("%s was opened", path);
	if (errno != error)
		fail_msg("%s: %s", path, strerror(errno));
}

static void opens_what_is_below_and_no_link(void **state)
{
	char long_name[256], too_long[300];
	int root;

	(void)state;
	make_tree();
	root = open_here();
	memset(long_name, 'n', 255);
	long_name[255] = '\0';
	memset(too_long, 'n', 256);
	strcpy(too_long + 256, "/file");
	make_file(long_name, "long");

	expect_text(root, "a/b/file", "inside");
	expect_text(root, ".hidden", "hidden");
	expect_text(root, "name\nwith\xff", "odd");
	expect_text(root, long_name, "long");

	expect_refusal(root, "a/link-to-file", O_RDONLY, ELOOP);
	expect_refusal(root, "a/link-to-file", O_WRONLY, ELOOP);
	expect_refusal(root, "dangling", O_RDONLY, ELOOP);
	expect_refusal(root, "link-to-dir", O_RDONLY | O_DIRECTORY, ELOOP);
	expect_refusal(root, "link-to-dir/b/file", O_RDONLY, ELOOP);
	expect_refusal(root, "a/link-out/secret", O_RDONLY, ELOOP);
	expect_refusal(root, "a/link-root/etc/passwd", O_RDONLY, ELOOP);
	expect_refusal(root, "../etc/passwd", O_RDONLY, EXDEV);
	expect_refusal(root, "a/../../x", O_RDONLY, EXDEV);
	expect_refusal(root, "/etc/passwd", O_RDONLY, EXDEV);
	expect_refusal(root, "a/missing", O_RDONLY, ENOENT);
	expect_refusal(root, "missing/file", O_RDONLY, ENOENT);
	expect_refusal(root, ".hidden/x", O_RDONLY, ENOTDIR);
	expect_refusal(root, ".hidden", O_RDONLY | O_DIRECTORY, ENOTDIR);
	expect_refusal(root, too_long, O_RDONLY, ENAMETOOLONG);
	too_long[256] = '\0';
	expect_refusal(root, too_long, O_RDONLY, ENAMETOOLONG);
	os_close(root);
}

static void the_root_itself_can_be_opened(void **state)
{
	struct stat a, b, c;
	int root = open_here(), fd = os_open_beneath(root, ".", O_RDONLY | O_DIRECTORY, 0);

	(void)state;
	assert_int_equal(fstat(root, &a), 0);
	assert_int_equal(fstat(fd, &b), 0);
	assert_int_equal(os_stat_beneath(root, "", &c), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	assert_int_equal(a.st_ino, c.st_ino);
	os_close(fd);
	os_close(root);
}

static void creates_a_file_but_not_through_a_link(void **state)
{
	struct stat st;
	int root, fd;

	(void)state;
	make_tree();
	root = open_here();
	fd = os_open_beneath(root, "a/b/fresh", O_WRONLY | O_CREAT | O_EXCL, 0640);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	os_close(fd);
	expect_refusal(root, "a/b/fresh", O_WRONLY | O_CREAT | O_EXCL, EEXIST);
	expect_refusal(root, "a/link-out/fresh", O_WRONLY | O_CREAT, ELOOP);
	expect_refusal(root, "dangling", O_WRONLY | O_CREAT, ELOOP);
	assert_int_equal(access("outside/fresh", F_OK), -1);
	assert_int_equal(access("nowhere", F_OK), -1);
	os_close(root);
}

static void stat_looks_at_a_link_but_not_through_one(void **state)
{
	struct stat st;
	int root;

	(void)state;
	make_tree();
	root = open_here();
	assert_int_equal(os_stat_beneath(root, "a/b/file", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(os_stat_beneath(root, "a/link-out", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(os_stat_beneath(root, "a/link-out/secret", &st), -1);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(os_stat_beneath(root, "..", &st), -1);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(os_stat_beneath(root, "missing", &st), -1);
	assert_int_equal(errno, ENOENT);
	os_close(root);
}

static void parent_is_opened_and_made_if_asked(void **state)
{
	const char *name, *path = "new/deep/er/file";
	struct stat st, found;
	int root, fd;

	(void)state;
	make_tree();
	root = open_here();
	assert_int_equal(os_open_parent(root, path, false, &name), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(access("new", F_OK), -1);

	fd = os_open_parent(root, path, true, &name);
	assert_true(fd >= 0);
	assert_ptr_equal(name, path + strlen("new/deep/er/"));
	assert_int_equal(stat("new/deep/er", &st), 0);
	assert_int_equal(fstat(fd, &found), 0);
	assert_int_equal(st.st_ino, found.st_ino);
	assert_int_equal(st.st_mode & 0700, 0700);
	assert_int_equal(access(path, F_OK), -1);
	os_close(fd);

	fd = os_open_parent(root, "a/b/file", true, &name);
	assert_true(fd >= 0);
	assert_string_equal(name, "file");
	os_close(fd);
	fd = os_open_parent(root, "file", false, &name);
	assert_true(fd >= 0);
	assert_string_equal(name, "file");
	os_close(fd);
	fd = os_open_parent(root, "", false, &name);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &found), 0);
	assert_int_equal(stat(".", &st), 0);
	assert_int_equal(st.st_ino, found.st_ino);
	os_close(fd);

	assert_int_equal(os_open_parent(root, "a/link-out/x/y", true, &name), -1);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(os_open_parent(root, "a/new/../../../x", true, &name), -1);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(os_open_parent(root, ".hidden/x/y", true, &name), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(access("outside/x", F_OK), -1);
	assert_int_equal(access("a/new", F_OK), -1);
	os_close(root);
}

static void deep_paths_work(void **state)
{
	struct buf path = { 0 };
	const char *name;
	int root = open_here(), fd;

	(void)state;
	for (int i = 0; i < DEEP; ++i)
		buf_printf(&path, "d%d/", i);
	buf_str(&path, "file");
	fd = os_open_parent(root, path.data, true, &name);
	assert_true(fd >= 0);
	os_close(fd);
	fd = os_open_beneath(root, path.data, O_RDWR | O_CREAT, 0644);
	assert_int_equal(os_write_all(fd, "deep", 4), 0);
	os_close(fd);
	expect_text(root, path.data, "deep");
	os_close(root);
	buf_done(&path);
}

/* O_NOATIME is for owners only. */
static void a_file_of_another_owner_can_be_read(void **state)
{
	bool is_root = geteuid() == 0;
	int root = open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	(void)state;
	if (is_root)
		assert_int_equal(seteuid(65534), 0);
	fd = os_open_beneath(root, "passwd", O_RDONLY, 0);
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_true(fd >= 0);
	os_close(fd);
	os_close(root);
}

static void a_fifo_does_not_make_the_open_wait(void **state)
{
	int root = open_here(), fd;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	alarm(20);
	fd = os_open_beneath(root, "fifo", O_RDONLY, 0);
	assert_true(fd >= 0);
	alarm(0);
	os_close(fd);
	os_close(root);
}

static void own_files_are_read_without_a_new_access_time(void **state)
{
	int root = open_here(), fd;

	(void)state;
	make_file("file", "");
	fd = os_open_beneath(root, "file", O_RDONLY, 0);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NOATIME, O_NOATIME);
	os_close(fd);
	os_close(root);
}

/* Make openat2() fail with `error` in this process, as on an old kernel or in a strict sandbox. */
/* false: there are no filters of system calls here, as in qemu. */
static bool forbid_openat2(unsigned error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = 4, .filter = code };

	assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return false;
	assert_int_equal(syscall(SYS_openat2, -1, "", NULL, 0), -1);
	assert_int_equal(errno, error);
	return true;
}

static int run_all(const char *name)
{
	const struct CMUnitTest tests[] = {
		in_scratch(opens_what_is_below_and_no_link),
		in_scratch(the_root_itself_can_be_opened),
		in_scratch(creates_a_file_but_not_through_a_link),
		in_scratch(stat_looks_at_a_link_but_not_through_one),
		in_scratch(parent_is_opened_and_made_if_asked),
		in_scratch(deep_paths_work),
		cmocka_unit_test(a_file_of_another_owner_can_be_read),
		in_scratch(a_fifo_does_not_make_the_open_wait),
		in_scratch(own_files_are_read_without_a_new_access_time),
	};

	return _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof(tests[0]), NULL, NULL);
}

static int run_without_openat2(const char *name, unsigned error)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		if (forbid_openat2(error))
			exit(run_all(name));
		printf("%s: not tried, there is no seccomp here\n", name);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	return status == 0 ? 0 : 1;
}

int main(void)
{
	int failed = run_without_openat2("openat2 unknown", ENOSYS);

	failed += run_without_openat2("openat2 forbidden", EPERM);
	failed += run_all("as the kernel is");
	return failed;
}

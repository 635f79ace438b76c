noinst_LIBRARIES += cmdline/os/libos.a
cmdline_os_libos_a_SOURCES = \
	cmdline/os/attr.c cmdline/os/attr.h \
	cmdline/os/beneath.c \
	cmdline/os/block.c cmdline/os/block.h \
	cmdline/os/clock.c cmdline/os/clock.h \
	cmdline/os/dir.c cmdline/os/dir.h \
	cmdline/os/entry.c cmdline/os/entry.h \
	cmdline/os/file.c cmdline/os/file.h \
	cmdline/os/fs.c cmdline/os/fs.h \
	cmdline/os/lock.c cmdline/os/lock.h \
	cmdline/os/proc.c cmdline/os/proc.h \
	cmdline/os/signal.c cmdline/os/signal.h \
	cmdline/os/recent.h \
	cmdline/os/term.c cmdline/os/term.h \
	cmdline/os/thread.c cmdline/os/thread.h

check_PROGRAMS += \
	test/unit/os/attr \
	test/unit/os/beneath \
	test/unit/os/block \
	test/unit/os/clock \
	test/unit/os/dir \
	test/unit/os/entry \
	test/unit/os/file \
	test/unit/os/fs \
	test/unit/os/lock \
	test/unit/os/proc \
	test/unit/os/signal \
	test/unit/os/term \
	test/unit/os/thread
test_unit_os_attr_SOURCES = test/unit/os/attr.c test/unit/os/scratch.h
test_unit_os_beneath_SOURCES = test/unit/os/beneath.c test/unit/os/scratch.h
test_unit_os_block_SOURCES = test/unit/os/block.c test/unit/os/image.h test/unit/os/scratch.h
test_unit_os_clock_SOURCES = test/unit/os/clock.c
test_unit_os_dir_SOURCES = test/unit/os/dir.c test/unit/os/scratch.h
test_unit_os_entry_SOURCES = test/unit/os/entry.c
test_unit_os_file_SOURCES = test/unit/os/file.c test/unit/os/image.h test/unit/os/scratch.h
test_unit_os_fs_SOURCES = test/unit/os/fs.c test/unit/os/image.h test/unit/os/scratch.h
test_unit_os_lock_SOURCES = test/unit/os/lock.c test/unit/os/scratch.h
test_unit_os_proc_SOURCES = test/unit/os/proc.c test/unit/os/scratch.h
test_unit_os_signal_SOURCES = test/unit/os/signal.c
test_unit_os_term_SOURCES = test/unit/os/term.c
test_unit_os_thread_SOURCES = test/unit/os/thread.c

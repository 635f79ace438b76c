noinst_LIBRARIES += tommyds/libtommyds.a
tommyds_libtommyds_a_SOURCES = \
	tommyds/tommyarray.c tommyds/tommyarray.h \
	tommyds/tommyhashdyn.c tommyds/tommyhashdyn.h \
	tommyds/tommylist.c tommyds/tommylist.h \
	tommyds/tommytable.c tommyds/tommytable.h \
	tommyds/tommytree.c tommyds/tommytree.h

check_PROGRAMS += \
	test/unit/tommyds/tommyarray \
	test/unit/tommyds/tommyhashdyn \
	test/unit/tommyds/tommylist \
	test/unit/tommyds/tommytable \
	test/unit/tommyds/tommytree
test_unit_tommyds_tommyarray_SOURCES = test/unit/tommyds/tommyarray.c
test_unit_tommyds_tommyhashdyn_SOURCES = test/unit/tommyds/tommyhashdyn.c
test_unit_tommyds_tommylist_SOURCES = test/unit/tommyds/tommylist.c
test_unit_tommyds_tommytable_SOURCES = test/unit/tommyds/tommytable.c
test_unit_tommyds_tommytree_SOURCES = test/unit/tommyds/tommytree.c

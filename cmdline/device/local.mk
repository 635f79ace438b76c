noinst_LIBRARIES += cmdline/device/libdevice.a
cmdline_device_libdevice_a_SOURCES = \
	cmdline/device/device.c cmdline/device/device.h \
	cmdline/device/fake.c cmdline/device/fake.h \
	cmdline/device/heat.c cmdline/device/heat.h \
	cmdline/device/health.c cmdline/device/health.h \
	cmdline/device/smart.c cmdline/device/smart.h \
	cmdline/device/smartctl.c cmdline/device/smartctl.h \
	cmdline/device/spin.c cmdline/device/spin.h \
	cmdline/device/thermal.c cmdline/device/thermal.h

check_PROGRAMS += \
	test/unit/device/device \
	test/unit/device/heat \
	test/unit/device/health \
	test/unit/device/smart \
	test/unit/device/smartctl \
	test/unit/device/spin \
	test/unit/device/thermal
test_unit_device_device_SOURCES = test/unit/device/device.c
test_unit_device_heat_SOURCES = test/unit/device/heat.c
test_unit_device_health_SOURCES = test/unit/device/health.c
test_unit_device_smart_SOURCES = test/unit/device/smart.c test/unit/device/fake.h
test_unit_device_smartctl_SOURCES = test/unit/device/smartctl.c test/unit/device/fake.h
test_unit_device_spin_SOURCES = test/unit/device/spin.c test/unit/device/fake.h
test_unit_device_thermal_SOURCES = test/unit/device/thermal.c

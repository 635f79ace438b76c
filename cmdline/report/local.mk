noinst_LIBRARIES += cmdline/report/libreport.a
cmdline_report_libreport_a_SOURCES = \
	cmdline/report/event.def \
	cmdline/report/event_content.def \
	cmdline/report/event_device.def \
	cmdline/report/event_fix.def \
	cmdline/report/event_progress.def \
	cmdline/report/event_run.def \
	cmdline/report/event_scan.def \
	cmdline/report/event_session.def \
	cmdline/report/event_show.def \
	cmdline/report/event_start.def \
	cmdline/report/json.c \
	cmdline/report/json.h \
	cmdline/report/lanes.c \
	cmdline/report/lanes.h \
	cmdline/report/log.c \
	cmdline/report/log.h \
	cmdline/report/progress.c \
	cmdline/report/progress.h \
	cmdline/report/report.c \
	cmdline/report/report.h \
	cmdline/report/screen.c \
	cmdline/report/screen.h \
	cmdline/report/table.c \
	cmdline/report/table.h \
	cmdline/report/tag.c \
	cmdline/report/tag.h \
	cmdline/report/template.c \
	cmdline/report/template.h \
	cmdline/report/text.c \
	cmdline/report/text.h

check_PROGRAMS += \
	test/unit/report/json \
	test/unit/report/lanes \
	test/unit/report/log \
	test/unit/report/progress \
	test/unit/report/report \
	test/unit/report/screen \
	test/unit/report/table \
	test/unit/report/tag \
	test/unit/report/text
test_unit_report_json_SOURCES = test/unit/report/json.c test/unit/report/capture.h
test_unit_report_lanes_SOURCES = test/unit/report/lanes.c test/unit/report/capture.h
test_unit_report_log_SOURCES = test/unit/report/log.c
test_unit_report_progress_SOURCES = test/unit/report/progress.c test/unit/report/capture.h
test_unit_report_report_SOURCES = test/unit/report/report.c test/unit/report/capture.h
test_unit_report_screen_SOURCES = test/unit/report/screen.c test/unit/report/capture.h
test_unit_report_table_SOURCES = test/unit/report/table.c
test_unit_report_tag_SOURCES = test/unit/report/tag.c
test_unit_report_text_SOURCES = test/unit/report/text.c

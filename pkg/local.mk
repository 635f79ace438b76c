# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the program and its manual.

# Completion of the shells, written by a program from the table of options. It is built for this machine, also when
# snapraid is built for another.
completions = pkg/completion/bash/snapraid pkg/completion/_snapraid pkg/completion/snapraid.fish
generate = pkg/completion/generate

$(generate): pkg/completion/generate.c cmdline/config/option_table.c cmdline/config/option_table.h \
		cmdline/config/options.h
	$(AM_V_at)$(MKDIR_P) pkg/completion
	$(AM_V_GEN)$(CC_FOR_BUILD) -std=gnu11 -D_GNU_SOURCE -I$(top_srcdir) -I$(top_srcdir)/cmdline \
		-fno-pie -no-pie -Wl,--unresolved-symbols=ignore-all -o $@ $(top_srcdir)/pkg/completion/generate.c
pkg/completion/bash/snapraid: $(generate)
	$(AM_V_at)$(MKDIR_P) pkg/completion/bash
	$(AM_V_GEN)$(generate) bash > $@.tmp && mv $@.tmp $@
pkg/completion/_snapraid: $(generate)
	$(AM_V_GEN)$(generate) zsh > $@.tmp && mv $@.tmp $@
pkg/completion/snapraid.fish: $(generate)
	$(AM_V_GEN)$(generate) fish > $@.tmp && mv $@.tmp $@
CLEANFILES += $(completions) $(generate)
EXTRA_DIST += pkg/completion/generate.c

bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = pkg/completion/bash/snapraid
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = pkg/completion/_snapraid
fishcompletiondir = $(datadir)/fish/vendor_completions.d
fishcompletion_DATA = pkg/completion/snapraid.fish

# Units of systemd: they name the program by its path.
services = pkg/systemd/snapraid-sync.service pkg/systemd/snapraid-scrub.service
timers = pkg/systemd/snapraid-sync.timer pkg/systemd/snapraid-scrub.timer
.service.in.service:
	$(AM_V_at)$(MKDIR_P) pkg/systemd
	$(AM_V_GEN)sed 's#[@]bindir[@]#$(bindir)#' $< > $@.tmp && mv $@.tmp $@
$(services): Makefile
SUFFIXES = .service.in .service
if SYSTEMD
systemdsystemunit_DATA = $(services) $(timers)
endif
CLEANFILES += $(services)
EXTRA_DIST += $(services:=.in) $(timers)

# Of distributions.
EXTRA_DIST += pkg/logrotate pkg/rpm/snapraid-alt.spec pkg/arch/PKGBUILD debian/README.Debian debian/changelog debian/control \
	debian/copyright debian/rules debian/source/format

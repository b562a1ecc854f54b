# `make EXE=name` builds the engine and leaves it under that name, as OpenBench asks; with `EVALFILE=file` that network
# is built in, with `FEATURES=tune` every search parameter is a UCI option. `make install PREFIX=/usr/local` installs the
# engine and the board, manual pages, completions, licenses, and what xboard needs to find the engine; `make uninstall`
# removes them. Under sudo it installs what `make pages` has built. With `LICENSES=directory`, written by
# scripts/licenses.sh, it installs the notices of the linked packages. `make pgo` builds the engine guided by a profile of
# `bench`, which needs the component llvm-tools of rustup. `make check` is what to run after every change: the stages
# `format` and `lints` of `.ci/run`, and all tests in Rust, in a profile that compiles quickly and checks arithmetic.

EXE ?= castellan
FEATURES ?=
PREFIX ?= /usr/local
bindir ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
INSTALL ?= install
BUILT := target/dist/castellan
PAGES := target/share

# `rm -rf` must not get a part of a path.
ifneq ($(words $(DESTDIR)$(bindir)$(datadir)$(mandir)),1)
$(error PREFIX and DESTDIR must not contain blanks)
endif

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# Cargo runs in other directories.
ifdef EVALFILE
override EVALFILE := $(abspath $(EVALFILE))
export EVALFILE
endif

.PHONY: all build pgo programs pages check pictures install uninstall
all: build
	cp $(BUILT)$(SUFFIX) $(EXE)$(SUFFIX)

# The last command fails if the network cannot be used.
build:
	cargo build --profile dist --locked --package castellan --target-dir target $(if $(FEATURES),--features $(FEATURES))
	$(BUILT)$(SUFFIX) eval > /dev/null

PROFILE := target/profile
# Cargo runs in other directories; unlike RUSTFLAGS, this may contain blanks.
PROFILED = CARGO_ENCODED_RUSTFLAGS="-Cprofile-$(1)=$(CURDIR)/$(PROFILE)$(2)" \
	cargo build --profile dist --locked --package castellan --target-dir target/pgo
PROFDATA = $(firstword $(shell find $$(rustc --print sysroot) -name llvm-profdata$(SUFFIX)) llvm-profdata)

pgo:
	rm -rf $(PROFILE)
	$(call PROFILED,generate)
	target/pgo/dist/castellan$(SUFFIX) bench > /dev/null
	$(PROFDATA) merge --output $(PROFILE)/bench.profdata $(PROFILE)
	$(call PROFILED,use,/bench.profdata)
	cp target/pgo/dist/castellan$(SUFFIX) $(EXE)$(SUFFIX)

programs: build
	cargo build --profile dist --locked --package board --target-dir target

pages: $(if $(SUDO_USER),,programs)
	rm -rf $(PAGES) && mkdir -p $(PAGES)/man
	$(BUILT) man --all $(PAGES)/man
	$(BUILT)-board --man > $(PAGES)/man/castellan-board.1
	for shell in bash zsh fish; do $(BUILT) completions $$shell > $(PAGES)/castellan.$$shell || exit 1; done

# Each file with its place below DESTDIR; all are readable whatever the umask is.
MANUALS := $(mandir)/man1
BASH_COMPLETION := $(datadir)/bash-completion/completions/castellan
ZSH_COMPLETION := $(datadir)/zsh/site-functions/_castellan
FISH_COMPLETION := $(datadir)/fish/vendor_completions.d/castellan.fish
XBOARD := $(datadir)/games/plugins/uci/castellan.eng
DESKTOP := $(datadir)/applications/castellan-board.desktop
ICON := $(datadir)/icons/hicolor/scalable/apps/castellan.svg
METAINFO := $(datadir)/metainfo/castellan-board.metainfo.xml
LICENSE_FILES := $(datadir)/licenses/castellan

install: $(if $(SUDO_USER),,pages)
	$(INSTALL) -d $(addprefix $(DESTDIR),$(bindir) $(MANUALS) \
		$(dir $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(XBOARD) \
			$(DESKTOP) $(ICON) $(METAINFO)) $(LICENSE_FILES))
	$(INSTALL) -m 755 $(BUILT) $(BUILT)-board $(DESTDIR)$(bindir)
	$(INSTALL) -m 644 $(PAGES)/man/castellan*.1 $(DESTDIR)$(MANUALS)
	$(INSTALL) -m 644 $(PAGES)/castellan.bash $(DESTDIR)$(BASH_COMPLETION)
	$(INSTALL) -m 644 $(PAGES)/castellan.zsh $(DESTDIR)$(ZSH_COMPLETION)
	$(INSTALL) -m 644 $(PAGES)/castellan.fish $(DESTDIR)$(FISH_COMPLETION)
	$(INSTALL) -m 644 engine/castellan.eng $(DESTDIR)$(XBOARD)
	$(INSTALL) -m 644 packaging/castellan-board.desktop $(DESTDIR)$(DESKTOP)
	$(INSTALL) -m 644 packaging/castellan.svg $(DESTDIR)$(ICON)
	$(INSTALL) -m 644 packaging/castellan-board.metainfo.xml $(DESTDIR)$(METAINFO)
	$(INSTALL) -m 644 LICENSE $(if $(LICENSES),$(LICENSES)/castellan.txt $(LICENSES)/castellan-board.txt) $(DESTDIR)$(LICENSE_FILES)

uninstall:
	rm -f $(addprefix $(DESTDIR),$(bindir)/castellan $(bindir)/castellan-board $(MANUALS)/castellan.1 \
		$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(XBOARD) \
		$(DESKTOP) $(ICON) $(METAINFO))
	rm -f $(DESTDIR)$(MANUALS)/castellan-*.1
	rm -rf $(DESTDIR)$(LICENSE_FILES)

# The pictures of the documents: scenes of the browser tests, whose packages it needs (tests/browser/requirements.txt).
PICTURES := play=play_illegal analysis=analysis_lines castling=castling_attacked tridim=tridim_castling
pictures:
	cargo build --release --locked --package board
	mkdir -p target/pictures
	pytest --quiet -k "$(subst $() $(), or ,$(foreach picture,$(PICTURES),$(lastword $(subst =, ,$(picture)))))" --pictures=target/pictures
	$(foreach picture,$(PICTURES),cp target/pictures/$(lastword $(subst =, ,$(picture)))-desktop.png docs/board/$(firstword $(subst =, ,$(picture))).png;)

check:
	.ci/run format lints
	cargo test --profile checked --workspace --locked

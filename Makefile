# `make EXE=name` builds the engine and leaves it under that name, as OpenBench asks; with `EVALFILE=file` that network
# is built in, with `FEATURES=tune` every search parameter is a UCI option. `make install PREFIX=/usr/local` installs the
# engine and the board, manual pages, completions, licenses, and what xboard needs to find the engine; `make uninstall`
# removes them. Under sudo it installs what `make programs` has built. `make check` is what to run after every change:
# formatting, Clippy, the unit tests and those of the rules, the search and the program; `.ci/run` has the rest.

EXE ?= castellan
PREFIX ?= /usr/local
bindir ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
INSTALL ?= install
BUILT := target/dist/castellan
PAGES := target/share

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# Cargo runs in other directories.
ifdef EVALFILE
override EVALFILE := $(abspath $(EVALFILE))
export EVALFILE
endif

.PHONY: all build programs pages check install uninstall
all: build
	cp $(BUILT)$(SUFFIX) $(EXE)$(SUFFIX)

# The last command fails if the network cannot be used.
build:
	cargo build --profile dist --locked --package castellan --target-dir target $(if $(FEATURES),--features $(FEATURES))
	$(BUILT)$(SUFFIX) eval > /dev/null

programs: build pages
	cargo build --profile dist --locked --package board --target-dir target

COMMANDS := analyze annotate bench board book completions epd eval fen man perft pgn play tridim

pages: $(if $(SUDO_USER),,build)
	mkdir -p $(PAGES)
	$(BUILT) man > $(PAGES)/castellan.1
	for command in $(COMMANDS); do $(BUILT) man $$command > $(PAGES)/castellan-$$command.1 || exit 1; done
	for shell in bash zsh fish; do $(BUILT) completions $$shell > $(PAGES)/castellan.$$shell || exit 1; done

# Each file with its place below DESTDIR; all are readable whatever the umask is.
MANUALS := $(mandir)/man1
BASH_COMPLETION := $(datadir)/bash-completion/completions/castellan
ZSH_COMPLETION := $(datadir)/zsh/site-functions/_castellan
FISH_COMPLETION := $(datadir)/fish/vendor_completions.d/castellan.fish
XBOARD := $(datadir)/games/plugins/uci/castellan.eng
LICENSE_FILE := $(datadir)/licenses/castellan/LICENSE

install: $(if $(SUDO_USER),,programs)
	$(INSTALL) -d $(addprefix $(DESTDIR),$(bindir) $(MANUALS) \
		$(dir $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(XBOARD) $(LICENSE_FILE)))
	$(INSTALL) -m 755 $(BUILT) $(BUILT)-board $(DESTDIR)$(bindir)
	$(INSTALL) -m 644 $(PAGES)/castellan*.1 $(DESTDIR)$(MANUALS)
	$(INSTALL) -m 644 $(PAGES)/castellan.bash $(DESTDIR)$(BASH_COMPLETION)
	$(INSTALL) -m 644 $(PAGES)/castellan.zsh $(DESTDIR)$(ZSH_COMPLETION)
	$(INSTALL) -m 644 $(PAGES)/castellan.fish $(DESTDIR)$(FISH_COMPLETION)
	$(INSTALL) -m 644 engine/castellan.eng $(DESTDIR)$(XBOARD)
	$(INSTALL) -m 644 LICENSE $(DESTDIR)$(LICENSE_FILE)

uninstall:
	rm -f $(addprefix $(DESTDIR),$(bindir)/castellan $(bindir)/castellan-board $(MANUALS)/castellan.1 \
		$(COMMANDS:%=$(MANUALS)/castellan-%.1) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) \
		$(XBOARD) $(LICENSE_FILE))

check:
	cargo fmt --all --check
	cargo clippy --profile quick --workspace --all-targets --locked -- -D warnings
	cargo test --profile quick --workspace --lib --bins --test rules --test search --test program --locked --quiet

# `make EXE=name` builds the engine and leaves it under that name, as OpenBench asks; with
# `EVALFILE=file` that network is built in. `make install PREFIX=/usr/local` installs the engine and
# the board, manual pages and completions, and what xboard needs to find the engine. `make check` is what to run
# after every change: formatting, Clippy, the unit tests and those of the rules, the search and the program; `.ci/run`
# has the rest.

EXE ?= castellan
PREFIX ?= /usr/local
BUILT := target/dist/castellan

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# Cargo runs in other directories.
ifdef EVALFILE
override EVALFILE := $(abspath $(EVALFILE))
export EVALFILE
endif

.PHONY: all build check install
all: build
	cp $(BUILT)$(SUFFIX) $(EXE)$(SUFFIX)

# The last command fails if the network cannot be used.
build:
	cargo build --profile dist --locked --package castellan --target-dir target
	$(BUILT)$(SUFFIX) eval > /dev/null

SHARE := $(DESTDIR)$(PREFIX)/share
COMPLETIONS := $(SHARE)/bash-completion/completions/castellan
COMMANDS := analyze annotate bench board book completions epd eval fen man perft pgn play tridim

install: build
	cargo build --profile dist --locked --package board --target-dir target
	install -D $(BUILT) $(DESTDIR)$(PREFIX)/bin/castellan
	install -D $(BUILT)-board $(DESTDIR)$(PREFIX)/bin/castellan-board
	install -D -m 644 engine/castellan.eng $(SHARE)/games/plugins/uci/castellan.eng
	install -d $(SHARE)/man/man1 $(dir $(COMPLETIONS))
	$(BUILT) man > $(SHARE)/man/man1/castellan.1
	for command in $(COMMANDS); do \
		$(BUILT) man $$command > $(SHARE)/man/man1/castellan-$$command.1 || exit 1; done
	$(BUILT) completions bash > $(COMPLETIONS)

check:
	cargo fmt --all --check
	cargo clippy --profile quick --workspace --all-targets --locked -- -D warnings
	cargo test --profile quick --workspace --lib --bins --test rules --test search --test program --locked --quiet

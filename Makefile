# `make EXE=name` builds the engine and leaves it under that name, as OpenBench asks.

EXE ?= castellan
BUILT := target/release/castellan

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

.PHONY: all
all:
	cargo build --release --locked --package castellan --target-dir target
	cp $(BUILT)$(SUFFIX) $(EXE)$(SUFFIX)

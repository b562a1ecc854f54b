#!/usr/bin/env bash
# Writes the license notices of the packages in each program, on any platform: castellan.txt, castellan-board.txt, castellan-python.txt.
#
#   scripts/licenses.sh DIRECTORY
#
# Needs cargo-about.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v cargo-about >/dev/null; then
    echo "licenses.sh: no 'cargo-about'; install it with 'cargo install --locked --features cli cargo-about'" >&2
    exit 1
fi
mkdir -p "$1"
for program in engine:castellan board:castellan-board python:castellan-python; do
    cargo about generate --manifest-path "${program%:*}/Cargo.toml" --locked --fail \
        --config scripts/licenses.toml --output-file "$1/${program#*:}.txt" scripts/licenses.hbs
done

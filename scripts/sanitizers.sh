#!/usr/bin/env bash
# Undefined behavior and data races: what the tests cannot see. Not part of .ci/run, since it takes long and needs
# a nightly compiler with the components miri and rust-src, and cargo-fuzz. Prints one line for each step; the last
# results are in docs/unsafe.md.
#
#     scripts/sanitizers.sh [miri | thread | address]...
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(rustc +nightly -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=target/sanitizers

# The slider tables and the cuckoo tables; the memory of the hash table and of the network; the hash table.
miri() {
    export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-permissive-provenance"
    cargo +nightly miri test --package movegen --no-default-features --lib -- --skip chess960
    cargo +nightly miri test --package search --lib -- memory:: pv::
}

# UCI sessions, and searches with several threads. The standard library is instrumented too.
thread() {
    local -x RUSTFLAGS=-Zsanitizer=thread
    local test=(cargo +nightly test -Zbuild-std --target "$target" --release)
    "${test[@]}" --package fuzz-checks --test corpora
    "${test[@]}" --package search --test search -- threads::
}

# Replays the inputs of every fuzz target, without mutating them.
address() {
    local name
    for name in fuzz/regressions/*/; do
        name=$(basename "$name")
        # The threads of a session may outlive it by a moment.
        ASAN_OPTIONS=detect_leaks=0 cargo +nightly fuzz run "$name" "fuzz/regressions/$name" -- -runs=0
    done
}

[ $# -gt 0 ] || set -- miri thread address
for step; do
    case $step in
        miri | thread | address) "$step" >&2; printf '%s: passed\n' "$step" ;;
        *) printf 'expected miri, thread or address, found %s\n' "$step" >&2; exit 2 ;;
    esac
done

#!/usr/bin/env bash
# Builds Castellan as WebAssembly: a directory with castellan.js, which is a Web Worker in browsers
# and a UCI engine in Node, the program and the network, and the rules as a module, as a package for npm; in board/, Castellan Board as
# a static page.
#
#   scripts/web.sh [DIRECTORY]    writes there; default: dist/web
#
# With LICENSES, a directory that licenses.sh has written, both have the notices of the linked packages.
# Needs Rust with the target (rustup target add wasm32-wasip1), and npm. On Debian instead of rustup:
# rustc-web cargo-web rust-web-src wasi-libc lld-19 clang-19.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist/web}
target=wasm32-wasip1
built=target/wasm/$target/web
# The one that the program embeds elsewhere.
network=search/$(sed -n 's|^const NETWORK: &str = "\(.*\)";$|\1|p' search/build.rs)
[ -f "$network" ] || { echo "missing the network file that search/build.rs names: '$network'" >&2; exit 1; }
# Searches run on the main stack.
flags=(-C target-feature=+simd128 -C link-arg=-zstack-size=16777216)
sysroot=$(rustc --print sysroot)

encoded() { # flags for CARGO_ENCODED_RUSTFLAGS, which may contain blanks, unlike RUSTFLAGS
    local IFS=$'\x1f'
    printf %s "$*"
}

build() { # with the compiler's own library, or Debian's source of it
    export CARGO_TARGET_DIR=target/wasm
    if [ -d "$sysroot/lib/rustlib/$target/lib" ]; then
        CARGO_ENCODED_RUSTFLAGS=$(encoded "${flags[@]}") cargo build --profile web --locked --target $target "$@"
        return
    fi
    [ -d /usr/lib/rustlib/src/rust/library ] || { echo "missing the target: rustup target add $target" >&2; exit 1; }
    # Debian's libc has no threads that fail to start, and none of the calls for them.
    mkdir -p "$built"
    clang-19 --target=wasm32-wasi -O1 -c -o "$built/missing.o" -x c - <<'C'
int pthread_attr_init(void *attributes) { return 0; }
int pthread_attr_setstacksize(void *attributes, unsigned long size) { return 0; }
int pthread_attr_destroy(void *attributes) { return 0; }
int pthread_create(void *thread, void *attributes, void *run, void *argument) { return 58; /* ENOTSUP */ }
int pthread_detach(void *thread) { return 0; }
int pthread_join(void *thread, void *result) { return 0; }
char *realpath(const char *path, char *resolved) { return 0; }
C
    libc=/usr/lib/wasm32-wasi
    case "$*" in *"--package rules"*) start=crt1-reactor.o ;; *) start=crt1-command.o ;; esac
    local linked=(-C link-self-contained=no -C "link-arg=-L$libc" -C "link-arg=$libc/$start" -C "link-arg=$PWD/$built/missing.o")
    CARGO_ENCODED_RUSTFLAGS=$(encoded "${flags[@]}" "${linked[@]}") \
        PATH=/usr/bin:/bin RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld-19 \
        cargo build --profile web --locked -Z build-std=std,panic_abort --target $target "$@"
}

build --package castellan --package board
build --package rules --features movegen/compact --config profile.web.opt-level=2 --config 'profile.web.package.movegen.opt-level="s"'
(cd web && npm ci --silent)

mkdir -p "$out/shim"
cp web/wasm/{castellan,engine,files,index,inner,ring,rules,wasi}.js "$out"
cp web/node_modules/@bjorn3/browser_wasi_shim/{dist/*.js,LICENSE-MIT} "$out/shim"
sed -i.bak 's|"@bjorn3/browser_wasi_shim"|"./shim/index.js"|' "$out/wasi.js"
rm "$out/wasi.js.bak"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
sed "s/VERSION/$version/" web/npm/package.json > "$out/package.json"
cp LICENSE web/npm/README.md "$out"
web/node_modules/.bin/tsc --ignoreConfig --allowJs --declaration --emitDeclarationOnly --stripInternal \
    --target es2023 --module esnext --moduleResolution bundler --outDir "$out" web/wasm/{index,rules}.js
cp web/wasm/rules_types.d.ts "$out"
echo 'export type * from "./rules_types.js";' >> "$out/rules.d.ts"
cp "$built/castellan_rules.wasm" "$out/castellan-rules.wasm"
cp "$built/castellan.wasm" "$out"
cp "$network" "$out/castellan.net"
mkdir -p "$out/board/wasm"
cp "$built/castellan-board.wasm" "$out/castellan.net" "$out/board/wasm"
scripts/page.sh "$out/board"
if [ -n "${LICENSES:-}" ]; then
    cp "$LICENSES/castellan.txt" "$out/licenses.txt"
    cp "$LICENSES/castellan-board.txt" "$out/board/licenses.txt"
fi

cd "$out"
for file in *.js shim/*.js castellan.wasm castellan-rules.wasm castellan.net; do
    printf '%10d %10d  %s\n' "$(wc -c < "$file")" "$(gzip -9 < "$file" | wc -c)" "$file"
done | awk '{ print; size += $1; packed += $2 } END { printf "%10d %10d  bytes in all; the second column is compressed with gzip\n", size, packed }'

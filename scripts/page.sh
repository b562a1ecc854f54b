#!/usr/bin/env bash
# Puts Castellan Board together as a static page, from the sources that castellan-board embeds; scripts/web.sh calls it.
#
#   scripts/page.sh DIRECTORY    adds to a directory with wasm/castellan-board.wasm and wasm/castellan.net
#
# Needs the packages of web/ (npm ci).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1/wasm/shim"
out=$(cd "$1" && pwd)

# embedded KIND: the files of that kind that castellan-board embeds by name, in their order.
embedded() { sed -nE "s|.*include_str!\(\"(\.\./)*(web/[^\"]+\.$1)\"\).*|\2|p" board/src/program/page.rs; }

(cd web && find board shared -name '*.js' -exec tar cf - {} +) | tar xf - -C "$out"
# The one module that is another.
cp web/wasm/socket.js "$out/board/socket.js"
cp web/node_modules/@bjorn3/browser_wasi_shim/dist/*.js "$out/wasm/shim"
for module in games ring session wasi; do
    sed 's|"@bjorn3/browser_wasi_shim"|"./shim/index.js"|' "web/wasm/$module.js" > "$out/wasm/$module.js"
done
cp web/wasm/castellan.webmanifest web/wasm/icon.svg "$out"
embedded css | xargs cat > "$out/style.css"
embedded svg | xargs cat > "$out/pieces"

# As the server's, with workers and a manifest.
policy="default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self' data:; \
connect-src 'self' https://lichess.org https://api.chess.com; form-action 'none'; base-uri 'none'"
sed -e "s|^<meta charset.*|&<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\"><link rel=\"manifest\" href=\"castellan.webmanifest\">|" \
    -e 's|href="data:image[^"]*"|href="icon.svg"|' \
    -e "/<!-- pieces -->/{r $out/pieces" -e 'd}' web/board/index.html > "$out/index.html"
rm "$out/pieces"

# What the service worker keeps.
root=$PWD
cd "$out"
files=$(find index.html style.css icon.svg castellan.webmanifest board shared wasm/shim wasm/{games,ring,session,wasi}.js \
    wasm/castellan{-board.wasm,.net} -type f | LC_ALL=C sort)
version=castellan-$(xargs cat <<< "$files" | sha256sum | cut -c 1-16)
sed "s|@VERSION@|$version|; s|@FILES@|./ $(tr '\n' ' ' <<< "$files" | sed 's| $||')|" "$root/web/wasm/sw.js" > sw.js

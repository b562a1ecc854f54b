#!/usr/bin/env bash
# Makes the release archive for this machine from a clean clone of HEAD, and tries it: unpacks it in
# an empty directory, checks the bench and plays a game.
#
#   scripts/release.sh [DIRECTORY]    writes the archive and its SHA-256 sum there; default: dist
#
# Two runs at the same commit give the same archive, byte for byte. Needs git, Rust and Python 3, and cargo-about, or in
# LICENSES a directory that licenses.sh has written.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
mkdir -p "$out"
out=$(cd "$out" && pwd)
python=$(command -v python3 || command -v python)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
licenses=${LICENSES:-$work/licenses}
[ -n "${LICENSES:-}" ] || scripts/licenses.sh "$licenses"
licenses=$(cd "$licenses" && pwd)

git clone --quiet --no-local . "$work/castellan"
cd "$work/castellan"
stated=$(git log --format=%B | sed -nE 's/^Bench: ([0-9]+)$/\1/p' | head -n 1)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
exe=''
case $host in *windows*) exe=.exe ;; esac
name=castellan-$version-$host

# Messages of panics name source files; where they lie here is nobody's business. Unlike RUSTFLAGS, this may contain blanks.
export CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=$PWD=castellan"$'\x1f'"--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
cargo build --profile dist --locked --target-dir target --package castellan --package board
built=target/dist
castellan=$built/castellan$exe
folder=$work/$name
mkdir -p "$folder/man/man1" "$folder/completions" "$folder/licenses"
cp "$castellan" "$built/castellan-board$exe" README.md CHANGELOG.md LICENSE engine/castellan.eng "$folder"
cp -R docs "$folder"
cp "$licenses/castellan.txt" "$licenses/castellan-board.txt" "$folder/licenses"
"$castellan" man --all "$folder/man/man1"
"$built/castellan-board$exe" --man > "$folder/man/man1/castellan-board.1"
"$castellan" completions bash > "$folder/completions/castellan.bash"
"$castellan" completions zsh > "$folder/completions/_castellan"
"$castellan" completions fish > "$folder/completions/castellan.fish"
"$castellan" completions powershell > "$folder/completions/castellan.ps1"
stated=$stated "$python" - "$work" "$name" "$out" "$exe" "$(git log -1 --format=%ct)" <<'PYTHON'
import gzip, hashlib, os, shutil, subprocess, sys, tarfile, time, zipfile
from pathlib import Path

work, name, out, exe, date = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4], int(sys.argv[5])
files = sorted(path for path in (work / name).rglob("*") if path.is_file())


def described(member):
    member.mtime, member.uid, member.gid, member.uname, member.gname = date, 0, 0, "", ""
    member.mode = 0o755 if member.mode & 0o100 else 0o644
    return member


# The order, the times, the owners and the modes are the same in every run.
if exe:
    archive = out / f"{name}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            member = zipfile.ZipInfo(path.relative_to(work).as_posix(), time.gmtime(date)[:6])
            packed.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
else:
    archive = out / f"{name}.tar.gz"
    with gzip.GzipFile(archive, "w", mtime=date) as zipped, tarfile.open(fileobj=zipped, mode="w") as packed:
        for path in files:
            packed.add(path, path.relative_to(work).as_posix(), filter=described)
digest = hashlib.sha256(archive.read_bytes()).hexdigest()
Path(f"{archive}.sha256").write_bytes(f"{digest}  {archive.name}\n".encode())

# From here on only the archive is used.
empty = work / "empty"
empty.mkdir()
shutil.unpack_archive(archive, empty)
if not exe:  # zip files have no permissions
    modes = {path.stat().st_mode & 0o777 for path in empty.rglob("*") if path.is_file()}
    assert modes == {0o755, 0o644}, modes
castellan, board = (empty / name / f"{program}{exe}" for program in ("castellan", "castellan-board"))
for program in (castellan, board):
    program.chmod(0o755)


def run(*command):
    return subprocess.run(command, cwd=empty, stdout=subprocess.PIPE, text=True, check=True).stdout


print(run(board, "--version").strip())
nodes = next(line.split()[0] for line in run(castellan, "bench").splitlines() if line.endswith(" nodes"))
assert nodes == os.environ["stated"], f"bench {nodes}, but the history states {os.environ['stated']}"

# The engine against itself, to mate or for 200 plies.
engine = subprocess.Popen([castellan], cwd=empty, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
moves, best = [], "e2e4"
while len(moves) < 200:
    engine.stdin.write(f"position startpos moves {' '.join(moves)}\ngo nodes 2000\n")
    engine.stdin.flush()
    best = next(line.split()[1] for line in engine.stdout if line.startswith("bestmove "))
    if best in ("(none)", "0000"):
        break
    moves.append(best)
engine.communicate("quit\n")
assert engine.returncode == 0 and len(moves) > 20, moves
# Fails if a move is illegal.
end = run(castellan, "analyze", "--depth", "1", "--no-time", "startpos moves " + " ".join(moves))
print(f"bench {nodes}; a game of {len(moves)} plies, at its end {end.strip()}")
print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")
PYTHON

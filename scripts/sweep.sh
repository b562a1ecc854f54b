#!/bin/sh
# Trains a network for each combination of settings and prints the validation losses of the
# finished ones, the best first. Combinations already trained are skipped, an interrupted one is
# resumed.
#
#   [DECAY='.01 .15'] [HIDDEN='256 384'] [EPOCHS='15 30'] [BATCH=…] [WDL=…] [KING_BUCKETS=…] [RATE=…]
#     scripts/sweep.sh DIRECTORY GAMES...
set -eu
export LC_ALL=C
[ $# -ge 2 ] || { sed -n '2,7s/^# *//p' "$0" >&2; exit 2; }
directory=$1
shift
train=${TRAIN:-target/release/castellan-train}
mkdir -p "$directory"
for hidden in ${HIDDEN:-256}; do for kings in ${KING_BUCKETS:-4}; do for batch in ${BATCH:-1024}; do
for rate in ${RATE:-.001}; do for decay in ${DECAY:-.15}; do for wdl in ${WDL:-0}; do for epochs in ${EPOCHS:-15}; do
    net=$directory/h$hidden-k$kings-b$batch-r$rate-d$decay-w$wdl-e$epochs.net
    [ -e "$net" ] && continue
    resume=
    [ -e "${net%.net}.checkpoint" ] && resume=--resume
    echo "$net"
    "$train" train "$@" --out "$net" --hidden "$hidden" --king-buckets "$kings" --batch "$batch" \
        --rate "$rate" --decay "$decay" --wdl "$wdl" --epochs "$epochs" $resume
    # Stopped; another sweep goes on from there.
    [ -e "$net" ] || exit 1
done; done; done; done; done; done; done
for table in "$directory"/*.csv; do
    [ -e "${table%.csv}.net" ] || continue
    echo "$(tail -n 1 "$table" | cut -d , -f 4) $(basename "$table" .csv)"
done | sort -n

# shellcheck shell=bash
# Sourced by script/measure-…: a PostgreSQL and a Pics of their own in a new folder, with one photo of one owner.

bin=$(pg_config --bindir)
folder=$(mktemp -d /tmp/pics-measure.XXXXXX)
chmod 755 "$folder"
account=postgres
pics=
as() { if ((EUID == 0)); then setpriv --reuid "$account" --regid "$account" --clear-groups "$@"; else "$@"; fi; }
cleanup() {
    if [[ -n $pics ]]; then
        kill "$pics" || true
        wait "$pics" || true
    fi
    as "$bin/pg_ctl" -D "$folder/cluster/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf -- "$folder"
}
trap cleanup EXIT

for product in pics pics-media; do swift build --quiet --product "$product"; done
mkdir "$folder/cluster"
if ((EUID == 0)); then chown "$account" "$folder/cluster"; fi
as "$bin/initdb" -D "$folder/cluster/data" -A trust -U pics -E UTF8 --locale=C.UTF-8 >/dev/null
options=(
    shared_buffers=1GB maintenance_work_mem=1GB max_wal_size=8GB fsync=off
    shared_preload_libraries=pg_stat_statements pg_stat_statements.track=top
)
as "$bin/pg_ctl" -D "$folder/cluster/data" -w -l "$folder/cluster/log" \
    -o "-c listen_addresses= -k $folder/cluster ${options[*]/#/-c }" start >/dev/null
query() { psql -XqAth "$folder/cluster" -U pics -v ON_ERROR_STOP=1 "$@"; }
query -c "CREATE DATABASE pics" postgres

echo "machine: $(nproc) cores, $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), $("$bin/postgres" --version)"
for rate in ADDRESS TOKEN UPLOAD; do export "PICS_${rate}_RATE=0"; done
PICS_CONFIG=/dev/null PICS_DATA_DIR=$folder/data PICS_DATABASE_URL="host=$folder/cluster user=pics dbname=pics" \
    PICS_LISTEN=127.0.0.1:0 .build/debug/pics serve >"$folder/log" 2>&1 &
pics=$!
for ((tries = 0; tries < 600; tries++)); do
    base=$(sed -nE 's/.*listening on (http[^ ]+).*/\1/p' "$folder/log" | head -1)
    if [[ -n $base ]]; then break; fi
    kill -0 "$pics"
    sleep 0.1
done
token=$(<"$folder/data/admin-token")
get() { curl -sS --fail-with-body --max-time 60 -H "Authorization: Bearer $token" "$@"; }

# The first photo, of which the others are copies.
ffmpeg -nostdin -loglevel error -f lavfi -i testsrc=size=320x240 -frames:v 1 -y "$folder/photo.jpg"
get -F "photo=@$folder/photo.jpg" -F "caption=The first" -F services=file "$base/v1/photos" >/dev/null
for ((tries = 0; tries < 600; tries++)); do
    if [[ $(query -c "SELECT state FROM submissions" pics) == "done" ]]; then break; fi
    sleep 0.1
done

# The pages and milliseconds of one request; what Pics does beside it may add some, so that the median counts.
once() {
    query -c "SELECT pg_stat_statements_reset()" pics >/dev/null
    local seconds
    seconds=$(get -o "$folder/answer" -w '%{time_total}' "$base$1") || { echo "over 60000 -"; return; }
    query -F ' ' -c "SELECT sum(shared_blks_hit + shared_blks_read), round($seconds * 1000) FROM pg_stat_statements s
                      JOIN pg_database d ON d.oid = s.dbid WHERE datname = 'pics' AND query NOT ILIKE '%pg_stat_statements%'" pics
}

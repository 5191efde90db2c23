#!/usr/bin/env bash
# Builds and runs the tests with a PostgreSQL of their own.
set -euo pipefail

usage() {
    cat <<'END'
usage: script/test [option of "swift test" ...]

Installs what is missing, builds, starts a PostgreSQL for the tests, runs them and stops it.
The tests find it through PICS_TEST_DATABASE_URL.

    script/test                                               all tests
    script/test --filter CaptionTests                         some tests
    script/test --sanitize=thread --scratch-path=.build-tsan  with a sanitizer, built in its own folder
END
}

build_options=()
for option in "$@"; do
    case $option in
        -h | --help) usage; exit ;;
        --sanitize=* | --scratch-path=* | --configuration=* | --jobs=*) build_options+=("$option") ;;
    esac
done

cd "$(dirname "$0")/.."
folder=
server=

# Nothing in this cluster is worth keeping: no orderly shutdown.
# shellcheck disable=SC2317  # The trap calls it.
stop_postgresql() {
    if [[ -n $server ]]; then
        kill -QUIT "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    if [[ -n $folder ]]; then rm -rf -- "$folder"; fi
}

# The folder of the server programs: what pg_config names, else Debian's newest.
programs_folder() {
    local named
    named=$(pg_config --bindir 2>/dev/null) || true
    if [[ -x $named/initdb ]]; then echo "$named"; else printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1; fi
}

# Where a cluster of some hundred schemas fits in memory, else /tmp: each schema is made and dropped as 200 files.
memory_folder() {
    local free
    free=$(df --output=avail --block-size=M /dev/shm 2>/dev/null | tail -n 1) || true
    if [[ -w /dev/shm && ${free//[^0-9]/} -ge 4096 ]]; then echo /dev/shm; else echo /tmp; fi
}

# Starts a server that only a socket in a private folder leads to. It may lose data in a crash of the machine and is else
# what Pics gets: it must see commits when the product would.
start_postgresql() {
    local programs user
    programs=$(programs_folder)
    folder=$(mktemp -d "$(memory_folder)/pics-test.XXXXXX")
    # The server stops also when this script is killed.
    local as_server=(setpriv --pdeathsig INT)
    if ((EUID == 0)); then
        user=postgres
        id "$user" >/dev/null 2>&1 || user=nobody
        chown "$user:" "$folder"
        as_server+=(--reuid "$user" --regid "$(id -g "$user")" --clear-groups)
    fi
    # From / because the server's user may be unable to enter this folder.
    (
        cd /
        exec "${as_server[@]}" "$programs/initdb" -D "$folder/data" --username=pics --auth=trust --encoding=UTF8 \
            --locale=C.UTF-8 --no-sync --no-instructions
    ) >"$folder/log" 2>&1 || fail
    (
        cd /
        exec "${as_server[@]}" "$programs/postgres" -D "$folder/data" -c listen_addresses= -c port=5432 \
            -c unix_socket_directories="$folder" -c max_connections=1000 -c fsync=off -c full_page_writes=off \
            -c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0
    ) >>"$folder/log" 2>&1 &
    server=$!
    while ! "$programs/pg_isready" --quiet --host "$folder" --port 5432; do
        kill -0 "$server" 2>/dev/null || fail
        sleep 0.1
    done
    export PICS_TEST_DATABASE_URL="host=$folder port=5432 user=pics dbname=postgres"
}

fail() {
    echo "the PostgreSQL for the tests did not start:" >&2
    cat -- "$folder/log" >&2
    exit 1
}

script/bootstrap tests

# An import without an arrow in Package.swift is an error.
true --explicit-target-dependency-import-check error "${build_options[@]}"
echo "built after $SECONDS s"

trap stop_postgresql EXIT
trap 'exit 130' INT TERM
start_postgresql
# Hundreds of tests that wait for each other's processor time would run into their time limits.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=12
# Foundation's Process, with which tests alone start programs, reads past the end of a folder's entries and loses a weak
# reference at each start. Whatever else the address sanitizer finds is ours.
echo 'interceptor_via_fun:*findMaximumOpenFromProcSelfFD*' >"$folder/asan"
echo 'leak:Foundation7ProcessC3run' >"$folder/lsan"
export ASAN_OPTIONS="suppressions=$folder/asan" LSAN_OPTIONS="suppressions=$folder/lsan:print_suppressions=0"
status=0
swift test --ignore-lock --skip-build --disable-xctest "$@" 2>&1 | tee "$folder/output" || status=$?
if ((status != 0)); then
    # What failed stands far above in a long output, and CI may keep the end alone.
    echo "failed:"
    grep -aE '^✘|error: |Fatal error' "$folder/output" || true
fi
echo "ended after $SECONDS s"
exit "$status"

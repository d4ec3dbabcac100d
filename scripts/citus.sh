#!/bin/sh
# A Citus to try Swath on, one machine: a coordinator and two workers on PostgreSQL 15. docs/operations.md says when.
#   scripts/citus.sh build <source of Citus>   configures, builds and installs it into the PostgreSQL of pg_config (install: as root, or SUDO=sudo)
#   scripts/citus.sh start <folder> [port]     makes and starts the three; ports from 15500 on. Not as root. Prints the address for the tests
#   scripts/citus.sh stop <folder>             stops them; the folder may then be deleted
set -eu

config=${PG_CONFIG:-/usr/lib/postgresql/15/bin/pg_config}
bin=$("$config" --bindir)

fail() {
  echo "$1" >&2
  exit 1
}

build() {
  cd "$1"
  # PostgreSQL's later minor releases have a function of this name, which Citus' own then collides with
  if grep -q '^extern.* have_createdb_privilege' "$("$config" --includedir-server)/commands/dbcommands.h"; then
    grep -rlw have_createdb_privilege src --include='*.c' --include='*.h' |
      xargs -r sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
  fi
  # without the compressions only where PostgreSQL has none: Citus' headers ask PostgreSQL's, not these flags
  without=''
  header="$("$config" --includedir-server)/pg_config.h"
  grep -q '^#define USE_LZ4 1' "$header" || without="$without --without-lz4"
  grep -q '^#define USE_ZSTD 1' "$header" || without="$without --without-zstd"
  # shellcheck disable=SC2086
  ./configure PG_CONFIG="$config" --without-libcurl $without
  nice make -j"${JOBS:-1}" extension
  ${SUDO:-} make install
}

start() {
  [ "$(id -u)" -ne 0 ] || fail 'PostgreSQL does not run as root: start this as an ordinary user.'
  folder=$1
  port=${2:-15500}
  for node in 0 1 2; do
    home="$folder/node$node"
    if [ ! -f "$home/data/PG_VERSION" ]; then
      mkdir -p "$home"
      "$bin/initdb" -D "$home/data" -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 >"$home/init.log"
      cat >>"$home/data/postgresql.conf" <<EOF
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
port = $((port + node))
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 200
max_worker_processes = 64
max_locks_per_transaction = 1024
wal_level = logical
TimeZone = 'UTC'
log_timezone = 'UTC'
# for tests alone: a crash may lose everything
fsync = off
synchronous_commit = off
full_page_writes = off
citus.enable_statistics_collection = off
EOF
    fi
    "$bin/pg_ctl" -D "$home/data" -l "$home/log" -w start >/dev/null
    "$bin/psql" -qX -h 127.0.0.1 -p "$((port + node))" -U postgres -c 'set client_min_messages = warning; create extension if not exists citus'
  done
  "$bin/psql" -qXAt -h 127.0.0.1 -p "$port" -U postgres -o /dev/null \
    -c "select citus_set_coordinator_host('127.0.0.1', $port)" \
    -c "select citus_add_node('127.0.0.1', $((port + 1)))" \
    -c "select citus_add_node('127.0.0.1', $((port + 2)))"
  echo "npm run test:database -- postgres://postgres@127.0.0.1:$port/postgres"
}

stop() {
  for node in 0 1 2; do "$bin/pg_ctl" -D "$1/node$node/data" -m fast stop >/dev/null || true; done
}

[ $# -ge 2 ] || fail "$(sed -n '3,5s/^# *//p' "$0")"
command=$1
shift
case $command in
  build | start | stop) "$command" "$@" ;;
  *) fail "$(sed -n '3,5s/^# *//p' "$0")" ;;
esac

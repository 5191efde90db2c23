/// A PostgreSQL with a standby that gets every commit before it is confirmed, each on a socket in a folder of its own.
struct PostgresPair {
    /// Of both, so that libpq goes to the one that takes changes.
    let connection: String
    /// Of the standby alone.
    let standby: String
    private let folder: String

    /// Starts both in a folder that the server's user may enter.
    init(in folder: String) async throws {
        self.folder = folder
        standby = "host=\(folder)/two port=5432 user=pics dbname=pics"
        connection =
            "host=\(folder)/one,\(folder)/two port=5432,5432 user=pics dbname=pics target_session_attrs=read-write"
        try await run(
            """
            mkdir -p one two; [ "$(id -u)" != 0 ] || chown postgres . one two
            as "$bin/initdb" -D "$1/a" -U pics -A trust --no-sync
            printf "listen_addresses=''\\nunix_socket_directories='%s/one'\\nshared_buffers=16MB\\n" "$1" >> a/postgresql.conf
            as "$bin/pg_ctl" -D "$1/a" -w -l "$1/a.log" start
            as "$bin/createdb" -h "$1/one" -U pics pics
            as "$bin/pg_basebackup" -h "$1/one" -U pics -D "$1/b" -R -X stream -c fast
            printf "unix_socket_directories='%s/two'\\n" "$1" >> b/postgresql.conf
            as "$bin/pg_ctl" -D "$1/b" -w -l "$1/b.log" start
            as "$bin/psql" -h "$1/one" -U pics -qc "ALTER SYSTEM SET synchronous_standby_names = '*'" -c "SELECT pg_reload_conf()" pics
            until as "$bin/psql" -h "$1/one" -U pics -Atc "SELECT sync_state FROM pg_stat_replication" pics | grep -q sync; do sleep 0.1; done
            """)
    }

    /// Ends the first at once, as a machine that loses its power.
    func killFirst() async throws { try await run("kill -9 $(head -1 a/postmaster.pid); rm -f one/.s.PGSQL.5432") }

    /// Ends the standby at once; the first goes on without.
    func killSecond() async throws {
        try await run(
            #"""
            as "$bin/psql" -h "$1/one" -U pics -qc "ALTER SYSTEM RESET synchronous_standby_names" -c "SELECT pg_reload_conf()" pics
            kill -9 $(head -1 b/postmaster.pid); rm -f two/.s.PGSQL.5432
            """#)
    }

    /// Makes the second take changes.
    func promoteSecond() async throws { try await run(#"as "$bin/pg_ctl" -D "$1/b" -w promote"#) }

    /// Says on the standby that its replay stops, or goes on.
    func replay(_ goesOn: Bool) async throws {
        try await run(
            #"as "$bin/psql" -h "$1/two" -U pics -Atc "SELECT pg_wal_replay_"# + (goesOn ? "resume" : "pause")
                + #"()" pics"#)
    }

    func stop() async throws {
        try await run(
            """
            for one in a b; do as "$bin/pg_ctl" -D "$1/$one" -m immediate stop || true; done
            rm -rf a b one two
            """)
    }

    private func run(_ script: String) async throws { try await PostgresScripts(folder: folder).run(script) }
}

/// Makes a new cluster: a superuser, a database, and settings that an operator may change later.
enum ClusterCreation {
    /// The role and the database.
    static let name = "pics"

    /// The command that fills the empty folder `target`.
    static func command(_ installation: Installation, target: String) -> [String] {
        ["sh", "-c", script, "create-cluster", installation.programs, target]
    }

    // Who reaches the socket is let in: it and its folder are open only to root and the server's user.
    // `cd`, because the server's user may be unable to enter our folder.
    // `terse` keeps out of the log what rows hold (DETAIL, CONTEXT).
    private static let script = """
        set -e
        cd /
        "$1/initdb" --pgdata="$2" --username=\(name) --auth-local=trust --auth-host=reject --encoding=UTF8 \
            --locale=C.UTF-8 --data-checksums --no-instructions
        cat >>"$2/postgresql.conf" <<'END'

        # Settings that differ from PostgreSQL's own defaults. Change them as you like; a restart reads them.
        max_connections = 64
        shared_buffers = 128MB
        jit = off
        timezone = 'UTC'
        log_timezone = 'UTC'
        log_checkpoints = off
        log_error_verbosity = terse
        END
        sync "$2/postgresql.conf"
        echo 'CREATE DATABASE \(name)' | "$1/postgres" --single -D "$2" -c exit_on_error=on postgres
        """
}

import EventLoops
import Foundation

/// Scripts for servers in a folder, which run as a user that PostgreSQL accepts: not root.
struct PostgresScripts {
    let folder: String

    struct Failure: Error { let output: String }

    private static let head = """
        set -eu
        bin=$(pg_config --bindir 2>/dev/null || true)
        [ -x "$bin/initdb" ] || bin=$(printf '%s\\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
        as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; else "$@"; fi; }
        cd "$1"

        """

    /// Runs one in the folder, which is `$1`; `$bin` has the programs of the server, and `as` starts one of them.
    func run(_ script: String) async throws {
        let folder = folder
        let threads = BlockingThreads(name: "scripts", count: 1)
        defer { threads.stop() }
        try await threads.run { () throws in
            let path = "\(folder)/script-\(UUID().uuidString)"
            try (Self.head + script).write(toFile: path, atomically: false, encoding: .utf8)
            // Foundation's `Process` waits for the servers, too, which inherit a descriptor of it.
            let status = system("bash '\(path)' '\(folder)' > '\(path).log' 2>&1")
            guard status == 0 else {
                throw Failure(output: (try? String(contentsOfFile: "\(path).log", encoding: .utf8)) ?? "")
            }
        }
    }
}

import Foundation
import HTTP
import TestPics
import TestSupport
import Testing

/// A PostgreSQL that knows its clients by certificates, and Pics by a role that owns nothing but its database.
@Suite(.timeLimit(.minutes(10)))
struct StrictServerTests {
    @Test func `Pics migrates, serves, makes backups and restores by a certificate, as a role that may nothing else`()
        async throws
    {
        try await withFolder { folder in
            let server = try await StrictServer(in: folder)
            let pics = try await Pics.start(in: folder, database: server.connection())

            let posted = try await pics.post(CameraPhoto.jpeg(), caption: "By certificate")
            let photo = try JSONValue(parsing: posted.body)
            let id = try #require(photo["id"]?.string)
            let backup = try await pics.command("backup", "\(folder)/backups")

            #expect(posted.status == .created)
            #expect(try await pics.send(.get, "/v1/photos/\(id)").status == .ok)
            #expect(backup.status == 0 && backup.output.contains("1 photo"), "\(backup.output)")
            #expect(try await server.sessions() == "pics|t|/CN=pics|f|f|f")
            #expect(await pics.stop() == 0)

            let environment = testSettings(in: folder).merging(
                ["PICS_DATA_DIR": "\(folder)/second", "PICS_DATABASE_URL": server.connection(database: "empty")]) { $1 }
            let restored = try PicsProcess(
                ["restore", "\(folder)/backups", "--without-key"], environment: environment, folder: folder)
            let end = await restored.end()
            #expect(end.status == 0 && end.output.contains("restored 1 photo"), "\(end.output)\(restored.logged)")
            #expect(!restored.logged.contains("permission denied"), "\(restored.logged)")
            try await server.stop()
        }
    }

    @Test func `what a server or its certificates lack is said in words`() async throws {
        try await withFolder { folder in
            let server = try await StrictServer(in: folder)
            let cases: [(connection: String, words: String)] = [
                (server.connection(root: "other"), "certificate verify failed"),
                (
                    server.connection(host: "elsewhere.test"),
                    #"server certificate for "database.test" does not match host name "elsewhere.test""#
                ),
                (server.connection(client: nil), "connection requires a valid client certificate"),
                (server.connection(client: "stranger"), "unknown ca"),
                (server.connection(client: "alice"), #"certificate authentication failed for user "pics""#),
                (server.connection(mode: "disable"), "no encryption"),
                (server.connection(root: "absent"), "root certificate file \"\(folder)/absent.pem\" does not exist"),
            ]

            for (connection, words) in cases {
                let environment = testSettings(in: folder).merging(["PICS_DATABASE_URL": connection]) { $1 }
                let pics = try PicsProcess(["migrate"], environment: environment, folder: folder)

                #expect(await pics.end().status == 1)
                #expect(pics.logged.contains("the database cannot be reached: "), "\(words): \(pics.logged)")
                #expect(pics.logged.contains(words), "\(words): \(pics.logged)")
            }
            try await server.stop()
        }
    }
}

/// A PostgreSQL at an address of this machine that takes the certificates of one authority.
private struct StrictServer {
    private let folder: String
    /// One of its own, so that no other server has its port.
    private let address: String
    private var scripts: PostgresScripts { PostgresScripts(folder: folder) }

    /// Starts it, with the databases `pics` and `empty` of the role `pics`, and with certificates of another authority beside its own.
    init(in folder: String) async throws {
        self.folder = folder
        address = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).\(Int.random(in: 1...254))"
        try await scripts.run(
            """
            authority() { openssl req -x509 $new -days 2 -subj "/CN=$1" -keyout $1.key -out $1.pem; }
            issue() { # AUTHORITY LABEL NAME
                openssl req $new -subj "/CN=$3" -addext "subjectAltName=DNS:$3" -keyout $2.key -out $2.csr
                openssl x509 -req -in $2.csr -CA $1.pem -CAkey $1.key -CAcreateserial -days 2 -copy_extensions copy -out $2.pem
                chmod 600 $2.key
            }
            new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
            authority own; authority other
            issue own server database.test; issue own pics pics; issue own alice alice; issue other stranger pics
            [ "$(id -u)" != 0 ] || chown postgres . server.key
            as "$bin/initdb" -D "$1/db" -U postgres -A trust --no-sync
            cat >> db/postgresql.conf <<END
            listen_addresses = '\(address)'
            unix_socket_directories = '$1'
            shared_buffers = 16MB
            ssl = on
            ssl_cert_file = '$1/server.pem'
            ssl_key_file = '$1/server.key'
            ssl_ca_file = '$1/own.pem'
            END
            printf 'local all postgres trust\\nhostssl all pics 127.0.0.0/8 cert\\n' > db/pg_hba.conf
            as "$bin/pg_ctl" -D "$1/db" -w -l "$1/db.log" start || { cat db.log; exit 1; }
            as "$bin/psql" -h "$1" -U postgres -qc "CREATE ROLE pics LOGIN" \\
                -c "CREATE DATABASE pics OWNER pics" -c "CREATE DATABASE empty OWNER pics"
            """)
    }

    /// Its address, which is right unless said otherwise.
    func connection(
        host: String = "database.test", mode: String = "verify-full", root: String = "own", client: String? = "pics",
        database: String = "pics"
    ) -> String {
        let identity = client ?? "absent"
        return "host=\(host) hostaddr=\(address) user=pics dbname=\(database) sslmode=\(mode) "
            + "sslrootcert=\(folder)/\(root).pem sslcert=\(folder)/\(identity).pem sslkey=\(folder)/\(identity).key"
    }

    /// Of each kind of session of Pics: its role, whether it is encrypted, whose certificate it has shown, and whether the role is a
    /// superuser, makes databases, makes roles.
    func sessions() async throws -> String {
        try await scripts.run(
            """
            as "$bin/psql" -h "$1" -U postgres -Atc "
                SELECT DISTINCT usename, ssl, client_dn, rolsuper, rolcreatedb, rolcreaterole
                  FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) JOIN pg_roles ON rolname = usename
                 WHERE datname = 'pics'" > sessions
            """)
        return try String(contentsOfFile: "\(folder)/sessions", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    func stop() async throws { try await scripts.run(#"as "$bin/pg_ctl" -D "$1/db" -m immediate stop; rm -rf db"#) }
}

import EventLoops
import Foundation
import Glibc
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Certificates from Pebble, the test server of the people who run the largest authority.
@Suite(.timeLimit(.minutes(10)))
struct ManagedCertificateTests {
    @Test func `a certificate is got by TLS, survives a restart, and is renewed when due`() async throws {
        try await withFolder { folder in
            let authority = try await Authority(in: folder, tlsPort: nil)
            try await withTestDatabase { database in
                let connection = database.settings.connection
                let pics = try await authority.startPics(database: connection)
                await until { pics.process.logged.contains("a certificate was issued") }
                let issued = try await authority.certificate(where: { $0.contains("Pebble") })
                #expect(issued.contains("DNS:photos.example.org"))
                #expect(!pics.process.logged.contains("tls-alpn-01 failed"))
                pics.process.signal(SIGKILL)
                _ = await pics.process.end()

                let next = try await authority.startPics(database: connection)
                let kept = try await authority.certificate(where: { _ in true })
                #expect(kept == issued)
                try await database.execute(
                    Query("make_due", "UPDATE certificates SET renew_at = now(), failures = 1", []))
                next.process.signal(SIGHUP)
                await until { next.process.logged.contains("a certificate was issued") }
                let renewed = try await authority.certificate(where: { $0 != issued })
                #expect(renewed.contains("Pebble"))
                let readable = try await database.first(
                    Query(
                        "readable_keys",
                        "SELECT count(*)::int AS count FROM certificates WHERE position('PRIVATE'::bytea IN sealed) > 0"
                    ) { row throws(PostgresError) in try row.get("count") as Int32 })
                #expect(readable == 0)
                #expect(await next.stop() == 0)
            }
        }
    }

    @Test func `where TLS is not reached, port 80 proves the name and sends everything else to https`() async throws {
        try await withFolder { folder in
            let authority = try await Authority(in: folder, tlsPort: 1)
            let pics = try await authority.startPics()
            await until { pics.process.logged.contains("a certificate was issued") }
            _ = try await authority.certificate(where: { $0.contains("Pebble") })
            let other = try await shell("curl -s -o /dev/null -w %{http_code} \(authority.plain)/livez")

            #expect(pics.process.logged.contains("tls-alpn-01 failed, http-01 follows"))
            #expect(other == "308")
            #expect(await pics.stop() == 0)
        }
    }

    @Test func `a name that does not lead here is told to operators, and SIGHUP tries again`() async throws {
        try await withFolder { folder in
            let authority = try await Authority(in: folder, tlsPort: 1, httpPort: 1)
            let pics = try await authority.startPics()
            await until { pics.process.logged.contains("no certificate; SIGHUP") }
            let standIn = try await authority.certificate(where: { _ in true })
            let doctor = try await pics.command("doctor")
            let failed = pics.process.logged.components(separatedBy: "no certificate; SIGHUP").count
            pics.process.signal(SIGHUP)
            await until { pics.process.logged.components(separatedBy: "no certificate; SIGHUP").count > failed }

            #expect(!standIn.contains("Pebble"))
            #expect(doctor.output.contains("No new certificate for photos.example.org"))
            #expect(await pics.stop() == 0)
        }
    }
}

/// A running Pebble, with a name server that sends every name to this machine.
private final class Authority: Sendable {
    private let folder: String
    private let processes: [pid_t]
    private let port: Int
    private let picsPort: Int
    private let picsTLSPort: Int

    var plain: String { "http://127.0.0.1:\(picsPort)" }

    /// Starts it. It looks for tls-alpn-01 and http-01 at these ports, or without them where Pics listens.
    init(in folder: String, tlsPort: Int?, httpPort: Int? = nil) async throws {
        self.folder = folder
        let ports = try freePorts(6)
        (port, picsPort, picsTLSPort) = (ports[0], ports[1], ports[2])
        _ = try await shell(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=pebble "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/ca.key -out \(folder)/ca.pem 2>/dev/null")
        let settings = """
            {"pebble": {"listenAddress": "127.0.0.1:\(ports[0])", "managementListenAddress": "127.0.0.1:\(ports[3])",
            "certificate": "\(folder)/ca.pem", "privateKey": "\(folder)/ca.key", "httpPort": \(httpPort ?? ports[1]),
            "tlsPort": \(tlsPort ?? ports[2]), "ocspResponderURL": "", "externalAccountBindingRequired": false}}
            """
        try settings.write(toFile: "\(folder)/pebble.json", atomically: false, encoding: .utf8)
        let names = try await shell(
            "pebble-challtestsrv -dns01 127.0.0.1:\(ports[4]) -http01 '' -https01 '' -tlsalpn01 '' "
                + "-management 127.0.0.1:\(ports[5]) -defaultIPv6 '' > \(folder)/names.log 2>&1 & echo $!")
        // Every third nonce is refused, and nothing proved before is taken for proved.
        let pebble = try await shell(
            "PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=30 PEBBLE_AUTHZREUSE=0 pebble -config \(folder)/pebble.json "
                + "-dnsserver 127.0.0.1:\(ports[4]) > \(folder)/pebble.log 2>&1 & echo $!")
        processes = [names, pebble].compactMap { pid_t($0.trimmingCharacters(in: .newlines)) }
        await until { self.log.contains("ACME directory available") }
    }

    deinit { for process in processes { kill(process, SIGTERM) } }

    private var log: String { (try? String(contentsOfFile: "\(folder)/pebble.log", encoding: .utf8)) ?? "" }

    func startPics(database: String? = nil) async throws -> Pics {
        try await Pics.start(
            in: folder, database: database,
            settings: [
                "PICS_LISTEN": "127.0.0.1:\(picsPort)", "PICS_LISTEN_TLS": "127.0.0.1:\(picsTLSPort)",
                "PICS_TLS_DOMAIN": "photos.example.org", "PICS_ACME_DIRECTORY": "https://127.0.0.1:\(port)/dir",
                "PICS_ACME_CA_FILE": "\(folder)/ca.pem",
            ])
    }

    /// What clients are shown, once it is as wished.
    func certificate(where isWished: (String) -> Bool) async throws -> String {
        while true {
            let shown = try await shell(
                "openssl s_client -connect 127.0.0.1:\(picsTLSPort) -servername photos.example.org </dev/null 2>/dev/null"
                    + " | openssl x509 -noout -issuer -serial -ext subjectAltName")
            if !shown.isEmpty, isWished(shown) { return shown }
        }
    }
}

private let threads = BlockingThreads(name: "certificate-shell", count: 4)

/// The output of a command.
private func shell(_ command: String) async throws -> String {
    try await threads.run {
        let pipe = try #require(popen(command, "r"))
        defer { pclose(pipe) }
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }
}

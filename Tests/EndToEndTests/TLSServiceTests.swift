import EventLoops
import Foundation
import HTTP
import System
import TestPics
import Testing

/// Doors by https, and one version that takes over from another.
@Suite(.timeLimit(.minutes(10)))
struct TLSServiceTests {
    @Test func `https is served, http leads there, and SIGHUP brings new certificates`() async throws {
        try await withFolder { folder in
            try await makeCertificate("first", in: folder)
            let pics = try await Pics.start(
                in: folder, database: nil,
                settings: [
                    "PICS_LISTEN_TLS": "127.0.0.1:0", "PICS_TLS_CERTIFICATES": "\(folder)/tls.pem:\(folder)/tls.key",
                ])
            let port = try #require(pics.base.split(separator: ":").last)

            let alive = try await shell("curl -sk \(pics.base)/livez")
            let fields = try await shell("curl -skD- -o/dev/null --cacert \(folder)/tls.pem \(pics.base)/livez")
            let name = try await subject(port)

            #expect(pics.base.hasPrefix("https://"))
            #expect(alive == "ok\n")
            #expect(fields.lowercased().contains("strict-transport-security: max-age=15552000"))
            #expect(fields.hasPrefix("HTTP/2 200"))
            #expect(name.contains("first"))
            try await makeCertificate("second", in: folder)
            pics.process.signal(SIGHUP)
            while try await !subject(port).contains("second") {}
            #expect(await pics.stop() == 0)
        }
    }

    @Test func `a successor takes over the sockets and the database, and no request is refused`() async throws {
        try await withFolder { folder in
            let pics = try await Pics.start(in: folder, database: nil)
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "before").body)
            let id = try #require(photo["id"]?.string)

            let isOver = Lock(false)
            let asking = Task {
                var statuses: Set<Int> = []
                while !isOver.withLock({ $0 }) {
                    statuses.insert(try await pics.send(.get, "/v1/photos/\(id)").status.code)
                }
                return statuses
            }
            pics.process.signal(SIGUSR2)
            let status = await pics.process.exitStatus()
            let logged = pics.process.logged
            let after = try await pics.send(.get, "/v1/photos/\(id)").status
            isOver.withLock { $0 = true }
            let statuses = try await asking.value

            #expect(after == .ok)
            #expect(statuses == [200])
            #expect(status == 0)
            let found = try #require(logged.firstMatch(of: /a successor serves process=(\d+)/))
            let successor = try #require(pid_t(found.1))
            kill(successor, SIGTERM)
            // Its output ends with the successor, who has inherited it.
            _ = await pics.process.end()
            #expect(pics.process.logged.contains("stopping PostgreSQL"))
        }
    }

    private func makeCertificate(_ name: String, in folder: String) async throws {
        _ = try await shell(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=\(name) "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/tls.key -out \(folder)/tls.pem 2>/dev/null")
    }

    private func subject(_ port: Substring) async throws -> String {
        try await shell(
            "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -subject")
    }

    private static let threads = BlockingThreads(name: "shell", count: 2)

    /// The output of a command.
    private func shell(_ command: String) async throws -> String {
        try await Self.threads.run {
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
}

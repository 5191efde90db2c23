import Curl
import Foundation
import HTTP
import Testing

struct CurlTLSTests {
    /// Runs `openssl s_server` with a certificate that nobody has signed; it ends after its first connection.
    private func withUnknownServer(_ body: (_ port: Int) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
            -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem 2>/dev/null &&
            exec timeout 60 openssl s_server -accept 127.0.0.1:0 -naccept 1 -www -key key.pem -cert cert.pem 2>/dev/null
            """
        let output = try #require(popen(script, "r"))
        defer { pclose(output) }
        // It says "ACCEPT 127.0.0.1:34567" once it listens.
        var line = [CChar](repeating: 0, count: 200)
        var text = ""
        while !text.hasPrefix("ACCEPT") {
            _ = try #require(fgets(&line, Int32(line.count), output))
            text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        try await body(#require(text.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) }))
    }

    @Test func `a certificate that nobody known has signed is refused before the request leaves`() async throws {
        try await withUnknownServer { port in
            try await withTransport { transport in
                let text = "https://localhost:\(port): SSL peer certificate or SSH remote key was not OK"
                await #expect(throws: TransportError.notSent(text)) {
                    try await transport.send(request("https://localhost:\(port)/", .post, .bytes([1])))
                }
            }
        }
    }
}

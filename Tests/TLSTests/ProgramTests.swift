import Glibc
import Testing

@testable import TLS

struct ProgramTests {
    @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0), arguments: ["-tls1_2", "-tls1_3"])
    func `the program openssl speaks with a server on the network`(version: String) throws {
        let listener = try LoopbackListener()
        let program = try #require(
            popen(
                """
                echo question | openssl s_client -connect 127.0.0.1:\(listener.port) \(version) -alpn http/1.1 \
                -servername server.test -ign_eof 2>&1
                """, "r"))
        let socket = try listener.accept()
        let session = try TLSSession(sharedContext(), descriptor: socket.descriptor)

        #expect(try socket.shakeHands(session) == .done)
        #expect(try socket.receiveLine(session) == "question\n")
        #expect(Array("answer\n".utf8).withUnsafeBytes(session.send) == .bytes(7))
        #expect(session.sendCloseNotify())

        let printed = text(of: program)
        #expect(pclose(program) == 0)
        #expect(session.serverName == "server.test")
        #expect(printed.contains("ALPN protocol: http/1.1"))
        #expect(printed.contains("CN = server"))
        #expect(printed.contains("answer\n"))
    }

    private func text(of program: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, program), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

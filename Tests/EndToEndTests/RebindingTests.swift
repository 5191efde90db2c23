import Foundation
import Glibc
import Testing

/// Names that lead Pics astray: in a network namespace of its own, with a real name server and real lookups.
@Suite(.enabled(if: geteuid() == 0, "only root makes a network namespace"))
struct RebindingTests {
    @Test(.timeLimit(.minutes(10)))
    func `the address that is connected to decides, whatever a name said before`() throws {
        let outcomes = try Self.probe()

        #expect(outcomes["public.test/"] == "answered 93.184.215.14")
        #expect(outcomes["private.test/"] == "refused")
        // By redirect.
        #expect(outcomes["public.test/redirect"] == "refused")
        // Public at the first look, and private at the second, which came.
        #expect(outcomes["rebinding.test/"] == "answered 93.184.215.14, refused")
        #expect(outcomes["looks at rebinding.test"] == "2")
        // The first of two addresses is dead, and the next one private.
        #expect(outcomes["two-faced.test/"] == "refused")
        #expect(outcomes["connections to 127.0.0.1"] == "0")
    }

    /// The lines of the probe, by the words before the colon; two lines of one name are one.
    private static func probe() throws -> [String: String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pics-rebinding-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let resolver = folder.appending(path: "resolv.conf").path
        try "nameserver 127.0.0.1\noptions timeout:2 attempts:2\n".write(
            toFile: resolver, atomically: true, encoding: .utf8)
        let program = URL(filePath: PicsProcess.program).deletingLastPathComponent().appending(path: "address-probe")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = [
            "--net", "--mount", "sh", "-ec",
            """
            ip link set lo up
            ip address add 93.184.215.14/32 dev lo
            mount --bind "$1" /etc/resolv.conf
            exec "$2"
            """, "sh", resolver, program.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
        return Dictionary(lines.map { ($0[0], $0.last ?? "") }) { "\($0), \($1)" }
    }
}

import EventLoops
import Foundation
import Glibc
import System
import TestSupport
import TestTools

/// The built `pics`, running as a process of its own.
final class PicsProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let id: pid_t
    private let output: Int32
    private let unread = Lock<[UInt8]>([])
    /// Whether its exit status was taken; its number may be another process's since.
    private let isGone = Lock(false)
    private let log: String
    private static let threads = BlockingThreads(name: "pics-process", count: 32)

    /// Starts `pics` with arguments and a few variables; its log goes into `folder`. It reads `input`, or what comes through
    /// the fifo `terminal`.
    init(
        _ arguments: [String], environment: [String: String], folder: String, input: String = "",
        terminal: String? = nil
    ) throws {
        log = "\(folder)/log-\(UUID().uuidString)"
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
        // Other children must not hold the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let inputPath = "\(folder)/input-\(UUID().uuidString)"
        try input.write(toFile: inputPath, atomically: false, encoding: .utf8)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A fifo that is opened for both ways waits for nobody.
        posix_spawn_file_actions_addopen(&actions, 0, terminal ?? inputPath, terminal == nil ? O_RDONLY : O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "PICS_MIGRATIONS_DIR": migrationsFolder]
        if isSanitized { variables["PICS_MEDIA_MEMORY"] = "1024TiB" }
        for (name, value) in environment { variables[name] = value }
        var words = ([Self.program] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for word in words + settings { free(word) }
            close(ends[1])
        }
        var child = pid_t()
        guard posix_spawn(&child, Self.program, &actions, nil, &words, &settings) == 0 else {
            throw Failure(description: "\(Self.program) does not start")
        }
        id = child
        output = ends[0]
    }

    /// A child that nobody waits for would keep exit tests from ever ending: they look at the first child that has ended.
    deinit {
        if !isGone.withLock({ $0 }) {
            kill(id, SIGKILL)
            _ = wait()
        }
        close(output)
    }

    /// The program beside the tests.
    static let program = builtProgram("pics")

    /// Its log so far.
    var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Reads its output until a line begins with `prefix`, and gives the rest of that line.
    func line(beginning prefix: String) async throws -> String {
        try await Self.threads.run { [self] () throws(Failure) in
            while true {
                while let line = takeLine() {
                    if line.hasPrefix(prefix) { return String(line.dropFirst(prefix.count)) }
                }
                guard readMore() else { throw Failure(description: "pics ended without \"\(prefix)\":\n\(logged)") }
            }
        }
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(id, number) }

    /// Waits until it has ended; its output until then, and its exit status, or 128 and the signal's number.
    func end() async -> (status: Int32, output: String) {
        await Self.threads.run { [self] in
            while readMore() {}
            let status = wait()
            return (status, unread.withLock { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Waits until it has ended, though others may go on with its output; its exit status.
    func exitStatus() async -> Int32 { await Self.threads.run { [self] in wait() } }

    /// Blocks until it has ended; its exit status, or 128 and the signal's number.
    private func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isGone.withLock { $0 = true }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    private func takeLine() -> String? {
        unread.withLock { bytes in
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { bytes.removeSubrange(...end) }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        unread.withLock { $0 += buffer.prefix(count) }
        return true
    }
}

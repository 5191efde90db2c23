import CLoopGuard
import EventLoops
import Foundation
import Glibc
import Testing

/// Runs `work` on a loop of its own, and waits for it.
private func onLoop(_ work: @escaping @Sendable () -> Void) async throws {
    let loop = try EventLoop(name: "guarded")
    await withCheckedContinuation { continuation in
        loop.execute {
            work()
            continuation.resume()
        }
    }
    loop.stop()
}

/// A file of one byte, which stays as long as the process.
private func makeFile() -> String {
    let path = "\(FileManager.default.temporaryDirectory.path)/pics-blocking-\(UUID())"
    _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
    return path
}

/// The debug check of `CLoopGuard`; under a sanitizer there is none.
@Suite(.enabled(if: pics_loop_guard_is_there()))
struct BlockingCallTests {
    @Test func `opening a file on a loop ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            try await onLoop { _ = Glibc.open("/etc/hostname", O_RDONLY) }
        }
    }

    @Test func `reading a file on a loop ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let file = Glibc.open(makeFile(), O_RDONLY)
            try await onLoop {
                var byte: UInt8 = 0
                _ = Glibc.read(file, &byte, 1)
            }
        }
    }

    @Test func `making a file durable on a loop ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let file = Glibc.open(makeFile(), O_RDWR)
            try await onLoop { _ = Glibc.fsync(file) }
        }
    }

    @Test func `removing a file on a loop ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let path = makeFile()
            try await onLoop { _ = Glibc.unlink(path) }
        }
    }

    @Test func `a file that Foundation reads on a loop ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let path = makeFile()
            try await onLoop { _ = FileManager.default.contents(atPath: path) }
        }
    }

    @Test func `sockets, pipes, a sleep of no time and permitted calls do not`() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(Glibc.write(ends[1], "x", 1) == 1)
        let (path, read) = (makeFile(), ends[0])

        try await onLoop {
            var byte: UInt8 = 0
            #expect(Glibc.read(read, &byte, 1) == 1)
            #expect(BlockingCall.cachedPages.permit { Glibc.access(path, R_OK) } == 0)
            #expect(Glibc.access("/proc/self", R_OK) == 0)
            #expect(Glibc.sleep(0) == 0)
        }

        #expect(Glibc.unlink(path) == 0)
        for end in ends { close(end) }
    }

    @Test func `the same calls on a disk thread go through`() async {
        let threads = BlockingThreads(name: "test", count: 1)

        let isDone = await threads.run {
            let path = makeFile()
            let file = Glibc.open(path, O_RDWR)
            var byte: UInt8 = 0
            return Glibc.read(file, &byte, 1) == 1 && fsync(file) == 0 && unlink(path) == 0
        }

        #expect(isDone)
        threads.stop()
    }
}

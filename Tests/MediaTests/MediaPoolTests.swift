import Foundation
import MediaSamples
import Testing

@testable import Media

struct MediaPoolTests {
    /// A program that never reads its socket and never ends.
    static let hanging = "/usr/bin/yes"

    @Test func `a process lives on idle ground and is replaced when it has died there`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            _ = try await bench.pool.probe(photo)
            let first = try #require(bench.pool.processes.first)
            _ = try await bench.pool.probe(photo)
            #expect(bench.pool.processes == [first])

            kill(first, SIGKILL)

            #expect(try await bench.pool.probe(photo).width == 48)
            #expect(bench.pool.processes.count == 1)
            #expect(bench.pool.processes != [first])
        }
    }

    @Test func `a process is replaced after so many requests`() async throws {
        try await withWorkbench(configure: { $0.requestsPerChild = 2 }) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            _ = try await bench.pool.probe(photo)
            #expect(bench.pool.processes.count == 1)

            _ = try await bench.pool.probe(photo)

            #expect(bench.pool.processes.isEmpty)
            #expect(try await bench.pool.probe(photo).width == 48)
        }
    }

    @Test func `a process has limits, no new privileges, no environment of ours and no other files`() async throws {
        try await withWorkbench { bench in
            _ = try await bench.pool.probe(try bench.file("a.png", PixelGrid.flag.png()))
            let process = try "/proc/\(#require(bench.pool.processes.first))"

            let limits = try String(contentsOfFile: "\(process)/limits", encoding: .utf8).split(separator: /\s+/)
                .joined(separator: " ")
            #expect(limits.contains("Max data size \(MediaLimits.forTests.memoryBytes) "))
            #expect(limits.contains("Max file size 268435456 268435456"))
            #expect(limits.contains("Max open files 64 64"))
            #expect(limits.contains("Max core file size 0 0"))
            #expect(limits.contains(/Max cpu time 3\d/))
            #expect(try String(contentsOfFile: "\(process)/status", encoding: .utf8).contains(/NoNewPrivs:\s1/))
            #expect(try bench.bytes(of: "\(process)/environ") == Array("SWIFT_BACKTRACE=enable=no\0".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").sorted() == ["0", "1", "2"])
        }
    }

    @Test func `many requests share few processes`() async throws {
        try await withWorkbench(configure: { $0.children = 2 }) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())

            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<20 { group.addTask { try await bench.pool.probe(photo).width } }
                for try await width in group { #expect(width == 48) }
            }

            #expect((1...3).contains(bench.pool.processes.count))
        }
    }

    @Test func `a header is looked at while all processes that make pictures are busy`() async throws {
        try await withWorkbench(program: Self.hanging) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            let making = Task { try await bench.pool.strip(photo, to: "\(bench.folder)/made.png") }
            _ = await bench.starts.next()

            let looking = Task { try await bench.pool.probe(photo) }
            let second = await bench.starts.next()

            #expect(second > 0)
            making.cancel()
            looking.cancel()
            await #expect(throws: MediaError.cancelled) { try await making.value }
            await #expect(throws: MediaError.cancelled) { try await looking.value }
        }
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGXCPU, SIGXFSZ])
    func `a crash over a file, or a limit, refuses the file`(signal: Int32) async throws {
        try await withWorkbench(program: Self.hanging) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())

            let task = Task { try await bench.pool.probe(photo) }
            kill(await bench.starts.next(), signal)

            await #expect(throws: MediaError.refused(.tooCostly)) { try await task.value }
            #expect(bench.pool.processes.isEmpty)
        }
    }

    @Test func `a process killed from outside is replaced once, and is not the file's fault`() async throws {
        try await withWorkbench(program: Self.hanging) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())

            let task = Task { try await bench.pool.probe(photo) }
            let first = await bench.starts.next()
            kill(first, SIGKILL)
            kill(await bench.starts.next(), SIGKILL)

            await #expect(throws: MediaError.failed(detail: "pics-media was ended by signal 9")) {
                try await task.value
            }
        }
    }

    @Test func `a process that does not answer in time is killed`() async throws {
        try await withWorkbench(program: Self.hanging, configure: { $0.deadline = .milliseconds(50) }) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())

            await #expect(throws: MediaError.refused(.tooCostly)) { try await bench.pool.probe(photo) }
            #expect(bench.pool.processes.isEmpty)
        }
    }

    @Test func `a cancelled task ends its process`() async throws {
        try await withWorkbench(program: Self.hanging) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            let task = Task { try await bench.pool.probe(photo) }
            _ = await bench.starts.next()

            task.cancel()

            await #expect(throws: MediaError.cancelled) { try await task.value }
            #expect(bench.pool.processes.isEmpty)
        }
    }

    @Test func `a request that finds the line full is told so, and one that waits can be cancelled`() async throws {
        try await withWorkbench(program: Self.hanging, configure: { $0.lineLimit = 1 }) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            let running = Task { try await bench.pool.strip(photo, to: "\(bench.folder)/0.png") }
            _ = await bench.starts.next()
            // Of two more, one waits and one is turned away, whichever comes first.
            let others = (1...2).map { number in
                Task { try await bench.pool.strip(photo, to: "\(bench.folder)/\(number).png") }
            }

            var results: [MediaError] = []
            try await withThrowingTaskGroup(of: MediaError?.self) { group in
                for other in others {
                    group.addTask {
                        do { _ = try await other.value } catch let error as MediaError { return error }
                        return nil
                    }
                }
                for try await case let error? in group {
                    results.append(error)
                    for other in others { other.cancel() }
                }
            }
            running.cancel()

            #expect(results == [.busy, .cancelled])
            await #expect(throws: MediaError.cancelled) { try await running.value }
        }
    }

    @Test func `a pool that was stopped does nothing more and leaves no process`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            _ = try await bench.pool.probe(photo)

            await bench.pool.stop()

            #expect(bench.pool.processes.isEmpty)
            await #expect(throws: MediaError.stopped) { try await bench.pool.probe(photo) }
        }
    }

    @Test(arguments: ["/nowhere/pics-media", "/bin/false"])
    func `a program that is missing or does not work is not the file's fault`(program: String) async throws {
        try await withWorkbench(program: program) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())

            await #expect {
                try await bench.pool.probe(photo)
            } throws: { error in
                if case MediaError.failed = error { true } else { false }
            }
        }
    }

    @Test func `only regular files are read, and no file is overwritten`() async throws {
        try await withWorkbench { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            mkfifo(bench.path("pipe"), 0o600)
            let isFailure = { (error: any Error) in if case MediaError.failed = error { true } else { false } }

            await #expect { try await bench.pool.probe(bench.path("pipe")) } throws: { isFailure($0) }
            await #expect { try await bench.pool.probe(bench.path("nothing")) } throws: { isFailure($0) }
            await #expect { try await bench.pool.strip(photo, to: photo) } throws: { isFailure($0) }
            #expect(try bench.bytes(of: photo) == PixelGrid.flag.png())
        }
    }

    @Test func `a refusal leaves no output behind`() async throws {
        try await withWorkbench { bench in
            let bad = try bench.file("a", [1, 2, 3])

            await #expect(throws: MediaError.refused(.unknownType)) {
                try await bench.pool.render(bad, to: bench.path("out"), as: HostileFileTests.picture)
            }
            #expect(!FileManager.default.fileExists(atPath: bench.path("out")))
        }
    }
}

import Foundation
import MediaSamples
import TestTools
import Testing

@testable import Media

/// System calls of a hostile file that has taken over the process that opened it.
@Suite(.disabled(if: isSanitized, "a sanitizer looks at its process by calls that the filter forbids"))
struct ForbiddenCallTests {
    /// How the process ended: by itself with a call's errno, or by a signal.
    enum End: Equatable {
        case refused(Int32)
        case killed(Int32)
        static let allowed = End.refused(0)
    }

    @Test(arguments: [
        ("read", End.refused(EACCES)), ("write", .refused(EACCES)), ("make", .refused(EACCES)),
        ("internet", .refused(EACCES)), ("unix", .refused(EACCES)), ("exec", .killed(SIGSYS)),
        ("fork", .killed(SIGSYS)), ("kill", .killed(SIGSYS)),
        ("ptrace", .killed(SIGSYS)), ("mount", .killed(SIGSYS)), ("unshare", .killed(SIGSYS)),
        ("limit", .refused(ENOSYS)), ("thread", .allowed), ("time", .allowed),
    ])
    func `a process for pictures opens, starts, connects and ends nothing`(call: String, end: End) async throws {
        try await withWorkbench { bench in
            let file = try bench.file("secret", [1, 2, 3])

            #expect(try await Self.attempt(call, as: .pictures, file) == end)
            #expect(try await Self.attempt(call, as: .archives, file) == end)
            #expect(!FileManager.default.fileExists(atPath: "\(file).new"))
        }
    }

    @Test(arguments: [
        ("library", End.allowed), ("write", .refused(ENOSYS)), ("make", .refused(ENOSYS)),
        ("internet", .refused(EACCES)), ("unix", .refused(EACCES)), ("exec", .allowed), ("fork", .killed(SIGSYS)),
        ("kill", .killed(SIGSYS)), ("ptrace", .killed(SIGSYS)),
        ("mount", .killed(SIGSYS)), ("unshare", .killed(SIGSYS)), ("limit", .refused(ENOSYS)), ("thread", .allowed),
    ])
    func `a process for videos starts programs and reads them, and connects, changes and ends nothing`(
        call: String, end: End
    ) async throws {
        try await withWorkbench { bench in
            let file = try bench.file("secret", [1, 2, 3])

            #expect(try await Self.attempt(call, as: .videos, file) == end)
            #expect(!FileManager.default.fileExists(atPath: "\(file).new"))
        }
    }

    /// The kernel sends a signal of the caller's choice for some of these, to any process of the same user.
    @Test(
        arguments: [MediaRole.pictures, .videos],
        [
            ("signal thread", End.refused(ENOSYS)), ("own descriptor", .killed(SIGSYS)),
            ("choose signal", .killed(SIGSYS)),
            ("own descriptor ex", .killed(SIGSYS)), ("lease", .killed(SIGSYS)), ("watch", .killed(SIGSYS)),
            ("wake up", .killed(SIGSYS)), ("limit another", .refused(ENOSYS)), ("own socket", .refused(ENOSYS)),
            ("wake up by ioctl", .refused(ENOSYS)), ("type into terminal", .refused(ENOSYS)),
            ("timer", .refused(ENOSYS)),
            ("priority", .refused(ENOSYS)), ("scheduler", .refused(ENOSYS)), ("queue", .killed(SIGSYS)),
            ("descriptor of another", .killed(SIGSYS)), ("memory of another", .killed(SIGSYS)),
            ("ring", .killed(SIGSYS)),
            ("key", .killed(SIGSYS)), ("out of band", .killed(SIGSYS)), ("child of another", .killed(SIGSYS)),
            ("descriptors", .allowed),
        ])
    func `no process that opens files signals, changes or looks into another`(
        role: MediaRole, attempt: (call: String, end: End)
    ) async throws {
        try await withWorkbench { bench in
            let file = try bench.file("secret", [1, 2, 3])

            #expect(try await Self.attempt(attempt.call, as: role, file) == attempt.end)
        }
    }

    @Test func `a process for videos reads no file but the video`() async throws {
        try await withWorkbench { bench in
            let secret = try bench.file("secret", [1, 2, 3])

            // 67: this kernel has no Landlock.
            let end = try await Self.attempt("read", as: .videos, secret)
            #expect(end == .refused(EACCES) || end == .refused(67))
        }
    }

    @Test func `a process that opens pictures has its calls filtered`() async throws {
        try await withWorkbench { bench in
            _ = try await bench.pool.probe(try bench.file("a.png", PixelGrid.flag.png()))

            let process = try #require(bench.pool.processes.first)
            #expect(try Self.status(of: process).contains(/Seccomp:\s2/))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `ffmpeg has its calls filtered, and seconds of its own`() async throws {
        try await withWorkbench { bench in
            let video = try await bench.file(Film(source: "color=black:size=3840x2160:rate=30:duration=4"))
            let work = Task {
                try await bench.pool.render(
                    video, to: bench.path("poster.png"), as: Rendition(.inside(maxSide: 100), .png))
            }
            let child = await bench.starts.next()
            // Its parent has limited itself by then.
            var ffmpeg: Int32?
            try await until {
                ffmpeg = try Self.children(of: child).first { try Self.status(of: $0).contains(/Name:\sffmpeg/) }
                return ffmpeg != nil
            }
            let process = try #require(ffmpeg)

            #expect(try Self.status(of: process).contains(/Seccomp:\s2/))
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            #expect(limits.contains(#/Max cpu time +5 +6 /#))
            work.cancel()
            _ = await work.result
        }
    }

    private static func status(of process: Int32) throws -> String {
        try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    }

    private static func children(of process: Int32) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
    }

    private static func attempt(_ call: String, as role: MediaRole, _ file: String) async throws -> End {
        let program = URL(filePath: mediaProgram).deletingLastPathComponent().appending(path: "forbidden-calls").path
        let status = try await Workbench.status(ofRunning: program, [role.rawValue, call, file])
        return status & 0x7F == 0 ? .refused((status >> 8) & 0xFF) : .killed(status & 0x7F)
    }
}

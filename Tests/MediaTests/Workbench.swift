import EventLoops
import Foundation
import Logging
import MediaSamples
import System
import TestTools
import Testing

@testable import Media

/// A pool over the real `pics-media` and a folder that goes away with it.
struct Workbench {
    let pool: MediaPool
    let starts: ChildStarts
    let folder: String

    /// A path inside the folder.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a file into the folder.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// The bytes of a rendition.
    func rendered(_ path: String, _ rendition: Rendition) async throws -> [UInt8] {
        let output = self.path("\(UUID()).out")
        _ = try await pool.render(path, to: output, as: rendition)
        return try bytes(of: output)
    }

    /// A new file made from the grid by the pool itself.
    func picture(_ name: String, _ grid: PixelGrid, _ format: Rendition.Format, quality: Int = 95) async throws
        -> String
    {
        let source = try file("\(UUID()).png", grid.png())
        _ = try await pool.render(
            source, to: path(name), as: Rendition(.inside(maxSide: 100_000), format, quality: quality))
        return path(name)
    }

    /// The bytes of the file.
    func bytes(of path: String) throws -> [UInt8] {
        // Data(contentsOf:) of Swift 6.3 leaks memory over an empty file.
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return [UInt8](try file.readToEnd() ?? Data())
    }

    /// The metadata that exiftool reads: "Group:Tag" and its value, unformatted.
    func tags(of path: String) async throws -> [String: String] {
        try await tags(of: [path])[0]
    }

    /// The same for several files at once, in their order.
    func tags(of paths: [String]) async throws -> [[String: String]] {
        let output = try await exiftool(["-a", "-s", "-s", "-n", "-G1", "-ee"] + paths)
        // Before each of several files stands its name.
        var files: [[String: String]] = paths.count == 1 ? [[:]] : []
        for line in output.split(separator: "\n") {
            if line.hasPrefix("======== ") { files.append([:]) }
            guard let match = line.wholeMatch(of: /\[(.+?)\] +(\w+): (.*)/), !files.isEmpty else { continue }
            let name = "\(match.1):\(match.2)"
            files[files.count - 1][name] = files[files.count - 1][name] ?? String(match.3)
        }
        try #require(files.count == paths.count)
        return files
    }

    /// Lets exiftool write into the file.
    func write(_ tags: [String], into path: String) async throws {
        _ = try await exiftool(["-q", "-overwrite_original", "-n"] + tags + [path])
    }

    private func exiftool(_ arguments: String...) async throws -> String { try await exiftool(arguments) }

    private func exiftool(_ arguments: [String]) async throws -> String {
        String(decoding: try await output(of: "exiftool", arguments), as: UTF8.self)
    }

    /// The pixels of a rendition, as Debian's `vips` reads them: red, green and blue, and alpha if that is asked for.
    func pixels(_ path: String, _ rendition: Rendition, alpha: Bool = false) async throws -> PixelGrid {
        let made = self.path("\(UUID()).picture")
        let facts = try await pool.render(path, to: made, as: rendition)
        return try await pixels(of: made, facts.width, facts.height, alpha: alpha)
    }

    /// See `pixels`; of a file.
    func pixels(of path: String, _ width: Int, _ height: Int, alpha: Bool = false) async throws -> PixelGrid {
        let raw = self.path("\(UUID()).raw")
        _ = try await output(of: "vips", ["rawsave", path, raw])
        let bytes = try bytes(of: raw)
        let bands = bytes.count / (width * height)
        return PixelGrid(width: width, height: height) { x, y in
            let pixel = Array(bytes[(y * width + x) * bands..<(y * width + x + 1) * bands])
            let colours = bands < 3 ? [pixel[0], pixel[0], pixel[0]] : Array(pixel.prefix(3))
            return alpha ? colours + [bands % 2 == 0 ? pixel[bands - 1] : 255] : colours
        }
    }

    /// The output of a program of Debian's.
    func output(of program: String, _ arguments: [String]) async throws -> [UInt8] {
        let output = try file("\(UUID()).text", [])
        let status = await threads.run { Self.run("/usr/bin/\(program)", arguments, output: output) }
        try #require(status == 0, "\(program) \(arguments)")
        return try bytes(of: output)
    }

    /// How the program at `path` ends, as waitpid(2) tells it.
    static func status(ofRunning path: String, _ arguments: [String]) async throws -> Int32 {
        await threads.run { run(path, arguments) }
    }

    /// Runs on a thread that may wait. What it prints goes to the file `output`, if there is one.
    private static func run(_ path: String, _ arguments: [String], output: String? = nil) -> Int32 {
        // Not Foundation's Process, of which Swift 6.3 leaks some memory.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output { posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY, 0) }
        let copies = ([path] + arguments).map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var id: pid_t = 0
        var status: Int32 = -1
        guard posix_spawn(&id, path, &actions, nil, copies + [nil], environ) == 0 else { return status }
        waitpid(id, &status, 0)
        return status
    }
}

/// For what blocks in the tests themselves.
private let threads = BlockingThreads(name: "tests", count: 3)

/// Children of a pool, in the order in which it starts them.
struct ChildStarts: LogSink {
    private let stream: AsyncStream<Int32>
    private let continuation: AsyncStream<Int32>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func write(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        if let match = text.firstMatch(of: /media child started pid=(\d+)/), let id = Int32(match.1) {
            continuation.yield(id)
        }
    }

    /// The next child's process id, as soon as it is started.
    func next() async -> Int32 {
        await stream.first { _ in true } ?? 0
    }
}

/// How the paths of this run's folders begin. What runs left behind that were killed is deleted first.
private let foldersOfThisRun: String = {
    let parent = FileManager.default.temporaryDirectory
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
        guard let match = name.firstMatch(of: /^pics-media-(\d+)-/), let process = Int32(match.1) else { continue }
        if kill(process, 0) < 0, errno == ESRCH {
            try? FileManager.default.removeItem(at: parent.appending(path: name))
        }
    }
    return parent.appending(path: "pics-media-\(getpid())-").path
}()

/// Machines for tests are small, and every workbench has a process: only so many at once.
private let gate = AsyncSemaphore(count: 3)

/// Runs `body` at a workbench with one process, and cleans up.
func withWorkbench(
    program: String? = nil, limits: MediaLimits = .forTests,
    configure: (inout MediaPool.Configuration) -> Void = { _ in },
    _ body: (Workbench) async throws -> Void
) async throws {
    await gate.wait()
    defer { gate.signal() }
    let folder = "\(foldersOfThisRun)\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = MediaPool.Configuration(program: program ?? mediaProgram, children: 1, limits: limits)
    configure(&configuration)
    let starts = ChildStarts()
    let pool = MediaPool(configuration, logger: Logger(threshold: .debug, sink: starts))
    let result: Result<Void, any Error>
    do { result = .success(try await body(Workbench(pool: pool, starts: starts, folder: folder))) } catch {
        result = .failure(error)
    }
    await pool.stop()
    try result.get()
}

extension MediaLimits {
    static let forTests = MediaLimits(memoryBytes: isSanitized ? 1 << 50 : 1 << 30)
}

/// `pics-media` as it was built beside the tests.
let mediaProgram = ProcessInfo.processInfo.environment["PICS_MEDIA_PROGRAM"] ?? builtProgram("pics-media")

/// Whether `work` was done, or refused as the file's fault.
func isAnswered(_ work: () async throws -> Void) async -> Bool {
    do {
        try await work()
        return true
    } catch MediaError.refused {
        return true
    } catch {
        return false
    }
}

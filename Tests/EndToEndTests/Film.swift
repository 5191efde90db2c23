import EventLoops
import Foundation
import Testing

/// A video of two seconds with sound, turned by 90°, with a position, and with its tables at the end, made by ffmpeg.
enum Film {
    private static let threads = BlockingThreads(name: "films", count: 2)

    /// Its bytes; `name` decides between MP4 and QuickTime.
    static func make(_ name: String, in folder: String) async throws -> [UInt8] {
        let (film, path) = ("\(folder)/film-\(name)", "\(folder)/\(name)")
        try await run([
            "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25:duration=2",
            "-f", "lavfi", "-i", "sine=duration=2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
            "-c:a", "aac", film,
        ])
        // ffmpeg 5.1 notes a turn only of what it does not encode, and counts the other way round.
        try await run([
            "-nostdin", "-loglevel", "error", "-i", film, "-c", "copy", "-metadata:s:v:0", "rotate=270",
            "-metadata", "location=+59.3293+018.0686/", "-metadata", "creation_time=2026-11-20T09:11:12Z", path,
        ])
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// Decodes a video to its end; fails when it cannot be.
    static func play(_ bytes: [UInt8], in folder: String) async throws {
        let path = "\(folder)/\(UUID()).video"
        try Data(bytes).write(to: URL(filePath: path))
        try await run(["-nostdin", "-loglevel", "error", "-xerror", "-i", path, "-f", "null", "-"])
    }

    private static func run(_ arguments: [String]) async throws {
        let status = await threads.run { () -> Int32 in
            let words = (["ffmpeg"] + arguments).map { strdup($0) }
            defer { for word in words { free(word) } }
            var id = pid_t()
            guard posix_spawn(&id, "/usr/bin/ffmpeg", nil, nil, words + [nil], environ) == 0 else { return -1 }
            var status: Int32 = -1
            waitpid(id, &status, 0)
            return status
        }
        try #require(status == 0, "ffmpeg \(arguments)")
    }
}

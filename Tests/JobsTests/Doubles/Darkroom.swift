internal import Domain
internal import EventLoops
internal import Foundation
internal import Logging
internal import Media
internal import Submitters
import TestTools
internal import Testing

@testable import Jobs

/// A folder for the real `pics-media`: tests make pictures there, and the copies that accounts are sent.
struct Darkroom {
    static let caption = "Grüße, \"写真\" #365"
    static let time = "2026-11-20T10:11:12+01:00"

    let folder: String
    let media: MediaPool

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// A picture from ffmpeg with tags from exiftool; its path.
    func picture(_ name: String, size: String = "160x120", _ tags: [String]) async throws -> String {
        let path = path(name)
        _ = try await output(
            of: "ffmpeg",
            [
                "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=\(size)", "-frames:v", "1", "-y",
                path,
            ])
        _ = try await output(of: "exiftool", ["-q", "-overwrite_original", "-n"] + tags + [path])
        return path
    }

    /// The copy of a picture as an account with this rule gets it.
    func copy(
        of original: String, mediaType: String, width: Int = 160, height: Int = 120, position: Position? = nil,
        _ rule: MediaRule, keepsPosition: Bool = false, look: AccountPicture = AccountPicture(),
        recipe: Recipe? = nil, caption: String = caption, artist: String? = nil
    ) async throws -> OutgoingFile {
        let photo = Photo(
            id: .make(), owner: .make(), code: .make(), kind: .photo,
            blob: try #require(BlobID([UInt8](repeating: 0, count: 32))), mediaType: mediaType,
            bytes: Int64(try bytes(of: original).count), width: width, height: height, video: nil, takenAt: nil,
            position: position, caption: caption, altText: "A dog", visibility: .public, recipe: recipe, likeCount: 0,
            version: 1, createdAt: Date(), deletedAt: nil)
        let tags = PictureTags(
            caption: caption, altText: "A dog", shortURL: "https://p.example/Ab3dE9xZ", software: Software.name,
            takenAt: Self.time, artist: artist,
            position: keepsPosition
                ? position.map { PictureFacts.Position(latitude: $0.latitude, longitude: $0.longitude) } : nil,
            sources: ["https://p.example/first111", "https://p.example/second22"])
        return try await OutgoingCopy(
            photo: photo, original: original, rule: rule, tags: tags, keepsPosition: keepsPosition, look: look,
            media: media, threads: Self.threads, destination: path(UUID().uuidString)
        ).make()
    }

    /// The metadata that exiftool reads: "Group:Tag" and its value, unformatted.
    func tags(of path: String) async throws -> [String: String] {
        let text = String(
            decoding: try await output(of: "exiftool", ["-a", "-s", "-s", "-n", "-G1", path]), as: UTF8.self)
        let pairs = text.split(separator: "\n").compactMap { $0.wholeMatch(of: /\[(.+?)\] +(\w+): (.*)/) }
        return Dictionary(pairs.map { ("\($0.1):\($0.2)", String($0.3)) }) { first, _ in first }
    }

    func bytes(of path: String) throws -> [UInt8] {
        // Data(contentsOf:) of Swift 6.3 leaks memory over an empty file.
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return [UInt8](try file.readToEnd() ?? Data())
    }

    /// The output of a program of Debian's.
    func output(of program: String, _ arguments: [String]) async throws -> [UInt8] {
        let path = path(UUID().uuidString)
        let status = await Self.threads.run { () -> Int32 in
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY | O_CREAT, 0o600)
            let words = ([program] + arguments).map { strdup($0) }
            defer { for word in words { free(word) } }
            var id = pid_t()
            guard posix_spawn(&id, "/usr/bin/\(program)", &actions, nil, words + [nil], environ) == 0 else { return -1 }
            var status: Int32 = -1
            waitpid(id, &status, 0)
            return status
        }
        try #require(status == 0, "\(program) \(arguments)")
        return try bytes(of: path)
    }

    private static let threads = BlockingThreads(name: "darkroom", count: 2)
}

/// Runs `body` in a darkroom, and cleans up.
func withDarkroom(_ body: (Darkroom) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "pics-darkroom-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let media = MediaPool(
        MediaPool.Configuration(
            program: builtProgram("pics-media"), children: 1,
            limits: MediaLimits(memoryBytes: isSanitized ? 1 << 50 : 1 << 30)),
        logger: .silent)
    let result: Result<Void, any Error>
    do { result = .success(try await body(Darkroom(folder: folder, media: media))) } catch { result = .failure(error) }
    await media.stop()
    try result.get()
}

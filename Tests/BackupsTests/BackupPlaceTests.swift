import Blobs
import Crypto
import Foundation
import Testing

@testable import Backups

@Suite(.timeLimit(.minutes(5)))
struct BackupPlaceTests {
    /// Around the length of the pieces that are sealed.
    private static let lengths = [0, 1, 1 << 20, (1 << 20) + 1, 3 << 20]

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) } }

    @Test(arguments: Root.allCases, [nil, "geheim"])
    func `what was put is read as it was, replaced, listed and removed`(root: Root, passphrase: String?) async throws {
        try await withFiles(root) { (files: Files) async throws in
            let place = try await files.begin(passphrase)
            for count in Self.lengths {
                try await place.put(bytes(count), as: "a/\(count)")
                #expect(try await place.bytes(of: "a/\(count)") == bytes(count))
            }
            try await place.put([1, 2], as: "a/1")
            #expect(try await place.bytes(of: "a/1") == [1, 2])
            #expect(try await place.bytes(of: "a/2") == nil)
            #expect(try await place.files.list("a/").map(\.name) == Self.lengths.map { "a/\($0)" }.sorted())
            for count in Self.lengths { try await place.files.remove("a/\(count)") }
            try await place.files.remove("a/1")
            #expect(try await place.files.list("a/").isEmpty)
            if let folder = files.folder { #expect(!FileManager.default.fileExists(atPath: "\(folder)/a")) }
        }
    }

    @Test func `with a passphrase nobody reads a file, its digest, or changes it unnoticed`() async throws {
        try await withFiles(.folder) { (files: Files) async throws in
            let place = try await files.begin("geheim")
            let folder = try #require(files.folder)
            let content = bytes((2 << 20) + 5)
            let digest = SHA256Digest(of: content)
            let name = place.name(ofBlob: digest)
            #expect(!name.contains(digest.hex.suffix(8)))
            try await place.put(content, as: name)
            try await place.put(bytes(10), as: "other")
            let sealed = try #require(try await files.bytes(of: name))
            #expect(sealed.firstRange(of: content.prefix(32)) == nil)

            func read(_ changed: [UInt8]) async throws -> [UInt8]? {
                try Data(changed).write(to: URL(filePath: "\(folder)/\(name)"))
                return try await place.bytes(of: name)
            }
            #expect(try await read(sealed) == content)
            var flipped = sealed
            flipped[sealed.count / 2] ^= 1
            await #expect(throws: BackupError.damaged(name)) { try await read(flipped) }
            // A whole piece less at the end, in the middle, and all of it.
            let piece = sealed.prefix(4).reduce(0) { $0 << 8 | Int($1) } + 4
            await #expect(throws: BackupError.damaged(name)) { try await read(Array(sealed.prefix(2 * piece))) }
            await #expect(throws: BackupError.damaged(name)) {
                try await read(Array(sealed.prefix(piece) + sealed.dropFirst(2 * piece)))
            }
            await #expect(throws: BackupError.damaged(name)) { try await read([]) }
            await #expect(throws: BackupError.damaged(name)) { try await read(Array(sealed.dropLast(3))) }
            // Another file of the same place.
            let other = try #require(try await files.bytes(of: "other"))
            await #expect(throws: BackupError.damaged(name)) { try await read(other) }
        }
    }

    @Test func `a place says whose backups it has, and whether they are encrypted`() async throws {
        try await withFiles(.folder) { (files: Files) async throws in
            let owner = UUID()
            #expect(try await files.open() == nil)
            _ = try await files.begin("geheim", for: owner)
            _ = try await files.begin("geheim", for: owner)
            await #expect(throws: BackupError.locked) { try await files.open() }
            await #expect(throws: BackupError.wrongPassphrase) { try await files.open("Geheim") }
            await #expect(throws: BackupError.ofAnother(files.files.shown)) {
                try await files.begin("geheim", for: UUID())
            }
        }
        try await withFiles(.folder) { (files: Files) async throws in
            _ = try await files.begin()
            await #expect(throws: BackupError.plain(files.files.shown)) { try await files.begin("geheim") }
            await #expect(throws: BackupError.plain(files.files.shown)) { try await files.open("geheim") }
        }
    }

    @Test func `the newest of each day, week and month is kept, and all of a day`() {
        let noon = Date(timeIntervalSince1970: 1_795_780_800)
        let hours: [Double] = [0, 6, 12, 30, 31, 54, 24 * 9, 24 * 16, 24 * 40, 24 * 70, 24 * 400]
        let backups = hours.map { (id: "\(Int($0))", madeAt: noon.addingTimeInterval(-3600 * $0)) }
        func kept(_ days: Int, _ weeks: Int, _ months: Int) -> Set<String> {
            BackupSchedule(days: days, weeks: weeks, months: months).kept(backups, at: noon)
        }
        #expect(kept(0, 0, 0) == ["0", "6", "12"])
        #expect(kept(3, 0, 0) == ["0", "6", "12", "30", "54"])
        #expect(kept(0, 3, 0) == ["0", "6", "12", "216", "384"])
        #expect(kept(0, 0, 3) == ["0", "6", "12", "960", "1680"])
        #expect(kept(100, 0, 0).count == backups.count - 1)
        #expect(BackupSchedule(days: 0, weeks: 0, months: 0).kept([backups[10]], at: noon) == ["9600"])
    }
}

internal import EventLoops
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// A folder with an archive in it, for one test.
private final class ArchiveScene: Sendable {
    let folder: TemporaryFolder
    let clock = TestClock()
    private let threads = BlockingThreads(name: "archive", count: 1)
    let submitter: FileSubmitter

    init() throws {
        folder = try TemporaryFolder()
        submitter = FileSubmitter(folder: "\(folder.path)/archive", threads: threads)
    }

    deinit { threads.stop() }

    func task(
        _ photo: SamplePhoto, text: String = "Föhn", altText: String = "",
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) -> SubmissionTask {
        .sample(
            photo, to: .sample([:], [:]), over: Recording(), text: text, altText: altText,
            progress: progress, clock: clock)
    }
}

struct FileSubmitterTests {
    @Test func `a photo lies under its owner, year and time, with its code`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: scene.clock.now)

        let receipt = try await scene.submitter.submit(scene.task(photo))

        #expect(receipt == Receipt(remoteID: "alice/2026/2026-11-20_194200_\(photo.code).jpg", url: nil))
        #expect(scene.folder.contents("archive/\(receipt.remoteID)") == Array("picture".utf8))
        #expect(scene.folder.archivedRemains.isEmpty)
    }

    @Test func `name and sidecar tell the time by the camera's clock`() async throws {
        let scene = try ArchiveScene()
        let known = try scene.folder.photo([1], mediaType: "image/jpeg", at: scene.clock.now)
        var photo = known.photo
        photo.takenOffset = 540

        let receipt = try await scene.submitter.submit(scene.task(SamplePhoto(photo: photo, file: known.file)))

        #expect(receipt.remoteID == "alice/2026/2026-11-21_044200_\(known.code).jpg")
        let sidecar = XMPReading(scene.folder.contents("archive/\(receipt.remoteID).xmp"))
        #expect(sidecar.texts["photoshop:DateCreated"] == "2026-11-21T04:42:00+09:00")
    }

    @Test func `files and folders are their owner's alone`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo([1], mediaType: "image/jpeg", at: scene.clock.now)

        let receipt = try await scene.submitter.submit(scene.task(photo))

        for (name, mode) in [("", 0o700), ("/alice/2026", 0o700), ("/\(receipt.remoteID)", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(scene.folder.path)/archive\(name)")
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `a time that no calendar has gives way to the time Pics got the photo`() async throws {
        let scene = try ArchiveScene()
        let known = try scene.folder.photo([1], mediaType: "video/mp4", at: scene.clock.now)
        let photo = SamplePhoto(
            photo: OutgoingPhoto(
                isVideo: true, code: known.code, owner: "alice", takenAt: Date(timeIntervalSince1970: -1e12),
                createdAt: scene.clock.now),
            file: known.file)

        let receipt = try await scene.submitter.submit(scene.task(photo))

        #expect(receipt.remoteID == "alice/2026/2026-11-21_194200_\(photo.code).mp4")
    }

    @Test func `a sidecar says what the photo's owner said`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo([1], mediaType: "image/jpeg", at: scene.clock.now)
        let text = "Föhn & <rain> ]]> \"'\u{0}\u{1B}\u{B}\u{FFFE}\u{FFFF}\r\nsecond\rthird\t🏔️"

        let receipt = try await scene.submitter.submit(scene.task(photo, text: text, altText: "A <lake>"))

        let packet = scene.folder.contents("archive/\(receipt.remoteID).xmp")
        let sidecar = XMPReading(packet)
        #expect(sidecar.isWellFormed)
        #expect(sidecar.texts["dc:description"] == "Föhn & <rain> ]]> \"'\nsecond\nthird\t🏔️")
        #expect(sidecar.texts["Iptc4xmpCore:AltTextAccessibility"] == "A <lake>")
        #expect(sidecar.texts["dc:identifier"] == "https://pics.test/Ab3dE9xZ")
        #expect(sidecar.texts["photoshop:DateCreated"] == "2026-11-20T19:42:00Z")
        #expect(sidecar.texts["xmp:MetadataDate"] == "2026-11-21T19:42:00Z")
        #expect(packet.starts(with: Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8)))
    }

    @Test func `writing a photo again changes nothing`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: scene.clock.now)
        let first = try await scene.submitter.submit(scene.task(photo))
        let file = "\(scene.folder.path)/archive/\(first.remoteID)"
        let before = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int

        let second = try await scene.submitter.submit(scene.task(photo))

        #expect(second == first)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == before)
    }

    @Test func `a photo whose caption has changed gets a new sidecar`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo([1], mediaType: "image/jpeg", at: scene.clock.now)
        _ = try await scene.submitter.submit(scene.task(photo))

        let receipt = try await scene.submitter.submit(scene.task(photo, text: "Foehn"))

        let sidecar = XMPReading(scene.folder.contents("archive/\(receipt.remoteID).xmp"))
        #expect(sidecar.texts["dc:description"] == "Foehn")
    }

    @Test func `a link in place of a folder is not followed`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo([1], mediaType: "image/jpeg", at: scene.clock.now)
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(scene.folder.path)/archive", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: "\(scene.folder.path)/elsewhere", withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: "\(scene.folder.path)/archive/alice", withDestinationPath: "\(scene.folder.path)/elsewhere")

        #expect(await meaning { try await scene.submitter.submit(scene.task(photo)) } == .temporary)
        #expect(try manager.contentsOfDirectory(atPath: "\(scene.folder.path)/elsewhere") == [])
    }

    @Test func `a link in place of the file is replaced, and what it points to stays`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: scene.clock.now)
        let receipt = try await scene.submitter.submit(scene.task(photo))
        let file = "\(scene.folder.path)/archive/\(receipt.remoteID)"
        let target = "\(scene.folder.path)/target"
        try Data("victim!".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)

        _ = try await scene.submitter.submit(scene.task(photo))

        #expect(scene.folder.contents("target") == Array("victim!".utf8))
        #expect(scene.folder.contents("archive/\(receipt.remoteID)") == Array("picture".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == .typeRegular)
    }

    @Test func `what a killed try has left is taken away`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: scene.clock.now)
        let year = "\(scene.folder.path)/archive/alice/2026"
        try FileManager.default.createDirectory(atPath: year, withIntermediateDirectories: true)
        let remains = "\(year)/.2026-11-20_194200_\(photo.code).jpg.part"
        try Data("half".utf8).write(to: URL(fileURLWithPath: remains))

        let receipt = try await scene.submitter.submit(scene.task(photo))

        #expect(scene.folder.archivedRemains.isEmpty)
        #expect(scene.folder.contents("archive/\(receipt.remoteID)") == Array("picture".utf8))
    }

    @Test(arguments: ["../bob", "", "a/b", "Alice", ".", "ali\u{0}ce"])
    func `a name that is no safe folder is refused`(owner: String) async throws {
        let scene = try ArchiveScene()
        let known = try scene.folder.photo([1], mediaType: "image/jpeg", at: scene.clock.now)
        let photo = SamplePhoto(
            photo: OutgoingPhoto(
                isVideo: false, code: known.code, owner: owner, takenAt: nil, createdAt: scene.clock.now),
            file: known.file)

        #expect(await meaning { try await scene.submitter.submit(scene.task(photo)) } == .rejected)
    }

    @Test func `progress is told while the photo is copied`() async throws {
        let scene = try ArchiveScene()
        let content = [UInt8](repeating: 7, count: 2_500_000)
        let photo = try scene.folder.photo(content, mediaType: "image/jpeg", at: scene.clock.now)
        let steps = Lock([Int64]())

        _ = try await scene.submitter.submit(
            scene.task(photo, progress: { sent, _ in steps.withLock { $0.append(sent) } }))

        #expect(steps.withLock { $0 } == [1 << 20, 2 << 20, 2_500_000])
    }

    @Test func `a copy that is cancelled leaves no photo`() async throws {
        let scene = try ArchiveScene()
        let content = [UInt8](repeating: 7, count: 2_500_000)
        let photo = try scene.folder.photo(content, mediaType: "image/jpeg", at: scene.clock.now)

        let attempt = Box<Task<Meaning?, Never>?>(nil)
        let isKnown = Signal()
        let work = Task {
            await isKnown.wait()
            return await meaning {
                // The first piece is there, and two are missing.
                try await scene.submitter.submit(
                    scene.task(photo, progress: { _, _ in attempt.value?.cancel() }))
            }
        }
        attempt.update { $0 = work }
        isKnown.fire()

        #expect(await work.value == .cancelled)
        #expect(scene.folder.archivedPaths.isEmpty)
    }

    @Test func `an original that is gone is trouble that may pass`() async throws {
        let scene = try ArchiveScene()
        let photo = try scene.folder.photo([1, 2, 3], mediaType: "image/jpeg", at: scene.clock.now)
        try FileManager.default.removeItem(atPath: photo.file.path)

        #expect(await meaning { try await scene.submitter.submit(scene.task(photo)) } == .temporary)
    }
}

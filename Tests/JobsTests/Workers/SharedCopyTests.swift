internal import Blobs
internal import Crypto
internal import Domain
internal import Foundation
internal import Media
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// Copies that attempts want at the same time.
@Suite(.timeLimit(.minutes(5)))
struct SharedCopyTests {
    /// Writes what it was asked for into its files, and counts.
    private struct Tools: CopyTools {
        let works = Box<[String]>([])

        private func write(_ work: String, to output: String) {
            works.update { $0.append(work) }
            _ = FileManager.default.createFile(atPath: output, contents: Data(work.utf8))
        }

        func probe(_ path: String) async throws(MediaError) -> PictureFacts { throw .refused(.unsupported) }

        func render(
            _ path: String, to output: String, as rendition: Rendition
        ) async throws(MediaError) -> RenderedFacts {
            write("quality \(rendition.quality)", to: output)
            return RenderedFacts(width: rendition.quality, height: 1, bytes: 1, mediaType: "image/jpeg")
        }

        func strip(_ path: String, to output: String, _ rules: StripRules) async throws(MediaError) {
            write("position \(rules.keepsPosition), tags \(rules.tags?.caption ?? "-")", to: output)
        }

        func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
            write("tags \(tags.caption ?? "-") in \(path.hasSuffix("-plain") ? "a copy" : "the blob")", to: output)
        }
    }

    /// A blob, and attempts that share its copies.
    private struct Place {
        let tools = Tools()
        let copies = SharedCopies()
        let blobs: BlobStore
        let digest: SHA256Digest
        let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            blobs = try SharedParts.blobs(in: folder.path)
            digest = try await blobs.put(Array("a picture".utf8)).digest
        }

        var original: String { blobs.path(of: digest) }

        func attempt() -> CopyShare { CopyShare(copies, of: digest, in: blobs, tools: tools) }

        func path(_ name: String) -> String { "\(folder.path)/\(name)" }

        func text(_ name: String) -> String? {
            FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `attempts that want the same get one file under names of their own`() async throws {
        let place = try await Place()
        let attempts = (0..<5).map { _ in place.attempt() }
        try await withThrowingTaskGroup { group in
            for (number, attempt) in attempts.enumerated() {
                group.addTask { try await attempt.strip(place.original, to: place.path("\(number)"), StripRules()) }
            }
            try await group.waitForAll()
        }
        #expect(place.tools.works.value == ["position false, tags -"])
        for number in 0..<5 {
            #expect(place.text("\(number)") == "position false, tags -")
            try FileManager.default.removeItem(atPath: place.path("\(number)"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == ["blobs"])
        _ = attempts
    }

    @Test func `who wants anything else gets a file of its own`() async throws {
        let place = try await Place()
        let attempts = (0..<7).map { _ in place.attempt() }
        let (tags, others) = (PictureTags(caption: "A"), PictureTags(caption: "B"))
        try await attempts[0].strip(place.original, to: place.path("0"), StripRules())
        try await attempts[1].strip(place.original, to: place.path("1"), StripRules(keepsPosition: true))
        try await attempts[2].strip(place.original, to: place.path("2"), StripRules(tags: tags))
        try await attempts[3].strip(place.original, to: place.path("3"), StripRules(tags: others))
        try await attempts[4].tag(place.original, to: place.path("4"), with: tags)
        for quality in [5, 6] {
            let facts = try await attempts[quality].render(
                place.original, to: place.path("\(quality)"),
                as: Rendition(.inside(maxSide: 9), .jpeg, quality: quality))
            #expect(facts.width == quality)
        }
        let expected = [
            "position false, tags -", "position true, tags -", "position false, tags A", "position false, tags B",
            "tags A in the blob", "quality 5", "quality 6",
        ]
        #expect((0..<7).map { place.text("\($0)") } == expected)
        #expect(place.tools.works.value == expected)
    }

    @Test func `a copy of an attempt's own file is its own`() async throws {
        let place = try await Place()
        let attempts = [place.attempt(), place.attempt()]
        for (number, attempt) in attempts.enumerated() {
            try await attempt.tag(
                place.path("same-plain"), to: place.path("\(number)"), with: PictureTags(caption: "A"))
        }
        #expect(place.tools.works.value == ["tags A in a copy", "tags A in a copy"])
    }

    @Test func `a copy is made anew after its last name went`() async throws {
        let place = try await Place()
        let attempts = [place.attempt(), place.attempt()]
        try await attempts[0].strip(place.original, to: place.path("0"), StripRules())
        try FileManager.default.removeItem(atPath: place.path("0"))
        try await attempts[1].strip(place.original, to: place.path("1"), StripRules())
        #expect(place.text("1") == "position false, tags -")
        #expect(place.tools.works.value.count == 2)
    }

    @Test func `a name that another file has is no copy`() async throws {
        let place = try await Place()
        let attempts = [place.attempt(), place.attempt()]
        try await attempts[0].strip(place.original, to: place.path("0"), StripRules())
        _ = FileManager.default.createFile(atPath: place.path("1"), contents: Data("something else".utf8))
        try await attempts[1].strip(place.original, to: place.path("1"), StripRules())
        #expect(place.text("1") == "position false, tags -")
    }

    @Test func `the file is compared with its digest once for attempts that run at the same time`() async throws {
        let place = try await Place()
        let first = place.attempt()
        try await first.check()
        try Data("damaged!!".utf8).write(to: URL(filePath: place.original))
        try await place.attempt().check()
        _ = first
    }

    @Test func `the file is compared anew when no other attempt runs`() async throws {
        let place = try await Place()
        try await place.attempt().check()
        try Data("damaged!!".utf8).write(to: URL(filePath: place.original))
        let damaged = SubmissionError.fileUnavailable(SubmissionProblem(Problem(.fileDamaged)))
        await until {
            do throws(SubmissionError) {
                try await place.attempt().check()
                return false
            } catch {
                return error == damaged
            }
        }
    }

    @Test func `a photo for three accounts leaves for all of them, and no copy stays`() async throws {
        let service = ScriptedSubmitter(
            concurrency: 1, media: MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20))
        let left = Box<[Data?]>([])
        let isMade = Signal()
        for _ in 0..<3 {
            service.play { task throws(SubmissionError) in
                let file = try await task.file()
                let content = await SharedParts.content(of: file.path)
                left.update { $0.append(content) }
                if left.value.count == 3 { isMade.fire() }
                await isMade.wait()
                return ScriptedSubmitter.receipt(task.submission)
            }
        }
        try await withDarkroom { room in
            let picture = try room.bytes(of: try await room.picture("a.jpg", ["-SerialNumber=secret"]))
            try await withBench(service, media: room.media) { bench in
                var accounts: [AccountID] = []
                for name in ["a", "b", "c"] { accounts.append(try await bench.connect(name)) }
                let ids = try await bench.submit(picture, to: accounts)
                _ = bench.start()
                for id in ids { #expect(try await bench.ended(id).state == .done) }
                #expect(try FileManager.default.contentsOfDirectory(atPath: bench.context.copiesFolder) == ["blobs"])
            }
            #expect(left.value.count == 3 && Set(left.value).count == 1)
            let path = room.path("left.jpg")
            try #require(left.value[0]).write(to: URL(filePath: path))
            let tags = try await room.tags(of: path)
            #expect(!tags.values.contains("secret") && tags["IFD0:ImageDescription"] == "A harbour")
        }
    }
}

extension Bench {
    /// Stores a photo that is to go to several accounts.
    fileprivate func submit(_ picture: [UInt8], to accounts: [AccountID]) async throws -> [SubmissionID] {
        let blob = try await context.blobs.put(picture)
        let photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(blob.digest.bytes)),
            bytes: blob.bytes, mediaType: "image/jpeg", kind: .photo, width: 160, height: 120, takenAt: nil,
            position: nil, exif: "{}", caption: "A harbour", altText: "", visibility: .public)
        let plan = PlannedCaption(text: "A harbour", isCut: false, length: 9, limit: 140, unit: .codePoints)
        let submissions = accounts.map { account in
            NewSubmission(
                id: .make(), connection: account, plan: plan, bytes: blob.bytes, maximumAttempts: 12,
                maximumAge: .seconds(86_400))
        }
        try await store.create(photo, submissions: submissions)
        return submissions.map(\.id)
    }
}

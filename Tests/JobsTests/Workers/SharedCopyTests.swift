internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
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
    /// Writes what it was asked for into new files, once it may, and counts.
    private struct Tools: CopyTools {
        let works = Box<[String]>([])
        let mayWrite = Signal()

        private func write(_ work: String, to output: String) async throws(MediaError) {
            works.update { $0.append(work) }
            try await mayWrite.wait(orThrow: MediaError.cancelled)
            do { try Data(work.utf8).write(to: URL(filePath: output), options: .withoutOverwriting) } catch {
                throw .failed(detail: "\(error)")
            }
        }

        func probe(_ path: String) async throws(MediaError) -> PictureFacts { throw .refused(.unsupported) }

        func render(
            _ path: String, to output: String, as rendition: Rendition
        ) async throws(MediaError) -> RenderedFacts {
            try await write("quality \(rendition.quality)", to: output)
            return RenderedFacts(width: rendition.quality, height: 1, bytes: 1, mediaType: "image/jpeg")
        }

        func strip(_ path: String, to output: String, _ rules: StripRules) async throws(MediaError) {
            try await write("position \(rules.keepsPosition), tags \(rules.tags?.caption ?? "-")", to: output)
        }

        func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
            let place = path.hasSuffix("-plain") ? "a copy" : "the blob"
            try await write("tags \(tags.caption ?? "-") in \(place)", to: output)
        }
    }

    /// Blobs, and attempts that share their copies.
    private struct Place {
        let tools = Tools()
        let copies = SharedCopies()
        let owner = UserID.make()
        let blobs: BlobStore
        let digest: SHA256Digest
        let folder: TemporaryFolder

        /// Copies wait for `tools.mayWrite` if they are held. Throws when the folder or the blob cannot be made.
        init(isHeld: Bool = false) async throws {
            folder = try TemporaryFolder()
            blobs = try SharedParts.blobs(in: folder.path)
            digest = try await blobs.put(Array("a picture".utf8)).digest
            if !isHeld { tools.mayWrite.fire() }
        }

        func attempt(of other: SHA256Digest? = nil, owner: UserID? = nil) -> CopyShare {
            CopyShare(copies, of: other ?? digest, owner: owner ?? self.owner, in: blobs, tools: tools)
        }

        func strip(
            _ attempt: CopyShare, to name: String, _ rules: StripRules = StripRules(),
            of other: SHA256Digest? = nil
        ) async throws(MediaError) {
            try await attempt.strip(blobs.path(of: other ?? digest), to: path(name), rules)
        }

        func path(_ name: String) -> String { "\(folder.path)/\(name)" }

        func text(_ name: String) -> String? {
            FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
        }

        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

        func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
    }

    @Test func `attempts that want the same get one file under names of their own`() async throws {
        let place = try await Place(isHeld: true)
        do {
            let attempts = (0..<5).map { _ in place.attempt() }
            let waiting = attempts.enumerated().map { number, attempt in
                Task { try await place.strip(attempt, to: "\(number)") }
            }
            await until { place.tools.works.value.count == 1 }
            place.tools.mayWrite.fire()
            for task in waiting { try await task.value }
            for number in 0..<5 {
                #expect(place.text("\(number)") == "position false, tags -")
                try place.remove("\(number)")
            }
            try await place.strip(place.attempt(), to: "5")
            withExtendedLifetime(attempts) {}
            try place.remove("5")
        }
        #expect(place.tools.works.value == ["position false, tags -"])
        try await until { try place.names() == ["blobs"] }
    }

    @Test func `who wants anything else gets a file of its own`() async throws {
        let place = try await Place()
        let (tags, others) = (PictureTags(caption: "é"), PictureTags(caption: "e\u{301}"))
        let other = try await place.blobs.put(Array("another picture".utf8)).digest
        let attempts = [
            place.attempt(), place.attempt(), place.attempt(), place.attempt(), place.attempt(),
            place.attempt(owner: .make()), place.attempt(of: other), place.attempt(), place.attempt(), place.attempt(),
        ]
        try await place.strip(attempts[0], to: "0")
        try await place.strip(attempts[1], to: "1", StripRules(keepsPosition: true))
        try await place.strip(attempts[2], to: "2", StripRules(tags: tags))
        try await place.strip(attempts[3], to: "3", StripRules(tags: others))
        try await attempts[4].tag(place.blobs.path(of: place.digest), to: place.path("4"), with: tags)
        try await place.strip(attempts[5], to: "5")
        try await place.strip(attempts[6], to: "6", of: other)
        var turned = Recipe()
        turned.enhance = true
        for (number, quality, recipe) in [(7, 70, nil), (8, 80, nil), (9, 80, turned)] {
            let facts = try await attempts[number].render(
                place.blobs.path(of: place.digest), to: place.path("\(number)"),
                as: Rendition(.inside(maxSide: 9), .jpeg, quality: quality, recipe: recipe))
            #expect(facts.width == quality)
        }
        let expected = [
            "position false, tags -", "position true, tags -", "position false, tags é",
            "position false, tags e\u{301}", "tags é in the blob", "position false, tags -", "position false, tags -",
            "quality 70", "quality 80", "quality 80",
        ]
        withExtendedLifetime(attempts) {
            #expect((0..<10).map { place.text("\($0)").map { Array($0.utf8) } } == expected.map { Array($0.utf8) })
            #expect(place.tools.works.value.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        }
    }

    @Test func `a copy of an attempt's own file is its own`() async throws {
        let place = try await Place()
        let attempts = [place.attempt(), place.attempt()]
        for (number, attempt) in attempts.enumerated() {
            try await attempt.tag(
                place.path("same-plain"), to: place.path("\(number)"), with: PictureTags(caption: "A"))
        }
        withExtendedLifetime(attempts) {
            #expect(place.tools.works.value == ["tags A in a copy", "tags A in a copy"])
        }
    }

    @Test func `an attempt that was cancelled leaves the copy to the one that waits with it`() async throws {
        let place = try await Place(isHeld: true)
        let attempts = [place.attempt(), place.attempt()]
        let first = Task { try await place.strip(attempts[0], to: "0") }
        await until { place.tools.works.value.count == 1 }
        let second = Task { try await place.strip(attempts[1], to: "1") }
        let key = try #require(attempts[0].key(of: .strip(StripRules())))
        await until { place.copies.files.waiting(for: key) == 2 }
        first.cancel()
        await until { place.copies.files.waiting(for: key) == 1 }
        place.tools.mayWrite.fire()
        try await first.value
        try await second.value
        #expect(place.tools.works.value.count == 1)
        withExtendedLifetime(attempts) { #expect(place.text("1") == "position false, tags -") }
    }

    @Test func `without hard links each attempt makes its own`() async throws {
        let place = try await Place()
        let attempts = [place.attempt(), place.attempt()]
        try await place.strip(attempts[0], to: "0")
        let elsewhere = try #require(["/var/tmp", "/dev/shm"].first { device($0) != device(place.folder.path) })
        let other = "\(elsewhere)/pics-copy-\(UUID().uuidString)"
        defer { unlink(other) }
        try await attempts[1].strip(place.blobs.path(of: place.digest), to: other, StripRules())
        #expect(place.tools.works.value.count == 2)
        withExtendedLifetime(attempts) { #expect(FileManager.default.fileExists(atPath: other)) }
    }

    private func device(_ path: String) -> UInt {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_dev : 0
    }

    @Test func `a name that another file has is left alone`() async throws {
        let place = try await Place()
        try Data("something else".utf8).write(to: URL(filePath: place.path("0")))
        await #expect(throws: MediaError.self) { try await place.strip(place.attempt(), to: "0") }
        #expect(place.text("0") == "something else")
    }

    @Test func `a further name is as young as the attempt that has it`() async throws {
        let place = try await Place()
        let attempts = [place.attempt(), place.attempt()]
        try await place.strip(attempts[0], to: "0")
        let hours = Date().addingTimeInterval(-7200)
        try FileManager.default.setAttributes([.modificationDate: hours], ofItemAtPath: place.path("0"))
        try await place.strip(attempts[1], to: "1")
        let made = try FileManager.default.attributesOfItem(atPath: place.path("1"))[.modificationDate] as? Date
        withExtendedLifetime(attempts) { #expect(made.map { $0.timeIntervalSinceNow > -3600 } == true) }
    }

    @Test func `a file that was damaged after the check of an attempt that runs is refused to the next`() async throws {
        let place = try await Place()
        try await OutgoingPost.check(place.digest, in: place.blobs)
        let first = place.attempt()
        try await place.strip(first, to: "0")
        try Data("damaged!!".utf8).write(to: URL(filePath: place.blobs.path(of: place.digest)))
        await #expect(throws: SubmissionError.fileUnavailable(SubmissionProblem(Problem(.fileDamaged)))) {
            try await OutgoingPost.check(place.digest, in: place.blobs)
        }
        withExtendedLifetime(first) {}
    }

    @Test func `a photo for three accounts leaves as one file for all of them, and no copy stays`() async throws {
        let service = ScriptedSubmitter(
            concurrency: 1, media: MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20))
        let left = Box<[Data?]>([])
        let names = Box<[UInt]>([])
        let isMade = Signal()
        for _ in 0..<3 {
            service.play { task throws(SubmissionError) in
                let file = try await task.file()
                let content = await SharedParts.content(of: file.path)
                left.update { $0.append(content) }
                if left.value.count == 3 { isMade.fire() }
                await isMade.wait()
                let count = await SharedParts.threads.run {
                    var facts = stat()
                    return stat(file.path, &facts) == 0 ? facts.st_nlink : 0
                }
                names.update { $0.append(count) }
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
                try await until {
                    try FileManager.default.contentsOfDirectory(atPath: bench.context.copiesFolder) == ["blobs"]
                }
            }
            #expect(names.value.max() == 4, "one file under three names and its own")
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

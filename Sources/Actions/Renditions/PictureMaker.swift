package import Blobs
package import Domain
package import EventLoops
internal import FoundationEssentials
internal import Glibc
package import Logging
package import Media
package import Store

/// Makes public pictures and remembers them by content: the early ones when a photo comes in (`StoredPicture.early`), the others on
/// first view. Two views at once make one picture.
package actor PictureMaker {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PicsStore
    private let blobs: BlobStore
    private let media: MediaPool
    private let folder: String
    private let logger: Logger
    private var underWay: [Key: Task<RenditionRecord, any Error>] = [:]
    /// Renditions that cannot be made, and why: a file that costs a process is tried once, not with each view.
    private var refused: [Key: MediaError] = [:]
    private static let rememberedRefusals = 10_000
    private var made = 0
    /// Whose early pictures wait to be made; one is worked on at a time, and owners take turns.
    private var arrivals = FairLine<UserID, PictureSource>(limit: arrivalLimit)
    private var isServingArrivals = false
    private static let arrivalLimit = 256
    /// Whether the database has more that waits than `arrivals`, and up to where it was looked through.
    private var isBehind = false
    private var lastRead: PendingPhoto?
    private static let pageLength = 64
    /// Before the pool is asked again when too many wait for it.
    private static let busyPause = Duration.seconds(1)
    /// Pixels of the longest side of a placeholder, and its bytes at most.
    private static let placeholderSide = 24
    private static let placeholderLimit = 2048

    private struct Key: Hashable {
        let blob: BlobID
        let picture: StoredPicture
    }

    /// Takes what it works with; in `folder` pictures are made before they become blobs.
    package init(
        store: PicsStore, blobs: BlobStore, media: MediaPool, folder: String, logger: Logger, loop: EventLoop
    ) {
        self.store = store
        self.blobs = blobs
        self.media = media
        self.folder = folder
        self.logger = logger
        self.loop = loop
    }

    /// The picture of a photo's file, made if need be as work for `owner`; `mayMake` is asked before, and refuses by throwing.
    package func picture(
        _ picture: StoredPicture, of source: BlobID, owner: UserID, mayMake: @Sendable () throws -> Void
    ) async throws -> RenditionRecord {
        let key = Key(blob: source, picture: picture)
        if let task = underWay[key] { return try await task.value }
        if let known = try await store.rendition(picture.name, of: source) { return known }
        if let refusal = refused[key] { throw refusal }
        if let task = underWay[key] { return try await task.value }
        try mayMake()
        return try await begin([picture], of: source, owner).pictures[0].value
    }

    /// The same with the name of the artist in it, if there is one.
    package func picture(
        _ picture: StoredPicture, of source: BlobID, owner: UserID, signedWith signature: String?,
        mayMake: @Sendable () throws -> Void
    ) async throws -> RenditionRecord {
        guard let signature, picture.takesSignature else {
            return try await self.picture(picture, of: source, owner: owner, mayMake: mayMake)
        }
        let name = picture.name(signedWith: signature)
        if let known = try await store.rendition(name, of: source) { return known }
        let plain = try await self.picture(picture, of: source, owner: owner, mayMake: mayMake)
        made += 1
        let path = "\(folder)/signed-\(ProcessInfo.processInfo.processIdentifier)-\(loop.name)-\(made)"
        defer { blobs.threads.start { unlink(path) } }
        try await media.working(for: owner, .view).tag(
            try await blobs.checkedPath(of: plain.blob.digest), to: path, with: PictureTags(artist: signature))
        let stored = try await blobs.put(fileAt: path)
        let record = RenditionRecord(
            name: name, blob: BlobID(stored.digest), mediaType: plain.mediaType, bytes: stored.bytes,
            width: plain.width, height: plain.height)
        try await store.addRendition(record, of: source)
        return record
    }

    // MARK: Arrivals

    /// Makes the early pictures of a photo that came in or got another recipe, in turn with those of other owners. Nobody waits
    /// for them; what is not made is made on first view.
    package func expect(_ source: PictureSource, of owner: UserID) {
        if arrivals.add(source, of: owner) != nil { isBehind = true }
        beginServing()
    }

    /// The same, for a caller that goes on at once.
    package nonisolated func expectSoon(_ source: PictureSource, of owner: UserID) {
        Task { await expect(source, of: owner) }
    }

    /// Makes the early pictures that photos wait for and nobody makes.
    package func catchUp() {
        isBehind = true
        beginServing()
    }

    private func beginServing() {
        guard !isServingArrivals else { return }
        isServingArrivals = true
        Task { await serveArrivals() }
    }

    private func serveArrivals() async {
        while let (owner, source) = await nextArrival() {
            do {
                try await makeEarly(source, owner)
            } catch MediaError.busy {
                if arrivals.add(source, of: owner) != nil { isBehind = true }
                do throws(CancellationError) { try await loop.sleep(for: Self.busyPause) } catch { break }
            } catch MediaError.stopped {
                // The next process goes on.
                break
            } catch {
                logger.info("pictures are left to the first view", ["file": source.blob, "error": logText(of: error)])
            }
        }
        isServingArrivals = false
    }

    private func nextArrival() async -> (owner: UserID, element: PictureSource)? {
        while arrivals.isEmpty, isBehind || lastRead != nil {
            // What is left out from now on is found from the begin.
            if lastRead == nil { isBehind = false }
            do {
                let page = try await store.pendingPhotos(after: lastRead, limit: Self.pageLength)
                for photo in page where arrivals.add(photo.source, of: photo.owner) != nil { isBehind = true }
                lastRead = page.last
            } catch {
                logger.warning("pictures that wait are not looked through", ["error": logText(of: error)])
                (isBehind, lastRead) = (false, nil)
            }
        }
        return arrivals.next()
    }

    private func makeEarly(_ source: PictureSource, _ owner: UserID) async throws {
        var missing: [StoredPicture] = []
        for picture in StoredPicture.early(recipe: source.recipe) {
            let key = Key(blob: source.blob, picture: picture)
            if refused[key] != nil { return try await store.refusePictures(of: source) }
            if underWay[key] != nil { continue }
            if try await store.rendition(picture.name, of: source.blob) == nil { missing.append(picture) }
        }
        // A view may have begun one of them meanwhile.
        missing.removeAll { underWay[Key(blob: source.blob, picture: $0)] != nil }
        guard !missing.isEmpty else { return try await store.settlePictures(of: source) }
        do {
            try await begin(missing, of: source.blob, owner).end.value
        } catch MediaError.refused, MediaError.failed {
            // What is too much together may not be too much alone; the first that is says so of the photo.
            for picture in missing { _ = try await self.picture(picture, of: source.blob, owner: owner) {} }
        }
    }

    // MARK: Making

    /// Makes pictures of one file, all in one go, and lets others wait for them: each is there as soon as it is made. At the end their
    /// photos are told.
    private func begin(
        _ pictures: [StoredPicture], of source: BlobID, _ owner: UserID
    ) -> (pictures: [Task<RenditionRecord, any Error>], end: Task<Void, any Error>) {
        made += 1
        let path = "\(folder)/picture-\(ProcessInfo.processInfo.processIdentifier)-\(loop.name)-\(made)"
        let files = pictures.indices.map { "\(path)-\($0)" }
        let streams = pictures.map { _ in AsyncThrowingStream<RenderedFacts, any Error>.makeStream() }
        let media = media.working(for: owner, .view)
        let tasks = pictures.indices.map { index in
            Task {
                defer { underWay[Key(blob: source, picture: pictures[index])] = nil }
                for try await facts in streams[index].stream {
                    return try await keep(pictures[index], facts, at: files[index], of: source, with: media)
                }
                throw MediaError.failed(detail: "pics-media told of no \(pictures[index].name)")
            }
        }
        for (picture, task) in zip(pictures, tasks) { underWay[Key(blob: source, picture: picture)] = task }
        let end = Task {
            defer { blobs.threads.start { for file in files { unlink(file) } } }
            do {
                let original = try await blobs.checkedPath(of: source.digest)
                let names = pictures.map(\.name).joined(separator: ",")
                try await render(pictures, of: original, to: files, with: media) { [logger] index, facts in
                    // Before anybody gets the last one.
                    if index == pictures.count - 1 { logger.info("pictures made", ["file": source, "names": names]) }
                    streams[index].continuation.yield(facts)
                }
            } catch {
                if let refusal = error as? MediaError, case .refused = refusal, pictures.count == 1 {
                    remember(refusal, for: Key(blob: source, picture: pictures[0]))
                    await settle(pictures, of: source, isRefused: true)
                }
                for stream in streams { stream.continuation.finish(throwing: error) }
                // Pictures that were made already are kept, and no view joins one that has failed.
                for task in tasks { _ = await task.result }
                throw error
            }
            for stream in streams { stream.continuation.finish() }
            for task in tasks { _ = try await task.value }
            await settle(pictures, of: source, isRefused: false)
        }
        return (tasks, end)
    }

    private func remember(_ refusal: MediaError, for key: Key) {
        if refused.count >= Self.rememberedRefusals { refused = [:] }
        refused[key] = refusal
    }

    /// Tells what the pictures mean for their photos, if they are some of those that are made early.
    private func settle(_ pictures: [StoredPicture], of blob: BlobID, isRefused: Bool) async {
        guard let picture = pictures.first(where: \.isMadeEarly) else { return }
        let source = PictureSource(blob: blob, recipe: picture.recipe)
        do {
            try await isRefused ? store.refusePictures(of: source) : store.settlePictures(of: source)
        } catch {
            logger.warning("the state of a photo's pictures not kept", ["error": logText(of: error)])
        }
    }

    /// Remembers a picture that lies at `file`, with its placeholder if it has one.
    private func keep(
        _ picture: StoredPicture, _ facts: RenderedFacts, at file: String, of source: BlobID, with media: MediaPool
    ) async throws -> RenditionRecord {
        let stored = try await blobs.put(fileAt: file)
        let record = RenditionRecord(
            name: picture.name, blob: BlobID(stored.digest), mediaType: facts.mediaType, bytes: stored.bytes,
            width: facts.width, height: facts.height)
        let hasPlaceholder = picture == .withPlaceholder(recipe: picture.recipe)
        let placeholder = hasPlaceholder ? await placeholder(of: file, with: media) : nil
        try await store.addRendition(record, of: source)
        if let placeholder { try await store.setPlaceholder(placeholder, of: picture, from: source) }
        return record
    }

    /// A WebP of a few pixels; nil when it cannot be made: the page goes without.
    private func placeholder(of picture: String, with media: MediaPool) async -> [UInt8]? {
        let file = "\(picture)-placeholder"
        defer { blobs.threads.start { unlink(file) } }
        do {
            let rendition = Rendition(.inside(maxSide: Self.placeholderSide), .webp, quality: 40, keepsAnimation: false)
            _ = try await media.render(picture, [(rendition: rendition, output: file)])
            let bytes = try await blobs.threads.run { Array(try Data(contentsOf: URL(filePath: file))) }
            return 1...Self.placeholderLimit ~= bytes.count ? bytes : nil
        } catch {
            logger.info("no placeholder made", ["file": picture, "error": logText(of: error)])
            return nil
        }
    }

    private func render(
        _ pictures: [StoredPicture], of source: String, to outputs: [String], with media: MediaPool,
        report: @escaping @Sendable (Int, RenderedFacts) -> Void
    ) async throws(MediaError) {
        do throws(MediaError) {
            _ = try await media.render(source, wanted(pictures, outputs, moves: true), report: report)
        } catch .refused(.tooManyPixels) {
            // All frames of an animation together may be too much where one is not.
            _ = try await media.render(source, wanted(pictures, outputs, moves: false), report: report)
        }
    }

    private func wanted(
        _ pictures: [StoredPicture], _ outputs: [String], moves: Bool
    ) -> [(rendition: Rendition, output: String)] {
        zip(pictures, outputs).map { (rendition: Rendition($0, moves: moves), output: $1) }
    }
}

extension Rendition {
    /// How a public picture is made; one that `moves` keeps the frames of an animation, where the format can.
    fileprivate init(_ picture: StoredPicture, moves: Bool) {
        let side = picture.rendition.side
        let fit: Fit = picture.rendition.isSquare ? .square(side: side) : .inside(maxSide: side)
        // About the same to the eye.
        let (format, quality): (Format, Int) =
            switch picture.format {
            case .jpeg: (.jpeg, 82)
            case .webp: (.webp, 80)
            case .avif: (.avif, 55)
            }
        self.init(fit, format, quality: quality, keepsAnimation: moves, recipe: picture.recipe)
    }
}

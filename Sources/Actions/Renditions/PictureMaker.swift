package import Blobs
package import Domain
package import EventLoops
internal import FoundationEssentials
internal import Glibc
package import Logging
package import Media
package import Store

/// Makes public pictures and remembers them by content: the small ones when a photo comes in, the others on first view. Two
/// views at once make one picture.
package actor PictureMaker {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PicsStore
    private let blobs: BlobStore
    private let media: MediaPool
    private let folder: String
    private let logger: Logger
    private var underWay: [Key: Task<[StoredPicture: RenditionRecord], any Error>] = [:]
    /// Renditions that cannot be made, and why: a file that costs a process is tried once, not with each view.
    private var refused: [Key: MediaError] = [:]
    private static let rememberedRefusals = 10_000
    private var made = 0
    /// Whose small pictures wait to be made; one is worked on at a time, and owners take turns.
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
        if let task = underWay[key] { return try await record(picture, of: task) }
        if let known = try await store.rendition(picture.name, of: source) { return known }
        if let refusal = refused[key] { throw refusal }
        if let task = underWay[key] { return try await record(picture, of: task) }
        try mayMake()
        return try await record(picture, of: begin([picture], of: source, owner))
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

    /// Makes the small pictures of a photo that came in or got another recipe, in turn with those of other owners. Nobody waits
    /// for them; what is not made is made on first view.
    package func expect(_ source: PictureSource, of owner: UserID) {
        if arrivals.add(source, of: owner) != nil { isBehind = true }
        beginServing()
    }

    /// The same, for a caller that goes on at once.
    package nonisolated func expectSoon(_ source: PictureSource, of owner: UserID) {
        Task { await expect(source, of: owner) }
    }

    /// Makes the small pictures that photos wait for and nobody makes.
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
            _ = try await begin(missing, of: source.blob, owner).value
        } catch MediaError.refused {
            // What is too much together may not be too much alone; the first that is says so of the photo.
            for picture in missing where underWay[Key(blob: source.blob, picture: picture)] == nil {
                _ = try await begin([picture], of: source.blob, owner).value
            }
        }
    }

    // MARK: Making

    private func record(
        _ picture: StoredPicture, of task: Task<[StoredPicture: RenditionRecord], any Error>
    ) async throws -> RenditionRecord {
        guard let record = try await task.value[picture] else { throw StoreError.notFound }
        return record
    }

    /// Makes pictures of one file, all in one go, and lets others wait for the same.
    private func begin(
        _ pictures: [StoredPicture], of source: BlobID, _ owner: UserID
    ) -> Task<[StoredPicture: RenditionRecord], any Error> {
        let keys = pictures.map { Key(blob: source, picture: $0) }
        let task = Task {
            defer { for key in keys { underWay[key] = nil } }
            do {
                let records = try await make(pictures, of: source, with: media.working(for: owner, .view))
                await settle(keys, isRefused: false)
                return records
            } catch let error as MediaError {
                if case .refused = error, keys.count == 1 {
                    remember(error, for: keys)
                    await settle(keys, isRefused: true)
                }
                throw error
            }
        }
        for key in keys { underWay[key] = task }
        return task
    }

    private func remember(_ refusal: MediaError, for keys: [Key]) {
        if refused.count >= Self.rememberedRefusals { refused = [:] }
        for key in keys { refused[key] = refusal }
    }

    /// Tells what the pictures mean for their photos, if they are some of those that are made early.
    private func settle(_ keys: [Key], isRefused: Bool) async {
        guard let key = keys.first(where: { $0.picture.isMadeEarly }) else { return }
        let source = PictureSource(blob: key.blob, recipe: key.picture.recipe)
        do {
            try await isRefused ? store.refusePictures(of: source) : store.settlePictures(of: source)
        } catch {
            logger.warning("the state of a photo's pictures not kept", ["error": logText(of: error)])
        }
    }

    private func make(
        _ pictures: [StoredPicture], of source: BlobID, with media: MediaPool
    ) async throws -> [StoredPicture: RenditionRecord] {
        made += 1
        let path = "\(folder)/picture-\(ProcessInfo.processInfo.processIdentifier)-\(loop.name)-\(made)"
        let outputs = pictures.indices.map { "\(path)-\($0)" }
        defer { blobs.threads.start { for output in outputs { unlink(output) } } }
        let original = try await blobs.checkedPath(of: source.digest)
        let facts = try await render(pictures, of: original, to: outputs, with: media)
        let placeholder = await placeholder(of: pictures, outputs, with: media)
        var records: [StoredPicture: RenditionRecord] = [:]
        for (index, picture) in pictures.enumerated() {
            let stored = try await blobs.put(fileAt: outputs[index])
            let record = RenditionRecord(
                name: picture.name, blob: BlobID(stored.digest), mediaType: facts[index].mediaType, bytes: stored.bytes,
                width: facts[index].width, height: facts[index].height)
            try await store.addRendition(record, of: source)
            if let placeholder, picture == placeholder.picture {
                try await store.setPlaceholder(placeholder.bytes, of: picture, from: source)
            }
            records[picture] = record
        }
        logger.info(
            "pictures made", ["file": source, "names": pictures.map(\.name).joined(separator: ",")])
        return records
    }

    /// A WebP of a few pixels, made of the picture that it is kept with; nil when none of them is, or it cannot be made: the
    /// page goes without.
    private func placeholder(
        of pictures: [StoredPicture], _ files: [String], with media: MediaPool
    ) async -> (picture: StoredPicture, bytes: [UInt8])? {
        guard let index = pictures.firstIndex(where: { $0 == .withPlaceholder(recipe: $0.recipe) }) else { return nil }
        let file = "\(files[index])-placeholder"
        defer { blobs.threads.start { unlink(file) } }
        do {
            let rendition = Rendition(.inside(maxSide: Self.placeholderSide), .webp, quality: 40, keepsAnimation: false)
            _ = try await media.render(files[index], [(rendition: rendition, output: file)])
            let bytes = try await blobs.threads.run { Array(try Data(contentsOf: URL(filePath: file))) }
            return 1...Self.placeholderLimit ~= bytes.count ? (pictures[index], bytes) : nil
        } catch {
            logger.info("no placeholder made", ["file": files[index], "error": logText(of: error)])
            return nil
        }
    }

    private func render(
        _ pictures: [StoredPicture], of source: String, to outputs: [String], with media: MediaPool
    ) async throws -> [RenderedFacts] {
        do {
            return try await media.render(source, wanted(pictures, outputs, moves: true))
        } catch MediaError.refused(.tooManyPixels) {
            // All frames of an animation together may be too much where one is not.
            return try await media.render(source, wanted(pictures, outputs, moves: false))
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

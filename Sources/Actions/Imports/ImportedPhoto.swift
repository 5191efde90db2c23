internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import HTTP
internal import Imports
internal import Media
internal import Store
internal import System

/// The name of an item among all that its owner has imported.
struct ImportKey: Equatable {
    /// 32 bytes.
    let bytes: [UInt8]

    /// Of an item that its source has named.
    init(_ source: ImportSource, identity: String) {
        bytes = SHA256Digest(of: "\(source.rawValue)\u{0}\(identity)").bytes
    }

    /// Of a file that nobody has named: the same from every source.
    init(_ digest: SHA256Digest) { bytes = SHA256Digest(of: "bytes\u{0}\(digest.hex)").bytes }
}

extension ImportRun {
    /// Whether an item was imported before, and has a photo still; counts it then.
    func endKnown(_ key: ImportKey, _ album: String?) async throws -> Bool {
        guard let known = try await actions.store.imported(key.bytes, of: user.id) else { return false }
        count(known)
        try await fill(album, of: known.photo)
        return true
    }

    private func fill(_ album: String?, of photo: PhotoID) async throws {
        guard let album = album.flatMap(Self.album) else { return }
        try await actions.store.fillAlbum(album, of: photo, importedBy: id)
    }

    /// Creates the photos of a post whose files are there, unless its owner has it already; counts it.
    ///
    /// - Throws: `ImportProblem` and what `PhotoActions.create` throws.
    func create(
        _ item: ImportItem, of source: ImportSource, _ paths: [String], fileDate: Date?, in zone: Zone
    ) async throws {
        let digests = try await threads.run { try paths.map { try Self.digest(of: $0) } }
        guard let first = digests.first else { throw ImportProblem.missing }
        let key = item.identity.map { ImportKey(source, identity: $0) } ?? ImportKey(first)
        if item.identity == nil, try await endKnown(key, item.album) { return }
        if let known = try await actions.store.photo(ofAny: [BlobID(first)], owner: user.id) {
            try await fill(item.album, of: known)
            return countKnown()
        }
        let origin = PhotoOrigin(
            importID: id, key: key.bytes, publishedAt: item.publishedAt, fileDate: fileDate,
            taken: item.photos.map { photo in
                let byClock = photo.takenByClock.flatMap { CameraTime($0, in: zone) }
                return photo.taken ?? byClock.map { TakenTime($0.date, offset: $0.offset) }
            }, likes: item.likes)
        let creation = PhotoCreation(draft(of: item), from: origin, for: nil) { _, _ in
            StoredResponse(status: HTTPStatus.created.code, fields: [], body: [])
        }
        while true {
            do {
                let created = try await actions.photos.create(try await store(paths), creation, by: user)
                guard case .photo(let photo) = created else { return countKnown() }
                return countImported(photo)
            } catch MediaError.busy {
                try await Task.sleep(for: .seconds(1))
            } catch {
                guard error.isConflict(of: "imported_items_pkey") else { throw error }
                return countKnown()
            }
        }
    }

    private func store(_ paths: [String]) async throws -> [IncomingPhoto] {
        let reservation = try await context.reservation(for: user)
        var incoming: [IncomingPhoto] = []
        do {
            for path in paths { incoming.append(try await store(path, reservation)) }
        } catch {
            for photo in incoming { await photo.abandon() }
            throw error
        }
        return incoming
    }

    private func store(_ path: String, _ reservation: StorageReservation) async throws -> IncomingPhoto {
        let file = try await threads.run { try Self.open(path) }
        let limit = context.limits.fileBytes
        let incoming = try actions.photos.begin(reservation)
        var offset: Int64 = 0
        do {
            while true {
                let place = offset
                let block = try await threads.run { () throws(ImportProblem) in
                    guard let block = file.read(at: place, atMost: 256 << 10) else { throw .damaged }
                    return block
                }
                guard !block.isEmpty else { return incoming }
                offset += Int64(block.count)
                guard offset <= limit else { throw ImportProblem.tooLong }
                try await incoming.write(block[...])
            }
        } catch {
            await incoming.abandon()
            throw error
        }
    }

    // MARK: Words

    /// What is said of a post, within the limits of photos here. It goes to no account.
    private func draft(of item: ImportItem) -> PhotoDraft {
        let limit = context.limits.textBytes
        var draft = PhotoDraft()
        draft.services = []
        draft.caption = Self.text(item.caption, limit)
        draft.altText = Self.text(item.photos.first?.altText ?? "", limit)
        draft.furtherAltTexts = item.photos.dropFirst().map { Self.text($0.altText, limit) }
        draft.visibility = item.visibility
        draft.position = item.position
        draft.album = item.album.flatMap(Self.album)
        draft.isSensitive = item.labels.isSensitive
        draft.contentWarning = item.labels.warning.flatMap { $0.contains("\u{0}") ? nil : $0 }
        do throws(InvalidField) { draft.language = try PhotoDraft.language(item.labels.language ?? "") } catch {
            draft.language = nil
        }
        let recipes = item.photos.map { photo -> RecipeDraft? in
            do throws(InvalidField) {
                return try photo.recipe.map { json throws(InvalidField) in try RecipeDraft(json) }
            } catch {
                // A recipe of a later Pics: the photo is shown as it is.
                return nil
            }
        }
        draft.recipe = recipes.first ?? nil
        if recipes.dropFirst().contains(where: { $0 != nil }) { draft.furtherRecipes = Array(recipes.dropFirst()) }
        return draft
    }

    private static func text(_ text: String, _ limit: Int) -> String {
        text.replacing("\u{0}", with: "").replacing("\r\n", with: "\n").cut(toBytes: limit)
    }

    private static func album(_ name: String) -> String? {
        let plain = name.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        let name = String(String.UnicodeScalarView(plain)).trimmedOfSpaces
        let short = String(String.UnicodeScalarView(name.unicodeScalars.prefix(100)))
            .trimmedOfSpaces
        return short.isEmpty ? nil : short
    }

    // MARK: Files

    private static func open(_ path: String) throws -> OpenFile {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw ImportProblem.missing }
        return OpenFile(owning: descriptor)
    }

    private static func digest(of path: String) throws -> SHA256Digest {
        let file = try open(path)
        var hash = SHA256()
        var offset: Int64 = 0
        while case let block? = file.read(at: offset, atMost: 1 << 20), !block.isEmpty {
            hash.update(block)
            offset += Int64(block.count)
        }
        return hash.finish()
    }
}

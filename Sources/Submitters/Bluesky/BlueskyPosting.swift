internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to Bluesky.
///
/// The record and its key are fixed before the first request that publishes, so that every repeat writes the same bytes
/// under the same key: a server then changes nothing.
struct BlueskyPosting: Sendable {
    private static let blobKey = "blob"
    private static let draftKey = "draft"
    /// The official app's; the lexicon has no limit.
    private static let longestAltText = 2000

    let task: SubmissionTask
    let api: BlueskyAPI

    private var did: String { task.account.remoteID }

    func submit() async throws(SubmissionError) -> Receipt {
        var blobs: [JSONValue] = []
        for picture in task.pictures { blobs.append(try await blob(of: picture)) }
        let draft = try await draft(showing: blobs)
        return try await task.publish(draft.text) { _ throws(SubmissionError) in try await put(draft) }
    }

    /// Looks under the key. A repeat would change nothing either, so that it is made when the server does not tell.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let draft = await Draft(task.journal.value(Self.draftKey)) else { return .absent }
        switch try await api.hasPost(draft.key, of: did) {
        case true: return .found(receipt(draft))
        case false:
            try await OpenOutcome.close(in: task.journal)
            return .absent
        case nil: return .repeatable
        }
    }

    // MARK: A picture

    /// The uploaded file with the size of its picture, as the record will name it.
    private func blob(of picture: OutgoingPicture) async throws(SubmissionError) -> JSONValue {
        if let known = await task.journal.value(picture.key(Self.blobKey)) { return known }
        let file = try await picture.file()
        var blob: JSONObject = ["blob": try await api.uploadBlob(file, progress: picture.progress)]
        if let width = file.width, let height = file.height {
            blob["aspect_ratio"] = ["width": JSONValue(width), "height": JSONValue(height)]
        }
        try await task.journal.record(picture.key(Self.blobKey), .object(blob))
        return .object(blob)
    }

    // MARK: The post

    /// A record with its key.
    private struct Draft: Sendable {
        let key: String
        let record: JSONValue

        var text: String { record["text"]?.string ?? "" }

        /// Whether it shows so many pictures, or the one video.
        func shows(_ count: Int) -> Bool { record["embed"]?["images"]?.array?.count ?? 1 == count }

        init(key: String, record: JSONValue) {
            self.key = key
            self.record = record
        }

        init?(_ json: JSONValue?) {
            guard let key = json?["key"]?.string, let record = json?["record"] else { return nil }
            self.init(key: key, record: record)
        }
    }

    /// One that was sent stays as it is; another is written anew when a picture has gone since.
    private func draft(showing blobs: [JSONValue]) async throws(SubmissionError) -> Draft {
        let known = await Draft(task.journal.value(Self.draftKey))
        if let known {
            if task.answering != nil || known.shows(blobs.count) { return known }
            if await OpenOutcome.recorded(in: task.journal) != nil { return known }
        }
        let now = task.now()
        let text = task.text(under: .bluesky)
        var record: JSONObject = [
            "$type": .string(BlueskyAPI.collection), "text": .string(text),
            "createdAt": .string(Timestamp(now).description),
        ]
        if let place = task.answering {
            record["reply"] = try await reply(at: place)
        } else {
            record["embed"] = embed(blobs)
        }
        if let language = task.photo.labels.language { record["langs"] = [.string(language)] }
        let facets = try await api.facets(of: text)
        if !facets.isEmpty { record["facets"] = JSONValue(facets) }
        let draft = Draft(key: known?.key ?? TID.make(now, seed: task.outboundKey), record: .object(record))
        try await task.journal.record(Self.draftKey, ["key": .string(draft.key), "record": draft.record])
        return draft
    }

    /// The first post and the one before; lexicon `app.bsky.feed.post`, `replyRef`.
    private func reply(at place: ThreadPlace) async throws(SubmissionError) -> JSONValue {
        let root = try await api.reference(to: place.root, of: did)
        let parent = place.parent == place.root ? root : try await api.reference(to: place.parent, of: did)
        return ["root": root, "parent": parent]
    }

    private func embed(_ blobs: [JSONValue]) -> JSONValue {
        let media = zip(task.pictures, blobs).map { picture, blob in
            var media: JSONObject = ["alt": .string(altText(picture.altText, limit: Self.longestAltText))]
            if let ratio = blob["aspect_ratio"] { media["aspectRatio"] = ratio }
            media[task.photo.isVideo ? "video" : "image"] = blob["blob"]
            return media
        }
        guard task.photo.isVideo, var video = media.first else {
            return ["$type": "app.bsky.embed.images", "images": JSONValue(media.map { .object($0) })]
        }
        video["$type"] = "app.bsky.embed.video"
        return .object(video)
    }

    private func put(_ draft: Draft) async throws(SubmissionError) -> Receipt {
        let response = try await api.put(draft.record, key: draft.key, of: did)
        switch BlueskyAPI.error(of: response) {
        case "BlobNotFound":
            // Not kept long enough. The same bytes will have the same name again.
            for picture in task.pictures { try await task.journal.record(picture.key(Self.blobKey), nil) }
            try await task.journal.record(Self.draftKey, nil)
            throw .temporary(api.client.problem(.uploadLost, response), retryAfter: nil)
        case "InvalidSwap":
            throw .unknownOutcome(api.client.problem(.nameTaken, response), retryAfter: nil)
        default:
            guard try api.success(response, .publishing)["uri"]?.string != nil else {
                throw api.client.malformed(response, .publishing)
            }
            return receipt(draft)
        }
    }

    private func receipt(_ draft: Draft) -> Receipt {
        task.receipt(
            remoteID: "at://\(did)/\(BlueskyAPI.collection)/\(draft.key)",
            url: "https://bsky.app/profile/\(did)/post/\(draft.key)", text: draft.text)
    }
}

/// A record key that holds a time: 13 characters that sort as they were made.
///
/// Source: atproto.com/specs/tid, read 2026-11-21: one zero bit, 53 bits of microseconds since 1970, 10 bits of a clock
/// identifier; base32 with an alphabet of its own.
enum TID {
    private static let alphabet = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

    /// The key of a time; `seed` makes keys of one microsecond differ.
    static func make(_ time: Date, seed: String) -> String {
        let microseconds = UInt64(max(0, time.timeIntervalSince1970 * 1_000_000)) & (1 << 53 - 1)
        let digest = SHA256Digest(of: seed).bytes
        let clock = UInt64(digest[0]) << 8 | UInt64(digest[1])
        let value = microseconds << 10 | clock & 1023
        let letters = (0..<13).map { alphabet[Int(value >> UInt64(60 - 5 * $0) & 31)] }
        return String(decoding: letters, as: UTF8.self)
    }
}

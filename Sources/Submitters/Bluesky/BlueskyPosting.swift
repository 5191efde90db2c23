internal import Domain
internal import Foundation
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
        let blob = try await blob()
        let draft = try await draft(showing: blob)
        return try await task.publish(draft.text) { _ throws(SubmissionError) in try await put(draft) }
    }

    /// Looks under the key; a repeat would change nothing either.
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

    // MARK: The photo

    /// The uploaded file with the size of its picture, as the record will name it.
    private func blob() async throws(SubmissionError) -> JSONValue {
        if let known = await task.journal.value(Self.blobKey) { return known }
        let file = try await task.file()
        var blob: JSONObject = ["blob": try await api.uploadBlob(file, progress: task.progress)]
        if let width = file.width, let height = file.height {
            blob["aspect_ratio"] = ["width": JSONValue(width), "height": JSONValue(height)]
        }
        try await task.journal.record(Self.blobKey, .object(blob))
        return .object(blob)
    }

    // MARK: The post

    /// A record with its key.
    private struct Draft: Sendable {
        let key: String
        let record: JSONValue

        var text: String { record["text"]?.string ?? "" }

        init(key: String, record: JSONValue) {
            self.key = key
            self.record = record
        }

        init?(_ json: JSONValue?) {
            guard let key = json?["key"]?.string, let record = json?["record"] else { return nil }
            self.init(key: key, record: record)
        }
    }

    private func draft(showing blob: JSONValue) async throws(SubmissionError) -> Draft {
        if let known = await Draft(task.journal.value(Self.draftKey)) { return known }
        let now = task.now()
        let text = task.text(under: .bluesky)
        var record: JSONObject = [
            "$type": .string(BlueskyAPI.collection), "text": .string(text),
            "createdAt": .string(Timestamp(now).description), "embed": embed(blob),
        ]
        let facets = try await facets(of: text)
        if !facets.isEmpty { record["facets"] = JSONValue(facets) }
        let draft = Draft(key: TID.make(now, seed: task.outboundKey), record: .object(record))
        try await task.journal.record(Self.draftKey, ["key": .string(draft.key), "record": draft.record])
        return draft
    }

    private func embed(_ blob: JSONValue) -> JSONValue {
        var media: JSONObject = ["alt": .string(altText(task.altText, limit: Self.longestAltText))]
        if let ratio = blob["aspect_ratio"] { media["aspectRatio"] = ratio }
        if task.photo.isVideo {
            media["$type"] = "app.bsky.embed.video"
            media["video"] = blob["blob"]
            return .object(media)
        }
        media["image"] = blob["blob"]
        return ["$type": "app.bsky.embed.images", "images": [.object(media)]]
    }

    private func facets(of text: String) async throws(SubmissionError) -> [JSONValue] {
        var facets: [JSONValue] = []
        for facet in RichText(text).facets {
            var did: String?
            if case .mention(let handle) = facet.feature { did = try await api.did(of: handle) }
            if let json = facet.json(did: did) { facets.append(json) }
        }
        return facets
    }

    private func put(_ draft: Draft) async throws(SubmissionError) -> Receipt {
        let answer = try await api.putPost(draft.record, key: draft.key, of: did)
        switch BlueskyAPI.error(of: answer) {
        case "BlobNotFound":
            // Not kept long enough. The same bytes will have the same name again.
            try await task.journal.record(Self.blobKey, nil)
            try await task.journal.record(Self.draftKey, nil)
            throw .temporary(api.client.problem("Bluesky no longer has the uploaded file.", answer), retryAfter: nil)
        case "InvalidSwap":
            throw .unknownOutcome(api.client.problem("Bluesky has another post here.", answer), retryAfter: nil)
        default:
            guard try api.success(answer, .publishing)["uri"]?.string != nil else {
                throw api.client.malformed(answer, .publishing)
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

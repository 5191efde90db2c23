internal import Crypto
internal import Foundation
internal import HTTP
internal import System

extension FakeBluesky {
    /// `com.atproto.repo.uploadBlob`: limits are checked when a record shows the file.
    func uploadBlob(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let type = request.contentType, !request.body.isEmpty else { return refusal(400) }
        let sha256 = SHA256Digest(of: request.body).hex
        let blob = Blob(mediaType: type, sha256: sha256, bytes: request.body.count)
        state.withLock { $0.blobs["bafkrei\(sha256)"] = blob }
        return .json([
            "blob": [
                "$type": "blob", "ref": ["$link": .string("bafkrei\(sha256)")], "mimeType": .string(type),
                "size": JSONValue(blob.bytes),
            ]
        ])
    }

    /// `com.atproto.repo.putRecord`: the same content under the same key changes nothing.
    func putRecord(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let json = request.json, json["repo"]?.string == Self.did,
            let collection = json["collection"]?.string, let key = json["rkey"]?.string, let record = json["record"]
        else { return refusal(400) }
        if let answer = putAct(record, in: collection, key: key) { return answer }
        guard collection == "app.bsky.feed.post" else { return refusal(400) }
        guard key.wholeMatch(of: /[234567a-j][234567a-z]{12}/) != nil else {
            return error("InvalidRequest", "Invalid record key for app.bsky.feed.post")
        }
        return state.withLock { state in
            if let problem = Self.problem(of: record) {
                return error("InvalidRequest", "Invalid app.bsky.feed.post record: \(problem)")
            }
            if record["reply"] != nil, !holdsTogether(record["reply"], state) {
                // A server takes it; readers see no answer to anything.
                return error("InvalidRequest", "Invalid app.bsky.feed.post record: the reply does not hold together")
            }
            guard let media = media(of: record, state) else {
                return error("BlobNotFound", "Could not find blob")
            }
            guard media.allSatisfy({ $0.mediaType == "video/mp4" || $0.bytes <= options.greatestPicture }) else {
                return error("BlobTooLarge", "This file is too large.")
            }
            let uri = "at://\(Self.did)/app.bsky.feed.post/\(key)"
            let made = PublishedPost(
                id: uri, url: "https://bsky.app/profile/\(Self.did)/post/\(key)",
                text: record["text"]?.string ?? "", media: media, createdAt: now(),
                answering: record["reply"]?["parent"]?["uri"]?.string)
            if let index = state.records.firstIndex(where: { $0.key == key }) {
                if state.records[index].json != record {
                    state.records[index] = Record(key: key, json: record, post: made)
                }
            } else {
                state.records.append(Record(key: key, json: record, post: made))
            }
            return .json(["uri": .string(uri), "cid": .string(Self.cid(of: record)), "validationStatus": "valid"])
        }
    }

    /// The reason why a record breaks the lexicon `app.bsky.feed.post`; nil when it keeps it.
    private static func problem(of record: JSONValue) -> String? {
        guard record["$type"]?.string == "app.bsky.feed.post", let text = record["text"]?.string,
            let time = record["createdAt"]?.string, Timestamp(time) != nil
        else { return "a member is missing" }
        if text.count > 300 { return "text must not be longer than 300 graphemes" }
        if text.utf8.count > 3000 { return "text must not be longer than 3000 bytes" }
        let bytes = Array(text.utf8)
        for facet in record["facets"]?.array ?? [] {
            guard let start = facet["index"]?["byteStart"]?.int, let end = facet["index"]?["byteEnd"]?.int,
                0 <= start, start < end, end <= bytes.count,
                String(validating: bytes[Int(start)..<Int(end)], as: UTF8.self) != nil,
                facet["features"]?.array?.isEmpty == false
            else { return "facets do not lie on characters" }
        }
        return nil
    }

    /// Whether a reply names posts that are there; one to the account's own also their hashes, and the root of its parent (lexicon `app.bsky.feed.post`, `replyRef`).
    private func holdsTogether(_ reply: JSONValue?, _ state: State) -> Bool {
        if conversation.found(reply?["parent"]?["uri"]?.string ?? "") != nil { return true }
        for member in ["root", "parent"] {
            let (uri, cid) = (reply?[member]?["uri"]?.string ?? "", reply?[member]?["cid"]?.string)
            if conversation.found(uri) != nil { continue }
            guard let record = state.records.first(where: { $0.post.id == uri }) else { return false }
            guard cid == Self.cid(of: record.json) else { return false }
        }
        let parent = state.records.first { $0.post.id == reply?["parent"]?["uri"]?.string }
        guard let parent else { return true }
        return reply?["root"]?["uri"]?.string == parent.json["reply"]?["root"]?["uri"]?.string ?? parent.post.id
    }

    /// The files that a record shows; nil when one is unknown or was altered.
    private func media(of record: JSONValue, _ state: State) -> [PublishedMedia]? {
        let embed = record["embed"]
        var shown: [(blob: JSONValue?, alt: String)] = []
        switch embed?["$type"]?.string {
        case "app.bsky.embed.images":
            shown = embed?["images"]?.array?.map { ($0["image"], $0["alt"]?.string ?? "") } ?? []
        case "app.bsky.embed.video":
            shown = [(embed?["video"], embed?["alt"]?.string ?? "")]
        default: break
        }
        guard shown.count <= 4 else { return nil }
        var media: [PublishedMedia] = []
        for (reference, alt) in shown {
            guard let link = reference?["ref"]?["$link"]?.string, let blob = state.blobs[link],
                reference?["mimeType"]?.string == blob.mediaType, reference?["size"]?.int == Int64(blob.bytes)
            else { return nil }
            media.append(
                PublishedMedia(sha256: blob.sha256, bytes: blob.bytes, mediaType: blob.mediaType, altText: alt))
        }
        return media
    }

    /// `com.atproto.repo.getRecord`.
    func getRecord(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        return state.withLock { state in
            guard let record = state.records.first(where: { $0.key == query["rkey"] }) else {
                return options.tellsAbsence
                    ? error("RecordNotFound", "Could not locate record") : FakeAnswer(.unauthorized)
            }
            return .json([
                "uri": .string(record.post.id), "cid": .string(Self.cid(of: record.json)), "value": record.json,
            ])
        }
    }

    /// `com.atproto.repo.deleteRecord`: one that is not there is no error.
    func deleteRecord(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let key = request.json?["rkey"]?.string else { return refusal(400) }
        state.withLock { state in
            if request.json?["collection"]?.string == "app.bsky.feed.post" {
                state.records.removeAll { $0.key == key }
            } else {
                state.acts["\(request.json?["collection"]?.string ?? "")/\(key)"] = nil
            }
        }
        return .json([:])
    }

    /// `app.bsky.feed.getPosts`.
    func getPosts(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let uris = (FormFields(request.query) ?? [:]).values("uris")
        return state.withLock { state in
            let posts = state.records.filter { uris.contains($0.post.id) }.map { view($0) }
            let others = uris.compactMap { conversation.found($0) }.map { view($0, state) }
            return .json(["posts": JSONValue(posts + others)])
        }
    }

    static func cid(of record: JSONValue) -> String { "bafyrei\(SHA256Digest(of: record.serialized).hex)" }
}

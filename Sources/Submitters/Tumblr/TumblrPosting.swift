internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a blog.
struct TumblrPosting: Sendable {
    private static let longestAltText = 4096
    private static let postKey = "post"
    /// After a request, until a list that lacks its post is believed.
    private static let listDelay: TimeInterval = 30
    private static let clockDifference: TimeInterval = 300
    /// How often the end of a video's processing is looked for.
    private static let transcodingPause = Duration.seconds(20)

    let task: SubmissionTask
    let api: TumblrAPI

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let text = task.text(under: .tumblr)
        let made = try await task.publish(text) { _ throws(SubmissionError) in
            let made = try await api.post(
                body(text, file), file, identifier: "file0", name: task.photo.code.description,
                progress: task.progress)
            try await task.journal.record(
                Self.postKey, made.isTranscoding ? ["is_transcoding": true] : ["id": .string(made.id)])
            return made
        }
        // A video's id is another one when it is done: a look finds it.
        if made.isTranscoding {
            throw .unknownOutcome(
                SubmissionProblem(api.client.problem(.stillProcessing)), retryAfter: Self.transcodingPause)
        }
        return try await receipt(made.id, text)
    }

    /// Looks for the photo's own slug, or its text, among the posts since the first request.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        let known = await task.journal.value(Self.postKey)
        if let id = known?["id"]?.string { return .found(try await receipt(id, outcome.text)) }
        let posts = try await api.posts(since: outcome.first - Self.clockDifference)
        var found = posts.first { $0.slug == slug }
        // A video has no slug while it is worked on. One that is another photo's is not this one's.
        for post in posts where found == nil && !outcome.text.isEmpty && post.text == outcome.text {
            let isAnothers = post.slug.hasPrefix("pics-")
            if !isAnothers, try await !task.isTaken(post.id) { found = post }
        }
        if let found { return .found(task.receipt(remoteID: found.id, url: found.url, text: outcome.text)) }
        if known?["is_transcoding"]?.bool == true { throw .notYet(checkAfter: Self.transcodingPause) }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        // More may have been posted since than a page holds.
        guard posts.count < 20 else { return .cannotTell }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    /// The photo's own, in small letters.
    private var slug: String { "pics-\(task.photo.code.description.lowercased())" }

    private func body(_ text: String, _ file: OutgoingFile) -> JSONValue {
        var media: JSONObject = ["type": .string(file.mediaType), "identifier": "file0"]
        if let width = file.width, let height = file.height {
            media["width"] = JSONValue(width)
            media["height"] = JSONValue(height)
        }
        var block: JSONObject = ["type": task.photo.isVideo ? "video" : "image"]
        block["media"] = task.photo.isVideo ? .object(media) : [.object(media)]
        if !task.photo.isVideo, !task.altText.isEmpty {
            block["alt_text"] = .string(altText(task.altText, limit: Self.longestAltText))
        }
        var content: [JSONValue] = [.object(block)]
        if !text.isEmpty { content.append(words(text)) }
        return [
            "content": JSONValue(content), "state": "published", "slug": .string(slug),
            "tags": .string(tags(text)),
        ]
    }

    /// A block of text; links are links only when they are named, by code points.
    private func words(_ text: String) -> JSONValue {
        var block: JSONObject = ["type": "text", "text": .string(text)]
        let links = CaptionEntity.find(in: text).compactMap { entity -> JSONValue? in
            guard case .link(let hasScheme) = entity.kind else { return nil }
            let words = text[entity.range]
            let start = text.unicodeScalars.distance(from: text.startIndex, to: entity.range.lowerBound)
            return [
                "type": "link", "start": JSONValue(start), "end": JSONValue(start + words.unicodeScalars.count),
                "url": .string(hasScheme ? String(words) : "https://\(words)"),
            ]
        }
        if !links.isEmpty { block["formatting"] = JSONValue(links) }
        return .object(block)
    }

    /// Hashtags are only words there, unless they are tags too.
    private func tags(_ text: String) -> String {
        CaptionEntity.find(in: text).filter { $0.kind == .hashtag }
            .map { text[$0.range].dropFirst().replacing(",", with: "") }.prefix(20).joined(separator: ",")
    }

    private func receipt(_ id: String, _ text: String) async throws(SubmissionError) -> Receipt {
        let post = try await afterPublication { () throws(SubmissionError) in try await api.post(id) }
        return task.receipt(
            remoteID: id, url: post?.url ?? "https://www.tumblr.com/\(task.account.name)/\(id)", text: text)
    }
}

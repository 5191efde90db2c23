internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a site: each file goes to its media endpoint, then a post shows them; without such an endpoint all go in one request.
///
/// Micropub knows no key of a request's. The post carries one as its `uid`, and the address of a file is that of this upload alone: where a site
/// lists its posts, it is found by either.
struct MicropubPosting: Sendable {
    /// After a request, until a list that lacks its post is believed.
    private static let listDelay: TimeInterval = 120
    private static let clockDifference: TimeInterval = 600
    /// Posts of one look.
    private static let longestLook = 50

    let task: SubmissionTask
    let api: MicropubAPI
    let configuration: MicropubAPI.Configuration

    private var key: String { "pics:\(task.outboundKey)" }

    func submit() async throws(SubmissionError) -> Receipt {
        if await OpenOutcome.recorded(in: task.journal) != nil,
            let receipt = try await earlierReceipt(api.client, reconcile)
        {
            return receipt
        }
        let visibility = try visibility()
        guard let media = configuration.media else { return try await submitTogether(visibility) }
        var properties: JSONObject = [
            "content": [.string(task.text)], "uid": [.string(key)], "mp-slug": [.string(slug)],
        ]
        var shown: [JSONValue] = []
        for picture in task.pictures {
            let url = try await uploaded(picture, to: media)
            shown.append(
                picture.altText.isEmpty || task.photo.isVideo
                    ? .string(url) : ["value": .string(url), "alt": .string(picture.altText)])
        }
        properties[task.photo.isVideo ? "video" : "photo"] = JSONValue(shown)
        if let category { properties["category"] = [.string(category)] }
        if let visibility { properties["visibility"] = [.string(visibility)] }
        if let location { properties["location"] = [.string(location)] }
        let entry = properties
        return receipt(try await task.publish(task.text) { _ throws(SubmissionError) in try await api.create(entry) })
    }

    private func submitTogether(_ visibility: String?) async throws(SubmissionError) -> Receipt {
        var fields: [(name: String, value: String)] = [("content", task.text), ("uid", key), ("mp-slug", slug)]
        if let category { fields.append(("category[]", category)) }
        if let visibility { fields.append(("visibility", visibility)) }
        if let location { fields.append(("location", location)) }
        var files: [(name: String, file: OutgoingFile, filename: String)] = []
        let (pictures, isVideo) = (task.pictures, task.photo.isVideo)
        for picture in pictures {
            let file = try await picture.file()
            let name = isVideo ? "video" : pictures.count > 1 ? "photo[]" : "photo"
            files.append((name, file, "\(picture.code).\(file.fileExtension)"))
            if !isVideo { fields.append(("mp-photo-alt[]", picture.altText)) }
        }
        let (given, sent) = (fields, files)
        let url = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await api.create(given, files: sent) { bytes, _ in pictures.report(bytes, of: sent.map(\.file)) }
        }
        return receipt(url)
    }

    /// The address of the file at the site; the same as long as the journal lasts.
    private func uploaded(_ picture: OutgoingPicture, to media: String) async throws(SubmissionError) -> String {
        let step = picture.key("media")
        if let url = await task.journal.value(step)?.string { return url }
        let url = try await api.upload(
            try await picture.file(), name: picture.code.description, to: media, progress: picture.progress)
        try await task.journal.record(step, .string(url))
        return url
    }

    // MARK: The post

    /// A hint for the address of the post.
    private var slug: String { "pics-\(task.photo.code.description.lowercased())" }

    private var category: String? { AccountChoice.album.text(in: task.account.settings) }

    /// RFC 5870.
    private var location: String? { task.photo.position.map { "geo:\($0.latitude),\($0.longitude)" } }

    /// The audience: what is chosen for the account, no wider than the photo is here. Nil: as the site has it.
    ///
    /// - Throws: `.rejected` for a site that would show to everybody what it does not know how to hide.
    private func visibility() throws(SubmissionError) -> String? {
        guard let audience, !isForEverybody else { return audience }
        guard configuration.visibilities.contains(audience) else {
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: api.client.service, label: "A site that takes posts with this audience"))
        }
        return audience
    }

    private var audience: String? {
        task.photo.visibility == .private ? "private" : AccountChoice.visibility.text(in: task.account.settings)
    }

    private var isForEverybody: Bool { audience == nil || audience == "public" }

    private func receipt(_ url: String?) -> Receipt { Receipt(remoteID: url ?? key, url: url) }

    // MARK: The look

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal),
            let posts = try await api.newest(Self.longestLook)
        else { return .cannotTell }
        var files: Set<String> = []
        for picture in task.pictures {
            if let url = await task.journal.value(picture.key("media"))?.string { files.insert(url) }
        }
        if let post = posts.first(where: { isOurs($0, files) }) { return .found(receipt(post.url)) }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        // A list that ends before the request says nothing of it.
        let start = outcome.first - Self.clockDifference
        guard posts.count < Self.longestLook || posts.contains(where: { $0.publishedAt.map { $0 < start } ?? false })
        else { return .cannotTell }
        // Lists show what everybody may see: of other posts, and of drafts, they prove nothing.
        guard isForEverybody else { return .cannotTell }
        if let media = configuration.media, !files.isEmpty, let unused = try await api.unusedFiles(at: media),
            files.isDisjoint(with: unused)
        {
            return .cannotTell
        }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    private func isOurs(_ post: MicropubAPI.Post, _ files: Set<String>) -> Bool {
        if post.values("uid").contains(where: { $0.string == key }) { return true }
        let shown = (post.values("photo") + post.values("video")).compactMap { $0.string ?? $0["value"]?.string }
        return shown.contains(where: files.contains)
    }
}

internal import Domain
internal import Foundation
internal import HTTP

/// One submission to a site: each picture goes to its library, then a post shows them.
///
/// WordPress knows no key of a request's. The post's address has the photo's code, by which it is found: whoever may have sent it before looks
/// first.
struct WordPressPosting: Sendable {
    /// After a request, until a site that lacks its post is believed: a slow one was seen to insert a post 25 seconds later, and a request may wait
    /// for a minute until it begins.
    private static let delay: TimeInterval = 180

    let task: SubmissionTask
    let api: WordPressAPI

    func submit() async throws(SubmissionError) -> Receipt {
        if await OpenOutcome.recorded(in: task.journal) != nil,
            let receipt = try await earlierReceipt(api.client, reconcile)
        {
            return receipt
        }
        var shown: [(media: WordPressAPI.Media, altText: String)] = []
        for picture in task.pictures { shown.append((try await uploaded(picture), picture.altText)) }
        let (text, slug) = (task.text, WordPressContent.slug(of: task.text, code: task.photo.code))
        var post: JSONObject = [
            "title": .string(WordPressContent.title(of: text)), "slug": .string(slug),
            "content": .string(WordPressContent.post(shown, isVideo: task.photo.isVideo, text: text)),
            "status": .string(status),
        ]
        if !task.photo.isVideo, let first = shown.first { post["featured_media"] = .int(first.media.id) }
        if let category = AccountChoice.album.text(in: task.account.settings).flatMap({ Int64($0) }) {
            post["categories"] = [.int(category)]
        }
        try await task.journal.record(Self.slugKey, .string(slug))
        let body = post
        let made = try await task.publish(text) { _ throws(SubmissionError) in try await api.createPost(body) }
        return try await receipt(made)
    }

    /// The post has its files now.
    private func receipt(_ post: WordPressAPI.Post) async throws(SubmissionError) -> Receipt {
        for picture in task.pictures {
            guard let media = await task.journal.value(picture.key("media"))?["id"]?.int else { continue }
            try await afterPublication { () throws(SubmissionError) in try await api.attach(media, to: post.id) }
        }
        return Receipt(remoteID: String(post.id), url: post.url)
    }

    /// Nobody but who may read the site's private posts sees one that is private here.
    private var status: String {
        task.photo.visibility == .private
            ? "private" : AccountChoice.visibility.text(in: task.account.settings) ?? "publish"
    }

    private static let slugKey = "slug"

    /// The picture in the library; one whose answer was lost is found by its name.
    private func uploaded(_ picture: OutgoingPicture) async throws(SubmissionError) -> WordPressAPI.Media {
        // A picture may go along in several posts, each with a file of its own.
        let slug =
            WordPressAPI.mark
            + [task.photo.code, picture.code].map { $0.description.lowercased() }.joined(separator: "-")
        let key = picture.key("media")
        switch await task.journal.value(key) {
        case .some(let known) where known["id"] != nil:
            if let media = WordPressAPI.Media(known) { return media }
        case .some:
            if let media = try await api.media(named: slug) {
                try await record(media, key)
                return media
            }
        case nil: try await task.journal.record(key, ["begun": true])
        }
        let media = try await api.upload(
            try await picture.file(), name: picture.code.description, slug: slug, altText: picture.altText,
            isPrivate: status == "private", progress: picture.progress)
        try await record(media, key)
        return media
    }

    private func record(_ media: WordPressAPI.Media, _ key: String) async throws(SubmissionError) {
        try await task.journal.record(key, ["id": .int(media.id), "source_url": .string(media.url)])
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let outcome = await OpenOutcome.recorded(in: task.journal),
            let slug = await task.journal.value(Self.slugKey)?.string
        else { return .cannotTell }
        let user = task.account.settings["user"]?.int ?? 0
        if let post = try await api.post(named: slug, by: user) { return .found(try await receipt(post)) }
        let wait = outcome.last.timeIntervalSince(task.now()) + Self.delay
        guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }
}

internal import Domain
internal import Foundation
internal import HTTP

/// One submission to a site: each picture goes to its library, a draft is made, and publishing that is the last step.
///
/// WordPress knows no key of a request's, but a draft has a number, and publishing one twice is publishing it once.
struct WordPressPosting: Sendable {
    private static let postKey = "post"

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
        let text = task.text
        var post: JSONObject = [
            "title": .string(WordPressContent.title(of: text)),
            "slug": .string(WordPressContent.slug(of: text, code: task.photo.code)),
            "content": .string(WordPressContent.post(shown, isVideo: task.photo.isVideo, text: text)),
        ]
        if let category = AccountChoice.album.text(in: task.account.settings).flatMap({ Int64($0) }) {
            post["categories"] = [.int(category)]
        }
        let id = try await draft(post)
        post["status"] = .string(status)
        let body = post
        let made = try await task.publish(text) { earlier throws(SubmissionError) in
            do throws(SubmissionError) { return try await api.publish(id, body) } catch {
                guard earlier == nil else { throw error }
                throw try await withoutDraft(id, after: error)
            }
        }
        return try await receipt(made)
    }

    /// The error of a draft that was certainly not published.
    private func withoutDraft(
        _ id: Int64, after error: SubmissionError
    ) async throws(SubmissionError) -> SubmissionError {
        switch error {
        case .gone(let problem):
            // Its owner has deleted it: the next try makes another.
            try await task.journal.record(Self.postKey, nil)
            return .temporary(problem, retryAfter: nil)
        case .rejected:
            try? await api.deletePost(String(id), forGood: true)
            try await task.journal.record(Self.postKey, nil)
            try await discardFiles()
            return error
        default: return error
        }
    }

    /// The post, which nobody sees yet; one whose answer was lost is found by its address, and a second one beside it never leaves the
    /// owner's desk.
    private func draft(_ post: JSONObject) async throws(SubmissionError) -> Int64 {
        let known = await task.journal.value(Self.postKey)
        if let id = known?["id"]?.int { return id }
        var id: Int64?
        if known == nil {
            try await task.journal.record(Self.postKey, ["begun": true])
        } else {
            id = try await api.draft(
                named: post["slug"]?.string ?? "", by: task.account.settings["user"]?.int ?? 0)
        }
        let draft: Int64
        do throws(SubmissionError) {
            if let id { draft = id } else { draft = try await api.createDraft(post) }
        } catch {
            if case .rejected = error { try await discardFiles() }
            throw error
        }
        try await task.journal.record(Self.postKey, ["id": .int(draft)])
        return draft
    }

    /// Takes back the files of a post that the site refuses; what cannot be deleted stays in its owner's library.
    private func discardFiles() async throws(SubmissionError) {
        for picture in task.pictures {
            guard let file = await task.journal.value(picture.key("media"))?["id"]?.int else { continue }
            try? await api.deleteMedia(file)
            try await task.journal.record(picture.key("media"), nil)
        }
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

    /// A draft that is still one was not published, and may be now.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard await OpenOutcome.recorded(in: task.journal) != nil,
            let id = await task.journal.value(Self.postKey)?["id"]?.int
        else { return .cannotTell }
        let post: WordPressAPI.Post
        do throws(SubmissionError) { post = try await api.post(String(id)) } catch {
            guard case .gone = error else { throw error }
            return .cannotTell
        }
        return post.isDraft ? .repeatable : .found(try await receipt(post))
    }
}

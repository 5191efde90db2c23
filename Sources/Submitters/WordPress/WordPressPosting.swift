internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

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
        var words: JSONObject = [
            "title": .string(WordPressContent.title(of: text)),
            "slug": .string(WordPressContent.slug(of: text, code: task.photo.code)),
            "content": .string(WordPressContent.post(shown, isVideo: task.photo.isVideo, text: text)),
        ]
        if let category = AccountChoice.album.text(in: task.account.settings).flatMap({ Int64($0) }) {
            words["categories"] = [.int(category)]
        }
        let post = words
        let draft = try await draft(post)
        // What the draft says already stays unsaid: a request that comes late undoes no edit.
        var change: JSONObject = draft.isCurrent ? [:] : post
        change["status"] = .string(status)
        let body = change
        let made = try await task.publish(text) { earlier throws(SubmissionError) in
            do throws(SubmissionError) { return try await api.publish(draft.id, body) } catch {
                guard earlier == nil else { throw error }
                throw try await withoutDraft(draft.id, after: error)
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

    /// The post, which nobody sees yet, and whether it says what it should. One whose answer was lost is found by its address; a second one
    /// beside it never leaves the owner's desk.
    private func draft(_ post: JSONObject) async throws(SubmissionError) -> (id: Int64, isCurrent: Bool) {
        let known = await task.journal.value(Self.postKey)
        if let id = known?["id"]?.int { return (id, known?["text"]?.string == task.text) }
        if known == nil {
            try await task.journal.record(Self.postKey, ["begun": true])
        } else if let id = try await api.draft(
            named: post["slug"]?.string ?? "", by: task.account.settings["user"]?.int ?? 0)
        {
            try await task.journal.record(Self.postKey, ["id": .int(id)])
            return (id, false)
        }
        let id: Int64
        do throws(SubmissionError) { id = try await api.createDraft(post) } catch {
            if case .rejected = error { try await discardFiles() }
            throw error
        }
        try await task.journal.record(Self.postKey, ["id": .int(id), "text": .string(task.text)])
        return (id, true)
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
        let key = picture.key("media")
        let known = await task.journal.value(key)
        if let known, let media = WordPressAPI.Media(known) { return media }
        let slug: String
        if let begun = known?["slug"]?.string {
            if let media = try await api.media(named: begun) {
                try await record(media, key)
                return media
            }
            slug = begun
        } else {
            // Of this try alone: the same picture may go along in other posts, and looks otherwise after an edit.
            slug =
                WordPressAPI.mark
                + [task.photo.code, picture.code].map { $0.description.lowercased() }.joined(separator: "-")
                + "-\(Hex.encode(randomBytes(count: 4)))"
            try await task.journal.record(key, ["slug": .string(slug)])
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
        switch post.state {
        case .draft: return .repeatable
        // Nobody knows whether it was published before.
        case .trashed: return .cannotTell
        case .published: return .found(try await receipt(post))
        }
    }
}

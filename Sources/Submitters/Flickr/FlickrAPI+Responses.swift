package import Domain
internal import Formats
internal import FoundationEssentials
package import HTTP

/// Comments on a photo, and who has it among their favourites.
///
/// Source: flickr.com/services/api, "flickr.photos.comments.getList", "addComment" and "deleteComment", "flickr.photos.getFavorites",
/// "Buddyicons"; read 2026-11-26.
extension FlickrAPI {
    /// `flickr.photos.comments.getList`: all comments at once.
    func comments(on photo: String, of account: String) async throws(SubmissionError) -> [FoundResponse] {
        let (response, json) = try await call("flickr.photos.comments.getList", ["photo_id": photo])
        guard let list = json["comments"] else { throw client.malformed(response) }
        return (list["comment"]?.array ?? []).compactMap { comment in
            guard let id = comment["id"]?.string, let nsid = comment["author"]?.string else { return nil }
            let author = author(comment, nsid: nsid, name: comment["authorname"])
            return FoundResponse(
                kind: .comment, key: id, author: author, text: HTMLText.plain(comment["_content"]?.string ?? ""),
                url: comment["permalink"]?.string, saidAt: Self.time(comment["datecreate"]),
                isOwn: nsid == account)
        }
    }

    /// `flickr.photos.getFavorites`, in pages of 50, which is the most there is.
    ///
    /// - Returns: The responses, and whether they are all.
    func favourites(of photo: String) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        var found: [FoundResponse] = []
        for page in 1...Self.mostPages {
            let (response, json) = try await call(
                "flickr.photos.getFavorites", ["photo_id": photo, "per_page": "50", "page": String(page)])
            guard let people = json["photo"]?["person"]?.array else { throw client.malformed(response) }
            found += people.compactMap { person in
                person["nsid"]?.string.map { nsid in
                    FoundResponse(
                        kind: .like, key: "like \(nsid)", author: author(person, nsid: nsid, name: person["username"]),
                        saidAt: Self.time(person["favedate"]))
                }
            }
            let pages = json["photo"]?["pages"]
            let count = pages?.int ?? pages?.string.flatMap { Int64($0) } ?? 1
            if Int64(page) >= count { return (found, true) }
        }
        return (found, false)
    }

    private static let mostPages = 10

    /// `flickr.photos.comments.addComment`.
    func addComment(_ text: String, on photo: String) async throws(SubmissionError) -> (id: String, url: String?) {
        let (response, json) = try await call(
            "flickr.photos.comments.addComment", ["photo_id": photo, "comment_text": text], .post, .publishing)
        guard let id = json["comment"]?["id"]?.string else { throw client.malformed(response, .publishing) }
        return (id, json["comment"]?["permalink"]?.string)
    }

    /// `flickr.photos.comments.deleteComment`; one that is not there is no error.
    func deleteComment(_ id: String) async throws(SubmissionError) {
        try await ignoring([1, 2]) { () throws(SubmissionError) in
            _ = try await call("flickr.photos.comments.deleteComment", ["comment_id": id], .post)
        }
    }

    private func author(_ person: JSONValue, nsid: String, name: JSONValue?) -> FoundAuthor {
        let real = person["realname"]?.string ?? ""
        let user = name?.string ?? nsid
        return FoundAuthor(
            key: nsid, name: real.isEmpty ? user : real, handle: user,
            url: "https://www.flickr.com/photos/\(PercentEncoding.encode(nsid))/",
            pictureURL: Self.icon(of: person, nsid: nsid))
    }

    private static func time(_ seconds: JSONValue?) -> Date? {
        (seconds?.double ?? seconds?.string.flatMap { Double($0) }).map { Date(timeIntervalSince1970: $0) }
    }
}

extension FlickrSubmitter: RespondingSubmitter {
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let api = self.api(of: post.account, over: post.transport, now: post.now)
        return try await ResponseList.of([.comment, .like].filter { counted.mayHave($0) || known.contains($0) }) {
            kind throws(SubmissionError) in
            guard kind == .comment else { return try await api.favourites(of: post.remoteID) }
            return (try await api.comments(on: post.remoteID, of: post.account.remoteID), true)
        }
    }
}

// A comment is for the photo: there is no answer to one, and no favourite of one. Photos of others are favourites too.
extension FlickrSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply] }
    package func timelineInteractions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply, .favourite] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        let api = self.api(of: task.account, over: task.transport, now: task.now)
        if task.kind == .favourite, task.postID == nil, let photo = task.targetID {
            try await task.arm()
            try await api.setFavourite(photo, to: task.isWanted)
            return InteractionReceipt(remoteID: task.isWanted ? photo : nil)
        }
        guard task.kind == .reply, let photo = task.postID ?? task.targetID else {
            throw .rejected(.changeUnsupported)
        }
        return try await task.reply { () throws(SubmissionError) in
            // As it is read back: markup and white space are not the text's own there.
            try await task.own(
                HTMLText.plain(task.text), among: try await api.comments(on: photo, of: task.account.remoteID))
        } make: { () throws(SubmissionError) in
            let (id, url) = try await api.addComment(task.text, on: photo)
            return InteractionReceipt(
                FoundResponse(
                    kind: .comment, key: id, author: FoundAuthor(key: task.account.remoteID, name: task.account.name),
                    text: task.text, url: url, saidAt: task.now(), isOwn: true))
        } delete: { id throws(SubmissionError) in
            try await api.deleteComment(id)
        }
    }
}

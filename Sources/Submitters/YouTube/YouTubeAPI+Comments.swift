package import Domain
internal import FoundationEssentials
internal import HTTP

/// Comments on a video, in threads of two levels.
///
/// Source: Data API v3, `commentThreads`, `comments`; read 2026-11-26. With `textFormat=plainText` the text is no HTML. Who likes a video
/// is never told.
extension YouTubeAPI {
    private static let mostPages = 10
    /// Threads whose answers are more than a list of threads shows are asked for one by one.
    private static let mostThreads = 20

    /// `GET /commentThreads?videoId=`, newest first, with all answers.
    ///
    /// - Returns: The responses, and whether they are all. Where comments are switched off nothing is said of what is gone.
    func comments(
        on video: String, of channel: String
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        var (found, asked, isWhole): ([FoundResponse], Int, Bool) = ([], 0, true)
        let query: FormFields = [
            "part": "snippet,replies", "videoId": video, "order": "time", "textFormat": "plainText",
            "maxResults": "100",
        ]
        let isComplete = try await unlessDisabled { () throws(SubmissionError) in
            try await pages("commentThreads", query, most: Self.mostPages) { threads throws(SubmissionError) in
                for thread in threads {
                    let top = thread["snippet"]?["topLevelComment"]
                    guard let comment = response(top, on: video, of: channel) else { continue }
                    found.append(comment)
                    let shown = thread["replies"]?["comments"]?.array ?? []
                    let count = thread["snippet"]?["totalReplyCount"]?.int ?? 0
                    guard count > shown.count else {
                        found += shown.compactMap { response($0, on: video, of: channel) }
                        continue
                    }
                    asked += 1
                    guard asked <= Self.mostThreads else {
                        isWhole = false
                        continue
                    }
                    let answers = try await answers(to: comment.key, on: video, of: channel)
                    found += answers.found
                    isWhole = isWhole && answers.isComplete
                }
                return true
            }
        }
        return (found, isComplete && isWhole)
    }

    /// `GET /comments?parentId=`, from the oldest on.
    func answers(
        to comment: String, on video: String, of channel: String
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        var found: [FoundResponse] = []
        let query: FormFields = [
            "part": "snippet", "parentId": comment, "textFormat": "plainText", "maxResults": "100",
        ]
        let isComplete = try await pages("comments", query, most: Self.mostPages) { comments in
            found += comments.compactMap { response($0, on: video, of: channel) }
            return true
        }
        found.sort { ($0.saidAt ?? .distantPast) < ($1.saidAt ?? .distantPast) }
        return (found, isComplete)
    }

    private func unlessDisabled(
        _ read: () async throws(SubmissionError) -> Bool
    ) async throws(SubmissionError) -> Bool {
        do throws(SubmissionError) { return try await read() } catch {
            guard case .rejected(let problem) = error, problem.problem.code == .postingNotAllowed else { throw error }
            return false
        }
    }

    func response(_ comment: JSONValue?, on video: String, of channel: String) -> FoundResponse? {
        guard let id = comment?["id"]?.string, !id.isEmpty, let snippet = comment?["snippet"] else { return nil }
        let author = snippet["authorChannelId"]?["value"]?.string
        let name = snippet["authorDisplayName"]?.string ?? ""
        let said = snippet["publishedAt"]?.string.flatMap { Timestamp($0)?.date }
        let edited = snippet["updatedAt"]?.string.flatMap { Timestamp($0)?.date }
        return FoundResponse(
            kind: .comment, key: id, parent: snippet["parentId"]?.string,
            author: FoundAuthor(
                key: author ?? "somebody", name: name.isEmpty ? "Somebody" : name,
                handle: name.hasPrefix("@") ? name : nil,
                url: snippet["authorChannelUrl"]?.string, pictureURL: snippet["authorProfileImageUrl"]?.string),
            text: (snippet["textOriginal"] ?? snippet["textDisplay"])?.string ?? "",
            url: "\(Video.url(video))&lc=\(PercentEncoding.encode(id))",
            media: [AttachedMedia(.picture, url: snippet["imageUrl"]?.string)].compactMap { $0 }, saidAt: said,
            editedAt: edited == said ? nil : edited, isOwn: author == channel)
    }
}

extension YouTubeSubmitter: RespondingSubmitter {
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        guard counted.mayHave(.comment) || known.contains(.comment) else { return ResponseList() }
        let (found, isComplete) = try await api(of: post.account, over: post.transport, now: post.now)
            .comments(on: post.remoteID, of: post.account.remoteID)
        return ResponseList(found: found, complete: isComplete ? [.comment] : [])
    }
}

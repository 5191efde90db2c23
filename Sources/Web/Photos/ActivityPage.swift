internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

extension PageHandlers {
    /// Posts on a page.
    private static let activityPage = 50

    /// `GET /activity`: what became of one's posts, newest first; above it those that need their owner.
    func showActivity(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let say = caller.language
        let before = request.query["before"].flatMap(ActivityCursor.init)
        let found = try await store.changedSubmissions(
            of: caller.user.id, before: before, limit: Self.activityPage + 1)
        let shown = Array(found.prefix(Self.activityPage))
        let needing =
            before == nil ? try await store.submissionsNeedingOwner(caller.user.id, limit: Self.activityPage) : []
        let photos = try await store.photos(Set((shown + needing).map(\.photo)), of: caller.user.id)
        let zone = try await self.photos.timeZone(of: caller.user)
        func list(_ submissions: [Submission]) -> HTML {
            let rows = submissions.map { submission in
                ActivityRow(
                    submission: submission, photo: photos[submission.photo],
                    service: registry.name(of: submission.service), zone: zone, say: say
                ).html
            }
            return "<ul class=\"rows activity\">\n\(HTML.join(rows))</ul>\n"
        }
        let needs: HTML =
            needing.isEmpty ? .nothing : "<h2>\(say(.state(Photo.State.attention)))</h2>\n\(list(needing))"
        let older =
            found.count > shown.count
            ? shown.last.map { "/activity?before=\(ActivityCursor(updatedAt: $0.updatedAt, id: $0.id).text)" } : nil
        let posts: HTML =
            shown.isEmpty
            ? "<p class=\"facts\">\(say(.noActivity)) <a href=\"/new\">\(say(.postAPhoto))</a></p>\n" : list(shown)
        return Page(
            language: say, title: "\(say(.activity)) · Pics", bar: Bar(caller, at: .activity),
            content: """
                <h1>\(say(.activity))</h1>
                \(Tabs.activity(at: "/activity", unread: try await store.responseSettings(of: caller.user.id).unread).html(say))
                \(try await openReportsNotice(caller))\(needs)\(needing.isEmpty ? .nothing : "<h2>\(say(.posts))</h2>\n")\(posts)<nav class="pages" aria-label="\(say(.pages))">
                \(PageLinks.button("next", older, say(.olderPosts)))</nav>

                """
        ).personal()
    }
}

/// What became of a photo at one account.
private struct ActivityRow {
    let submission: Submission
    /// Nil for one that is gone altogether.
    let photo: Photo?
    let service: String
    let zone: Zone
    let say: Language

    var html: HTML {
        let problem: HTML = submission.problem.map { "<p>\(say.marked(Phrase($0)))</p>" } ?? .nothing
        let post: HTML =
            submission.state == .done
            ? submission.remoteURL.flatMap { $0.isWebAddress ? $0 : nil }.map {
                "<div class=\"actions\"><a href=\"\($0)\" rel=\"noopener\">\(say(.openPost))</a></div>"
            } ?? .nothing : .nothing
        return """
            <li>\(Thumbnail.link(to: photo, "tools"))<div><strong>\(service)</strong> <bdi>\(submission.account)</bdi>\(title)
            <p class="facts">\(say(.state(submission.state))) · <time datetime="\(Timestamp(submission.updatedAt).description)">\
            \(say.moment(submission.updatedAt, in: zone))</time></p>\(problem)</div>
            \(post)</li>

            """
    }

    private var title: HTML {
        guard let photo, photo.deletedAt == nil, !photo.caption.isEmpty else { return .nothing }
        return "<p dir=\"auto\">\(PhotoTitle.of(photo))</p>"
    }
}

extension ActivityCursor {
    /// `MICROSECONDS-UUID`, since 1970.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]), (0...Int64(1) << 53).contains(microseconds),
            let id = SubmissionID(String(parts[1]))
        else { return nil }
        self.init(updatedAt: Date(timeIntervalSince1970: Double(microseconds) / 1e6), id: id)
    }

    fileprivate var text: String { "\(Int64((updatedAt.timeIntervalSince1970 * 1e6).rounded()))-\(id)" }
}

internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

/// Routes of the home timeline.
extension APIHandlers {
    var timeline: TimelineActions { TimelineActions(actions) }

    /// `GET /v1/timeline`: posts of those whom the caller's accounts follow, newest first; `media=photos` those with media alone.
    package func showTimeline(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try PageRequest(request) { TimelinePostID($0) }
        let media = request.query["media"]
        guard [nil, "all", "photos"].contains(media) else {
            throw RequestProblem.invalid("#/media", "It must be all or photos.")
        }
        let home = try await timeline.home(
            of: caller.user, before: page.cursor, photosOnly: media == "photos", limit: page.limit)
        return page.response(
            home.items[...], next: home.next?.description, base: addresses.base, path: "/v1/timeline",
            filter: request.query
        ) { json, item in
            switch item {
            case .post(let post, let done): write(post, done, to: &json)
            case .gap(let gap): Self.write(gap, home.problems[gap.connection], to: &json)
            }
        }
    }

    /// `POST /v1/timeline/gaps/{id}`: reads the posts that are missing there.
    package func fillGap(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await timeline.fill(try request.identifier(), of: caller.user)
        return HTTPResponse(.noContent)
    }

    package static let timelinePost: @Sendable (HTTPRequest) throws -> Interaction.Target = {
        .post(try $0.identifier())
    }

    private func write(_ post: TimelinePost, _ done: [Interaction], to json: inout JSONWriter) {
        json.object { json in
            json.member("type", "post")
            json.member("id", post.id.description)
            json.member("account", post.connection.description)
            json.member("service", post.service)
            json.object("author") { Self.write(post.author, base: addresses.base, to: &$0) }
            if let reposter = post.reposter {
                json.object("reposted_by") { Self.write(reposter, base: addresses.base, to: &$0) }
            } else {
                json.member("reposted_by", .null)
            }
            json.member("text", post.text)
            json.member("warning", post.warning)
            json.member("sensitive", post.isSensitive)
            json.member("url", post.url)
            json.member("said_at", post.saidAt)
            json.array("media", post.media) { Self.write($1, to: &$0) }
            Self.writeMembers(
                of: done, possible: interactions.interactions(with: .post(post.id), at: post.service),
                favourited: post.isFavourited,
                reposted: post.isReposted, to: &json)
        }
    }

    private static func write(_ gap: TimelineGap, _ problem: Problem?, to json: inout JSONWriter) {
        json.object { json in
            json.member("type", "gap")
            json.member("id", gap.id.description)
            json.member("account", gap.connection.description)
            json.member("service", gap.service)
            json.member("at", gap.at)
            json.member("problem", JSONValue(gap.problem ?? problem))
        }
    }
}

extension Operation {
    package static let showTimeline = Operation(
        "showTimeline", "Posts of those whom the caller's accounts follow, newest first, of all accounts as one.",
        description: """
            Pages of services are asked for when somebody reads as far, once, and kept for a month. Where one could not be read yet, an item of the \
            type `gap` stands in its place and says why.
            """,
        tags: ["timeline"],
        parameters: page() + [
            Parameter(
                "media", "`photos`: posts with pictures or films alone.",
                schema: ["type": "string", "enum": ["all", "photos"]])
        ],
        responses: [Response(.ok, "A page.", .json("TimelinePage"), fields: ["Link": "The next page (RFC 8288)."])])

    package static let fillGap = Operation(
        "fillGap", "Reads the posts that are missing in a gap of the timeline.", tags: ["timeline"],
        responses: [Response(.noContent, "They are read, or the gap says why not.")])
}

internal import Actions
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// `PUT /v1/photos/{id}/like`: likes it; again changes nothing.
    package func like(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await setLike(true, request, caller)
    }

    /// `DELETE /v1/photos/{id}/like`: takes the like back; again changes nothing.
    package func unlike(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await setLike(false, request, caller)
    }

    private func setLike(_ isLiked: Bool, _ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let count = try await photos.setLike(isLiked, on: try request.identifier(), by: caller.user.id)
        return .json(["count": .int(Int64(count)), "liked": .bool(isLiked)])
    }

    /// `GET /v1/photos/{id}/likes`: who likes it, newest first.
    package func listLikes(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        let page = try PageRequest(request, Self.likeCursor)
        let likers = try await photos.likers(
            of: id, for: caller.user.id, before: page.cursor, limit: page.limit + 1)
        let shown = likers.prefix(page.limit)
        return page.response(
            shown, next: likers.count > page.limit ? shown.last.map(Self.cursor) : nil, base: addresses.base,
            path: "/v1/photos/\(id)/likes"
        ) { json, liker in
            json.object { json in
                json.member("user", liker.name)
                json.member("liked_at", liker.likedAt)
            }
        }
    }

    /// Microseconds since 1970, which is what PostgreSQL keeps, and the user's identifier.
    private static func cursor(_ liker: Liker) -> String {
        "\(Int64((liker.likedAt.timeIntervalSince1970 * 1_000_000).rounded()))-\(liker.user)"
    }

    private static func likeCursor(_ text: String) -> (likedAt: Date, user: UserID)? {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]), let user = UserID(String(parts[1])) else {
            return nil
        }
        return (Date(timeIntervalSince1970: Double(microseconds) / 1_000_000), user)
    }
}

internal import Actions
package import Domain
internal import HTTP
package import HTTPServer

extension APIHandlers {
    /// `POST /v1/photos/interlace`: makes a new photo of several of the caller's and of colours, in alternating lines, and sends
    /// it on as any other.
    package func interlacePhotos(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let draft = try InterlaceDraft(try await json(request), limit: limits.textBytes)
        let created = try await photos.interlace(
            draft, by: caller.user, for: action(request), respond: responder)
        return try await response(created, for: caller.user)
    }
}

internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// Comments that are written on the pages of photos.
extension PageHandlers {
    /// `POST /{code}/comments`.
    func addComment(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let code = try request.shortCode()
        let photo = try await store.photo(code: code, viewer: caller.user.id).photo
        let comment = try await interactions.comment(form["text"] ?? "", on: photo.id, by: caller.user)
        return .seeOther("/\(code)#r-\(comment.id)")
    }

    /// `POST /{code}/comments/{id}/delete`.
    func deleteComment(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        try await interactions.deleteComment(try request.identifier(), by: caller.user)
        return .seeOther("/\(try request.shortCode())#responses")
    }
}

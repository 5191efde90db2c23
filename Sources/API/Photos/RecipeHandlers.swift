internal import Actions
internal import Blobs
package import Domain
internal import HTTP
package import HTTPServer

extension APIHandlers {
    /// The longest side of a picture that is shown before its recipe is kept.
    private static var previewSides: ClosedRange<Int> { 16...PublicRendition.large.side }

    /// `POST /v1/photos/{id}/renditions/preview`: the owner's photo as a recipe would show it. Nothing of it is stored.
    package func previewRendition(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo = try await photos.ownPhoto(try request.identifier(), of: caller.user)
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["recipe", "side"])
        let draft = try body["recipe"].flatMap { $0.isNull ? nil : try RecipeDraft($0) }
        let side =
            try body["side"].map { try RecipeValue($0, at: "#/side").whole(in: Self.previewSides) }
            ?? PublicRendition.medium.side
        let (file, mediaType) = try await photos.preview(photo, draft, side: side)
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox",
            ],
            body: .file(FileBody(file.file, length: file.bytes)))
    }
}

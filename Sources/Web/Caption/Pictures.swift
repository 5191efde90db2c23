internal import Actions
internal import Authentication
internal import Blobs
internal import Crypto
internal import Domain
internal import HTTP
package import HTTPServer
internal import Store

extension PageHandlers {
    /// `GET /m/{code}/{file}`: a public picture or video, or a part of it; the pictures of a video are
    /// those of its poster. A deleted or private photo's is not given out any more.
    ///
    /// - Throws: `RateLimitExceeded` when it would have to be made, and too many were made for this address.
    package func picture(_ request: HTTPRequest) async throws -> HTTPResponse {
        let code = try request.shortCode()
        guard let file = request.parameters["file"] else { throw StoreError.notFound }
        let view = try await picturedPhoto(code, request)
        let photo = view.photo
        guard photo.hasPicture else { throw StoreError.notFound }
        guard let picture = StoredPicture(file: file, recipe: photo.recipe) else {
            return try await video(of: photo, request)
        }
        let record = try await pictures.picture(
            picture, of: photo.blob, owner: photo.owner, signedWith: view.signature
        ) { try rates.charge(.pictures, for: request) }
        let digest = record.blob.digest
        let fields: HTTPFields = [
            "Content-Type": record.mediaType,
            "Cache-Control": Self.pictureCache(of: photo),
            "Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "cross-origin",
        ]
        return try await .representation(of: request, fields: fields, etag: EntityTag(digest.hex)) {
            let blob = try await blobs.open(digest, expecting: record.bytes)
            return .file(FileBody(blob.file, length: blob.bytes))
        }
    }

    /// The photo whose picture is asked for: one that the reader may see, or whose address its owner or
    /// their app has got (`PictureAccess`).
    private func picturedPhoto(_ code: ShortCode, _ request: HTTPRequest) async throws -> PhotoView {
        let isLinked = request.query["link"].flatMap { link in
            request.parameters["file"].map { access.lets(link, open: $0, of: code) }
        }
        if isLinked == true || request.query["access"].map({ access.lets($0, see: code) }) == true {
            return try await store.photoForOwner(code: code)
        }
        return try await visiblePhoto(code, request)
    }

    /// A browser may keep a picture for a day; a cache between that would show it to others asks after a minute whether
    /// it is still there, since the photo may be deleted or made private.
    static func pictureCache(of photo: Photo) -> String {
        photo.visibility == .private ? "private, no-cache" : "public, max-age=86400, s-maxage=60"
    }
}

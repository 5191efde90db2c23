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
        return try await bytes(
            of: record.blob, count: record.bytes, request,
            [
                "Content-Type": record.mediaType,
                "Cache-Control": Self.pictureCache(of: photo),
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "Cross-Origin-Resource-Policy": "cross-origin",
            ])
    }

    /// `GET /outgoing/{token}.{ending}`: the copy of a photo that a service fetches, or a part of it, as long as the photo is on its way there. Who
    /// knows the address needs no more: the service alone is told it.
    func sendOutgoingFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = (request.parameters["name"] ?? "").prefix { $0 != "." }
        let copy = try await store.fetchableFile(SHA256Digest(of: String(token)).bytes)
        return try await bytes(
            of: copy.blob, count: copy.bytes, request,
            [
                "Content-Type": copy.mediaType, "Cache-Control": "no-store", "X-Robots-Tag": "noindex",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
            ])
    }

    /// The bytes of a blob, or the part of them that is asked for, tagged with its digest.
    func bytes(
        of blob: BlobID, count: Int64, _ request: HTTPRequest, _ fields: HTTPFields
    ) async throws -> HTTPResponse {
        try await .representation(of: request, fields: fields, etag: EntityTag(blob.digest.hex)) {
            let opened = try await blobs.open(blob.digest, expecting: count)
            return .file(FileBody(opened.file, length: opened.bytes))
        }
    }

    /// The photo whose picture is asked for: one that the reader may see, or whose address its owner or
    /// their app has got (`PictureAccess`).
    private func picturedPhoto(_ code: ShortCode, _ request: HTTPRequest) async throws -> PhotoView {
        let query = request.query
        let isLinked = query["link"].map { access.lets($0, open: request.parameters["file"] ?? "", of: code) }
        let isApp = query["access"].map { access.lets($0, see: code) }
        return isLinked == true || isApp == true
            ? try await store.photoForOwner(code: code) : try await visiblePhoto(code, request)
    }

    /// A browser may keep a picture for a day; a cache between that would show it to others asks after a minute whether
    /// it is still there, since the photo may be deleted or made private.
    static func pictureCache(of photo: Photo) -> String {
        photo.visibility == .private ? "private, no-cache" : "public, max-age=86400, s-maxage=60"
    }
}

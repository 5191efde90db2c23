internal import Actions
internal import Authentication
internal import Blobs
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// `GET /m/{code}/video.mp4` or `video.mov`: the public copy of a video, or a part of it, as players ask for it.
    ///
    /// - Throws: `RateLimitExceeded` when it would have to be made, and too many were made for this address.
    func video(of photo: Photo, _ request: HTTPRequest) async throws -> HTTPResponse {
        guard photo.kind == .video, request.parameters["file"] == PublicVideo.file(mediaType: photo.mediaType) else {
            throw StoreError.notFound
        }
        let record = try await videos.video(of: photo) { try rates.charge(.pictures, for: request) }
        return try await bytes(
            of: record.blob, count: record.bytes, request,
            [
                "Content-Type": photo.mediaType,
                "Cache-Control": Self.pictureCache(of: photo),
                // Opened by itself, a browser shows it in a page of its own.
                "Content-Security-Policy": "default-src 'none'; media-src 'self'; sandbox",
                "Cross-Origin-Resource-Policy": "cross-origin",
            ])
    }
}

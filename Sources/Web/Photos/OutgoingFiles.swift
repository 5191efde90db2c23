internal import Blobs
internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// `GET /outgoing/{token}.{ending}`: the copy of a photo that a service fetches, or a part of it, as long as the photo is on its way there. Who
    /// knows the address needs no more: the service alone is told it.
    func sendOutgoingFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = (request.parameters["name"] ?? "").prefix { $0 != "." }
        let file = try await store.fetchableFile(SHA256Digest(of: String(token)).bytes)
        let digest = file.blob.digest
        let fields: HTTPFields = [
            "Content-Type": file.mediaType, "Cache-Control": "no-store", "X-Robots-Tag": "noindex",
            "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
        ]
        return try await .representation(of: request, fields: fields, etag: EntityTag(digest.hex)) {
            let blob = try await blobs.open(digest, expecting: file.bytes)
            return .file(FileBody(blob.file, length: blob.bytes))
        }
    }
}

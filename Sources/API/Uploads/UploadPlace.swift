package import Domain
package import HTTPServer
internal import Store

/// The path at which uploads in parts begin, and the response to their last part.
package struct UploadPlace: Sendable {
    /// Without a slash at its end; an upload is behind it.
    package let path: String
    /// The response to the last part of a file that is kept for a later post. Nil where the upload itself says what it becomes.
    package let whole: (@Sendable (UploadID) -> HTTPResponse)?

    /// The place of uploads that may become photos.
    package static let uploads = UploadPlace(path: "/v1/uploads", whole: nil)

    package init(path: String, whole: (@Sendable (UploadID) -> HTTPResponse)?) {
        (self.path, self.whole) = (path, whole)
    }

    /// Whether an upload can be reached here: no right to upload files is one to finish what becomes a photo.
    func takes(_ upload: Upload) -> Bool { whole == nil || upload.draft == nil }
}

extension APIHandlers {
    /// The place that a request's path is below.
    func place(of request: HTTPRequest) -> UploadPlace {
        request.path.hasPrefix(mediaEndpoint.path) ? mediaEndpoint : .uploads
    }

    /// The caller's upload that a request is about.
    ///
    /// - Throws: `StoreError.notFound`.
    func upload(of request: HTTPRequest, _ caller: Caller) async throws(StoreError) -> Upload {
        let found = try await store.upload(try request.identifier(), owner: caller.user.id)
        guard place(of: request).takes(found) else { throw .notFound }
        return found
    }
}

internal import Domain
internal import HTTP

/// The problems of uploads.
extension RequestProblem {
    static let unknownTusVersion = RequestProblem(
        details: ProblemDetails(
            type: "/problems/unknown-upload-protocol", status: .preconditionFailed,
            title: "This upload protocol is not spoken here",
            detail: "Send Tus-Resumable: 1.0.0, or Upload-Complete as Resumable Uploads for HTTP has it."))

    static let checksumMismatch = RequestProblem(
        details: ProblemDetails(
            type: "/problems/checksum-mismatch", status: HTTPStatus(code: 460), title: "The checksum does not fit",
            detail: "The part was dropped. Send it again."))

    static func knownPhoto(_ id: PhotoID, at url: String) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(
                type: "/problems/known-photo", status: .preconditionFailed, title: "You have a photo of these bytes",
                extensions: ["photo": .string(id.description), "url": .string(url)]))
    }

    /// The IANA registry's types (draft-ietf-httpbis-resumable-upload, "Problem Types").
    static func mismatchingOffset(expected: Int64, provided: Int64) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(
                type: "https://iana.org/assignments/http-problem-types#mismatching-upload-offset", status: .conflict,
                title: "The upload goes on at another offset",
                extensions: ["expected-offset": .int(expected), "provided-offset": .int(provided)]))
    }

    static let inconsistentLength = RequestProblem(
        details: ProblemDetails(
            type: "https://iana.org/assignments/http-problem-types#inconsistent-upload-length", status: .badRequest,
            title: "The lengths of the upload contradict each other"))
}

/// A problem that comes with fields about the upload.
struct UploadRefusal: Error {
    let problem: any Error
    var fields: HTTPFields
}

internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import S3

/// The calls of a store that Pics uses, for one bucket.
///
/// Source: Amazon S3 API Reference, "PutObject", "HeadObject", "DeleteObject", "ListObjectsV2", "CreateMultipartUpload", "UploadPart",
/// "CompleteMultipartUpload", "AbortMultipartUpload", "Error responses"; read 2026-11-26.
struct S3API: Sendable {
    let client: ServiceClient
    let bucket: S3Bucket
    let credentials: S3Credentials
    let addresses: AddressPolicy

    /// What a store tells of an object.
    struct Object: Sendable, Equatable {
        let bytes: Int64?
        /// The submission that has put it there.
        let submission: String?
    }

    /// The field of an object that names its submission.
    static let submissionField = "x-amz-meta-pics-submission"

    // MARK: Objects

    /// `PUT /key`; any answer is returned.
    func put(
        _ body: BodyPart, sha256: String, to key: String, query: [(name: String, value: String)] = [],
        fields: HTTPFields, _ role: RequestRole = .preparing, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        try await send(
            S3Request(.put, key, in: bucket, query: query, fields: fields, sha256: sha256), .parts([body]),
            timeout: ServiceClient.timeout(uploading: body.length), role,
            progress: { sent, _ in progress?(sent) })
    }

    /// What a look for an object found.
    enum Look: Sendable, Equatable {
        case object(Object)
        case nothing
        /// The store does not tell: a key that may not list gets the same answer where there is nothing.
        case untold
    }

    /// `HEAD /key`.
    func head(_ key: String) async throws(SubmissionError) -> Look {
        let response = try await send(S3Request(.head, key, in: bucket))
        switch response.status.code {
        case 403: return .untold
        case 404: return .nothing
        default:
            guard response.status.isSuccess else { throw failure(response) }
            return .object(
                Object(
                    bytes: response.fields["Content-Length"].flatMap { Int64($0) },
                    submission: response.fields[Self.submissionField]))
        }
    }

    /// `DELETE /key`; one that is not there is no error.
    func delete(_ key: String) async throws(SubmissionError) {
        let response = try await send(S3Request(.delete, key, in: bucket))
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    /// `GET /?list-type=2&delimiter=/`: the folders right below a prefix that ends with a slash or is empty.
    func folders(below prefix: String, most: Int) async throws(SubmissionError) -> [String] {
        var (found, token): ([String], String?) = ([], nil)
        // Files between the folders are listed too.
        for _ in 0..<20 {
            var query = [("list-type", "2"), ("delimiter", "/"), ("max-keys", "1000"), ("prefix", prefix)]
            if let token { query.append(("continuation-token", token)) }
            let response = try await send(S3Request(.get, "", in: bucket, query: query.map { ($0.0, $0.1) }))
            let root = try document(response, "ListBucketResult")
            found += root.all("CommonPrefixes").compactMap { $0["Prefix"]?.value }
                .map { String($0.dropFirst(prefix.count).dropLast()) }
            token = root["IsTruncated"]?.value == "true" ? root["NextContinuationToken"]?.value : nil
            guard token != nil, found.count < most else { break }
        }
        return Array(found.prefix(most))
    }

    /// `GET /?list-type=2&max-keys=1`; any answer is returned.
    func list() async throws(SubmissionError) -> IncomingResponse {
        try await send(S3Request(.get, "", in: bucket, query: [("list-type", "2"), ("max-keys", "1")]))
    }

    // MARK: Uploads in parts

    /// `POST /key?uploads`: the upload's id.
    func beginUpload(of key: String, fields: HTTPFields) async throws(SubmissionError) -> String {
        let response = try await send(
            S3Request(.post, key, in: bucket, query: [("uploads", "")], fields: fields))
        guard let id = try document(response, "InitiateMultipartUploadResult")["UploadId"]?.value else {
            throw client.malformed(response)
        }
        return id
    }

    /// `POST /key?uploadId=`: publishes. A refusal may come with 200; any answer is returned.
    func completeUpload(_ id: String, of key: String, tags: [String]) async throws(SubmissionError) -> IncomingResponse
    {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(XMPSidecar.escaped(tag))</ETag></Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        return try await send(
            S3Request(
                .post, key, in: bucket, query: [("uploadId", id)], fields: ["Content-Type": "application/xml"],
                sha256: SHA256Digest(of: body).hex), .bytes(body), timeout: .seconds(600), .publishing)
    }

    /// `DELETE /key?uploadId=`.
    func abortUpload(_ id: String, of key: String) async throws(SubmissionError) {
        let response = try await send(S3Request(.delete, key, in: bucket, query: [("uploadId", id)]))
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    // MARK: Requests

    private func send(
        _ request: S3Request, _ body: OutgoingBody = .none, timeout: Duration = ServiceClient.timeout,
        _ role: RequestRole = .preparing, progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        let (url, fields) = request.signed(credentials, at: client.now())
        return try await client.response(
            to: OutgoingRequest(
                method: request.method, url: url, fields: fields, body: body, timeout: timeout,
                maxResponseBytes: 4 << 20, addressPolicy: addresses, progress: progress), role)
    }

    /// The document of a response that says yes, with this root.
    func document(_ response: IncomingResponse, _ name: String) throws(SubmissionError) -> XMLElement {
        guard response.status.isSuccess else { throw failure(response) }
        guard let root = XMLElement(parsing: response.body), root.name == name else { throw client.malformed(response) }
        return root
    }

    /// The code of a refusal; nil in other answers.
    static func code(of response: IncomingResponse) -> String? {
        guard let root = root(of: response), root.name == "Error" else { return nil }
        return root["Code"]?.value
    }

    /// Whether an upload in parts is a file now, by the answer.
    static func isCompleted(_ response: IncomingResponse) -> Bool {
        response.status.isSuccess && root(of: response)?.name == "CompleteMultipartUploadResult"
    }

    /// White space may come before it, to keep the connection open.
    private static func root(of response: IncomingResponse) -> XMLElement? {
        XMLElement(parsing: Array(response.body.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }))
    }

    /// The region that a refused request should have named; nil where the answer does not tell.
    static func region(in response: IncomingResponse) -> String? {
        response.fields["x-amz-bucket-region"] ?? XMLElement(parsing: response.body)?["Region"]?.value
    }

    /// The error that an unsuccessful response means; the code tells more than the status.
    func failure(_ answer: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let code = Self.code(of: answer)
        let response = Self.readable(answer)
        return switch code {
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
            .unauthorized(client.problem(.credentialsRefused, response))
        case "RequestTimeTooSkewed":
            .temporary(client.problem(.serverError, response), retryAfter: nil)
        case "AccessDenied", "AllAccessDisabled", "AccountProblem":
            .unauthorized(client.problem(.permissionDenied, response))
        // Its owner names another, or makes it again: nothing that follows can succeed before.
        case "NoSuchBucket", "PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidBucketName":
            .unauthorized(
                client.problem(.destinationMissing, response, ProblemParameters(label: "A bucket of this name")))
        case "SlowDown", "TooManyRequests", "RequestLimitExceeded", "Throttling":
            client.limited(.rateLimited, .account, until: response.limitEnd(client.now()), response)
        case "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody", "RequestTimeout":
            .temporary(client.problem(.uploadFailed, response), retryAfter: nil)
        case "OperationAborted", "ConditionalRequestConflict", "InternalError", "ServiceUnavailable":
            client.serverError(response, role)
        case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage":
            client.limited(.storageFull, .account, until: client.now() + 6 * 3600, response)
        case "EntityTooLarge":
            .rejected(client.problem(.fileTooLarge, response))
        default:
            client.failure(response, role)
        }
    }

    /// The answer as people read it: `AccessDenied: Access Denied.` in the place of the document.
    private static func readable(_ response: IncomingResponse) -> IncomingResponse {
        guard let root = root(of: response), root.name == "Error" else { return response }
        let words = [root["Code"]?.value, root["Message"]?.value].compactMap { $0 }.filter { !$0.isEmpty }
        return IncomingResponse(
            status: response.status, fields: response.fields, body: Array(words.joined(separator: ": ").utf8))
    }
}

internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import S3

/// The calls of a store that Pics uses, for one bucket.
struct S3API: Sendable {
    let client: ServiceClient
    let bucket: S3Bucket
    let credentials: S3Credentials
    let addresses: AddressPolicy

    /// What a look for an object found.
    enum Look: Sendable, Equatable {
        /// The submission that has put it there, if one has.
        case object(submission: String?)
        case nothing
        /// The store does not tell: a key that may not list gets the same answer where there is nothing.
        case untold
    }

    /// The field of an object that names its submission.
    static let submissionField = "x-amz-meta-pics-submission"

    private var requests: S3Requests {
        S3Requests(bucket, credentials, addresses: addresses, at: client.now())
    }

    // MARK: Objects

    /// `PUT /key`; any answer is returned.
    func put(
        _ body: BodyPart, sha256: String, to key: String, fields: HTTPFields, _ role: RequestRole = .preparing,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> S3Answer {
        try await answer(requests.put(body, sha256: sha256, to: key, fields: fields), role, progress)
    }

    /// `HEAD /key`.
    func head(_ key: String) async throws(SubmissionError) -> Look {
        let answer = try await answer(requests.head(key))
        switch answer.status.code {
        case 403: return .untold
        case 404: return .nothing
        default:
            guard answer.status.isSuccess else { throw failure(answer) }
            return .object(submission: answer.response.fields[Self.submissionField])
        }
    }

    /// `DELETE /key`; one that is not there is no error.
    func delete(_ key: String) async throws(SubmissionError) {
        let answer = try await answer(requests.delete(key))
        guard answer.status.isSuccess || answer.status == .notFound else { throw failure(answer) }
    }

    /// The folders right below a prefix that ends with a slash or is empty.
    func folders(below prefix: String, most: Int) async throws(SubmissionError) -> [String] {
        var (found, token): ([String], String?) = ([], nil)
        // Files between the folders are listed too.
        for _ in 0..<20 {
            let list = try await list(requests.list(prefix, delimiter: "/", after: token))
            found += list.folders.map { String($0.dropFirst(prefix.count).dropLast()) }
            token = list.next
            guard token != nil, found.count < most else { break }
        }
        return Array(found.prefix(most))
    }

    /// A list of one object at most; any answer is returned.
    func look() async throws(SubmissionError) -> S3Answer { try await answer(requests.list("", most: 1)) }

    private func list(_ request: OutgoingRequest) async throws(SubmissionError) -> S3List {
        let answer = try await answer(request)
        guard answer.status.isSuccess else { throw failure(answer) }
        guard let list = answer.list else { throw client.malformed(answer.response) }
        return list
    }

    // MARK: Uploads in parts

    /// The id of a new upload.
    func beginUpload(of key: String, fields: HTTPFields) async throws(SubmissionError) -> String {
        let answer = try await answer(requests.beginUpload(of: key, fields: fields))
        guard answer.status.isSuccess else { throw failure(answer) }
        guard let id = answer.uploadID else { throw client.malformed(answer.response) }
        return id
    }

    /// Sends a part, the first of which is number 1; any answer is returned.
    func put(
        _ body: BodyPart, sha256: String, asPart number: Int, of upload: String, to key: String,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws(SubmissionError) -> S3Answer {
        try await answer(
            requests.put(body, sha256: sha256, asPart: number, of: upload, to: key), .preparing, progress)
    }

    /// Publishes; any answer is returned.
    func completeUpload(_ id: String, of key: String, tags: [String]) async throws(SubmissionError) -> S3Answer {
        try await answer(requests.completeUpload(id, of: key, tags: tags), .publishing)
    }

    func abortUpload(_ id: String, of key: String) async throws(SubmissionError) {
        let answer = try await answer(requests.abortUpload(id, of: key))
        guard answer.status.isSuccess || answer.status == .notFound else { throw failure(answer) }
    }

    // MARK: Answers

    private func answer(
        _ request: OutgoingRequest, _ role: RequestRole = .preparing, _ progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> S3Answer {
        var request = request
        if let progress { request.progress = { sent, _ in progress(sent) } }
        return S3Answer(try await client.response(to: request, role))
    }

    /// The error that an unsuccessful response means; the code tells more than the status.
    func failure(_ answer: S3Answer, _ role: RequestRole = .preparing) -> SubmissionError {
        // As people read it, in the place of a document.
        let response =
            answer.words.map { words in
                IncomingResponse(
                    status: answer.status, fields: answer.response.fields, body: Array(words.utf8))
            } ?? answer.response
        return switch answer.code {
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
}

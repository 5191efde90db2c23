internal import Crypto
internal import Formats
package import FoundationEssentials
package import HTTP

/// The requests of the S3 protocol that Pics sends, for one bucket, signed for one moment.
///
/// Source: Amazon S3 API Reference, "PutObject", "HeadObject", "GetObject", "DeleteObject", "CopyObject", "ListObjectsV2",
/// "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "AbortMultipartUpload", "ListMultipartUploads"; read 2026-11-26.
package struct S3Requests: Sendable {
    package let bucket: S3Bucket
    let credentials: S3Credentials
    let addresses: AddressPolicy
    let time: Date

    /// Takes the bucket and a key to it; `addresses` tells where its host may be.
    package init(_ bucket: S3Bucket, _ credentials: S3Credentials, addresses: AddressPolicy, at time: Date) {
        self.bucket = bucket
        self.credentials = credentials
        self.addresses = addresses
        self.time = time
    }

    // MARK: Objects

    /// `PUT /key`; `sha256` is that of the body, which the store compares.
    package func put(_ body: BodyPart, sha256: String, to key: String, fields: HTTPFields) -> OutgoingRequest {
        request(.put, key, fields: fields, body: .parts([body]), sha256: sha256)
    }

    /// `HEAD /key`.
    package func head(_ key: String, fields: HTTPFields = [:]) -> OutgoingRequest {
        request(.head, key, fields: fields)
    }

    /// `GET /key`, of a few bytes of it.
    package func get(_ key: String, _ range: ClosedRange<Int64>) -> OutgoingRequest {
        var request = request(.get, key, fields: ["Range": "bytes=\(range.lowerBound)-\(range.upperBound)"])
        // A refusal is a document.
        request.maxResponseBytes = max(Int(range.upperBound - range.lowerBound) + 1, 64 << 10)
        return request
    }

    /// `DELETE /key`.
    package func delete(_ key: String) -> OutgoingRequest { request(.delete, key) }

    /// `PUT /key` with `x-amz-copy-source`: what is stored goes along, within the bucket.
    package func copy(_ source: String, to key: String, fields: HTTPFields = [:]) -> OutgoingRequest {
        var fields = fields
        fields.set("x-amz-copy-source", S3Bucket.encoded("\(bucket.name)/\(source)"))
        return request(.put, key, fields: fields, body: .bytes([]))
    }

    /// `GET /?list-type=2`, a page: objects whose keys begin with `prefix`, and with a delimiter the folders below it.
    package func list(
        _ prefix: String, delimiter: String? = nil, most: Int = 1000, after token: String? = nil
    ) -> OutgoingRequest {
        var query = [("list-type", "2"), ("max-keys", String(most)), ("prefix", prefix)]
        if let delimiter { query.append(("delimiter", delimiter)) }
        if let token { query.append(("continuation-token", token)) }
        return request(.get, "", query: query)
    }

    // MARK: Uploads in parts

    /// `POST /key?uploads`.
    package func beginUpload(of key: String, fields: HTTPFields) -> OutgoingRequest {
        request(.post, key, query: [("uploads", "")], fields: fields)
    }

    /// `PUT /key?partNumber=&uploadId=`; the first part is number 1.
    package func put(
        _ body: BodyPart, sha256: String, asPart number: Int, of upload: String, to key: String
    ) -> OutgoingRequest {
        request(
            .put, key, query: [("partNumber", String(number)), ("uploadId", upload)], body: .parts([body]),
            sha256: sha256)
    }

    /// `POST /key?uploadId=`: makes the parts, in order, an object. A refusal may come with 200.
    package func completeUpload(_ upload: String, of key: String, tags: [String]) -> OutgoingRequest {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(xmlEscaped(tag))</ETag></Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        var request = request(
            .post, key, query: [("uploadId", upload)], fields: ["Content-Type": "application/xml"], body: .bytes(body),
            sha256: SHA256Digest(of: body).hex)
        // Stores put the parts together before they answer.
        request.timeout = .seconds(600)
        return request
    }

    /// `DELETE /key?uploadId=`.
    package func abortUpload(_ upload: String, of key: String) -> OutgoingRequest {
        request(.delete, key, query: [("uploadId", upload)])
    }

    /// `GET /?uploads`: unfinished uploads, a thousand at most.
    package func listUploads(_ prefix: String) -> OutgoingRequest {
        request(.get, "", query: [("uploads", ""), ("prefix", prefix)])
    }

    // MARK: Requests

    private func request(
        _ method: HTTPMethod, _ key: String, query: [(name: String, value: String)] = [], fields: HTTPFields = [:],
        body: OutgoingBody = .none, sha256: String = S3Request.emptyHash
    ) -> OutgoingRequest {
        let signed = S3Request(method, key, in: bucket, query: query, fields: fields, sha256: sha256)
            .signed(credentials, at: time)
        return OutgoingRequest(
            method: method, url: signed.url, fields: signed.fields, body: body,
            timeout: OutgoingRequest.timeout(carrying: body.length ?? 0), maxResponseBytes: 4 << 20,
            addressPolicy: addresses)
    }
}

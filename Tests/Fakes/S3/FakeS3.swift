internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// An S3-compatible store with one bucket, as the Amazon S3 API Reference describes it (read 2026-11-26). It checks every signature and
/// every hash of a body.
package final class FakeS3: FakeService {
    package static let accessKey = "AKIDEXAMPLE"
    package static let secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    package static let region = "eu-central-1"
    package static let bucket = "my-photos"

    package struct Options: Sendable {
        /// Whether it compares and keeps SHA-256 checksums; one that does not refuses them.
        package var hasChecksums = true
        /// The longest page of a list.
        package var longestPage = 1000

        package init() {}
    }

    private struct Object {
        let key: String
        var body: [UInt8]
        let fields: [String: String]
        let at: Date
    }

    private struct Upload {
        let key: String
        let fields: [String: String]
        let at: Date
        var parts: [Int: [UInt8]] = [:]
    }

    private struct State {
        var objects: [Object] = []
        var uploads: [String: Upload] = [:]
        var last = 0
        var isAway = false
    }

    private let options: Options
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with an empty bucket.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
    }

    /// The files; the words that lie beside them are read with them.
    package var effects: [PublishedPost] {
        state.withLock { state in
            state.objects.filter { !$0.key.hasSuffix(".xmp") }.map { object in
                let words =
                    state.objects.first { $0.key == "\(object.key).xmp" }
                    .map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                let caption = words.firstMatch(of: /<dc:description>.*?x-default">(.*?)<\/rdf:li>/.dotMatchesNewlines())
                let text = String(caption?.1 ?? "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                    .replacing("&amp;", with: "&")
                return PublishedPost(
                    id: object.key, url: "", text: text,
                    media: [
                        PublishedMedia(
                            sha256: SHA256Digest(of: object.body).hex, bytes: object.body.count,
                            mediaType: object.fields["content-type"] ?? "", altText: "")
                    ], createdAt: object.at)
            }
        }
    }

    /// Whether it answers everything with an error of its own.
    package var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Every key, in order.
    package var keys: [String] { state.withLock { $0.objects.map(\.key).sorted() } }
    /// The bytes of an object; nil when there is none.
    package func bytes(of key: String) -> [UInt8]? {
        state.withLock { state in state.objects.first { $0.key == key }?.body }
    }

    /// An object that somebody else has left.
    package func leave(_ key: String, _ bytes: [UInt8] = []) {
        state.withLock { $0.objects.append(Object(key: key, body: bytes, fields: [:], at: now())) }
    }

    /// Bytes change without anybody's doing.
    package func damage(_ key: String, _ bytes: [UInt8]) {
        state.withLock { state in
            for index in state.objects.indices where state.objects[index].key == key {
                state.objects[index].body = bytes
            }
        }
    }

    /// Uploads in parts that have not ended.
    package var openUploads: Int { state.withLock { $0.uploads.count } }

    package var albumNames: [String] {
        keys.filter { !$0.hasSuffix(".xmp") }.compactMap { $0.split(separator: "/").dropLast().last.map(String.init) }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        switch status {
        case 401: error(403, "InvalidAccessKeyId")
        case 403: error(403, "AccessDenied")
        case 404: error(404, "NoSuchBucket")
        case 409: error(409, "OperationAborted")
        case 413: error(400, "EntityTooLarge")
        case 422: error(400, "InvalidArgument")
        case 429: error(429, "TooManyRequests")
        case 500: error(500, "InternalError")
        default: error(status, "Error")
        }
    }

    private func error(_ status: Int, _ code: String, _ more: String = "") -> FakeAnswer {
        FakeAnswer(
            HTTPStatus(code: status), fields: ["Content-Type": "application/xml"],
            body: Array(
                "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>No.</Message>\(more)</Error>".utf8))
    }

    private func xml(_ root: String, _ inner: String) -> FakeAnswer {
        FakeAnswer(
            .ok, fields: ["Content-Type": "application/xml"],
            body: Array(
                "<?xml version=\"1.0\"?>\n<\(root) xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(inner)</\(root)>"
                    .utf8))
    }

    package var routes: [FakeRoute] {
        let keys = ["/{bucket}/{a}", "/{bucket}/{a}/{b}", "/{bucket}/{a}/{b}/{c}", "/{bucket}/{a}/{b}/{c}/{d}"]
        return [signed("GET /{bucket}", list)]
            + keys.flatMap { path in
                [
                    signed("PUT \(path)", put), signed("HEAD \(path)", head), signed("GET \(path)", get),
                    signed("DELETE \(path)", remove), signed("POST \(path)", post),
                ]
            }
    }

    // MARK: Signatures

    private func signed(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, String) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            if isAway { return error(503, "ServiceUnavailable") }
            guard parameters["bucket"] == Self.bucket else { return error(404, "NoSuchBucket") }
            if let refusal = refusal(of: request) { return refusal }
            let key = request.path.split(separator: "/").dropFirst().map { PercentEncoding.decode($0) ?? "" }
                .joined(separator: "/")
            return response(request, key)
        }
    }

    /// Why a request is not let in; nil: it is.
    private func refusal(of request: FakeRequest) -> FakeAnswer? {
        let pattern =
            /AWS4-HMAC-SHA256 Credential=(?<id>[^\/]+)\/(?<day>\d{8})\/(?<region>[^\/]+)\/s3\/aws4_request, SignedHeaders=(?<names>[^,]+), Signature=(?<code>[0-9a-f]{64})/
        guard let header = request.fields["Authorization"], let match = header.wholeMatch(of: pattern),
            let time = request.fields["x-amz-date"], time.hasPrefix(match.day)
        else { return error(403, "AccessDenied") }
        guard match.id == Self.accessKey else { return error(403, "InvalidAccessKeyId") }
        guard match.region == Self.region else {
            return error(400, "AuthorizationHeaderMalformed", "<Region>\(Self.region)</Region>")
        }
        guard request.fields["x-amz-content-sha256"] == SHA256Digest(of: request.body).hex else {
            return error(400, "XAmzContentSHA256Mismatch")
        }
        let names = match.names.split(separator: ";").map(String.init)
        guard names == names.sorted(), Set(names).isSuperset(of: ["host", "x-amz-date", "x-amz-content-sha256"]) else {
            return error(403, "SignatureDoesNotMatch")
        }
        let headers = names.map { name in
            let value =
                name == "host" ? String(request.origin.split(separator: "/").last ?? "") : request.fields[name] ?? ""
            return "\(name):\(value)\n"
        }
        let query = request.query.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }.sorted()
        let canonical = """
            \(request.method)
            \(request.path)
            \(query.joined(separator: "&"))
            \(headers.joined())
            \(match.names)
            \(request.fields["x-amz-content-sha256"] ?? "")
            """
        let text = """
            AWS4-HMAC-SHA256
            \(time)
            \(match.day)/\(match.region)/s3/aws4_request
            \(SHA256Digest(of: canonical).hex)
            """
        var key = HMAC.sha256(String(match.day).utf8, key: "AWS4\(Self.secretKey)".utf8)
        for step in [String(match.region), "s3", "aws4_request", text] { key = HMAC.sha256(step.utf8, key: key) }
        return Hex.encode(key) == match.code ? nil : error(403, "SignatureDoesNotMatch")
    }

    // MARK: Objects

    private func kept(_ request: FakeRequest) -> [String: String] {
        Dictionary(
            request.fields.filter {
                let name = $0.name.description.lowercased()
                return name.hasPrefix("x-amz-meta-") || name == "x-amz-checksum-sha256"
            }
            .map { ($0.name.description.lowercased(), $0.value) }
                + [("content-type", request.fields["Content-Type"] ?? "")], uniquingKeysWith: { $1 })
    }

    private func put(_ request: FakeRequest, _ key: String) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let tag = "\"\(SHA256Digest(of: request.body).hex.prefix(32))\""
        if let id = query["uploadId"], let number = query["partNumber"].flatMap({ Int($0) }) {
            return state.withLock { state in
                guard state.uploads[id]?.key == key else { return error(404, "NoSuchUpload") }
                state.uploads[id]?.parts[number] = request.body
                return FakeAnswer(.ok, fields: ["ETag": tag])
            }
        }
        if let source = request.fields["x-amz-copy-source"].flatMap({ PercentEncoding.decode($0) }) {
            let name = source.drop { $0 == "/" }.drop { $0 != "/" }.dropFirst()
            guard let object = state.withLock({ $0.objects.first { $0.key == name } }) else {
                return error(404, "NoSuchKey")
            }
            store(Object(key: key, body: object.body, fields: object.fields, at: now()))
            return xml("CopyObjectResult", "<ETag>\(tag)</ETag>")
        }
        var fields: HTTPFields = ["ETag": tag]
        if let checksum = request.fields["x-amz-checksum-sha256"] {
            guard options.hasChecksums else { return error(501, "NotImplemented") }
            guard checksum == Base64.encode(SHA256Digest(of: request.body).bytes) else {
                return error(400, "BadDigest")
            }
            fields.set("x-amz-checksum-sha256", checksum)
        }
        store(Object(key: key, body: request.body, fields: kept(request), at: now()))
        return FakeAnswer(.ok, fields: fields)
    }

    private func store(_ object: Object) {
        state.withLock { state in
            state.objects.removeAll { $0.key == object.key }
            state.objects.append(object)
        }
    }

    private func head(_ request: FakeRequest, _ key: String) -> FakeAnswer {
        guard let object = state.withLock({ $0.objects.first { $0.key == key } }) else { return FakeAnswer(.notFound) }
        return FakeAnswer(.ok, fields: fields(of: object, request), body: object.body)
    }

    private func fields(of object: Object, _ request: FakeRequest) -> HTTPFields {
        var fields: HTTPFields = [
            "Content-Type": object.fields["content-type"] ?? "", "Last-Modified": HTTPDate(object.at).description,
        ]
        for (name, value) in object.fields where name.hasPrefix("x-amz-meta-") { fields.set(name, value) }
        if request.fields["x-amz-checksum-mode"] == "ENABLED",
            let checksum = object.fields["x-amz-checksum-sha256"]
        {
            fields.set("x-amz-checksum-sha256", checksum)
        }
        return fields
    }

    private func get(_ request: FakeRequest, _ key: String) -> FakeAnswer {
        guard let object = state.withLock({ $0.objects.first { $0.key == key } }) else {
            return error(404, "NoSuchKey")
        }
        var fields = fields(of: object, request)
        guard let range = request.fields["Range"] else { return FakeAnswer(.ok, fields: fields, body: object.body) }
        let bounds = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] < object.body.count else { return error(416, "InvalidRange") }
        let end = min(bounds[1], object.body.count - 1)
        fields.set("Content-Range", "bytes \(bounds[0])-\(end)/\(object.body.count)")
        return FakeAnswer(.partialContent, fields: fields, body: Array(object.body[bounds[0]...end]))
    }

    private func remove(_ request: FakeRequest, _ key: String) -> FakeAnswer {
        state.withLock { state in
            if let id = FormFields(request.query)?["uploadId"] {
                state.uploads[id] = nil
            } else {
                state.objects.removeAll { $0.key == key }
            }
        }
        return FakeAnswer(.noContent)
    }

    private func post(_ request: FakeRequest, _ key: String) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard let id = query["uploadId"] else {
            return state.withLock { state in
                state.last += 1
                state.uploads["upload-\(state.last)"] = Upload(key: key, fields: kept(request), at: now())
                return xml(
                    "InitiateMultipartUploadResult", "<Key>\(key)</Key><UploadId>upload-\(state.last)</UploadId>")
            }
        }
        let text = String(decoding: request.body, as: UTF8.self)
        let numbers = text.matches(of: /<PartNumber>(\d+)<\/PartNumber>/).compactMap { Int($0.1) }
        let upload = state.withLock { state -> Upload? in
            guard let upload = state.uploads[id], upload.key == key, Set(numbers) == Set(upload.parts.keys),
                numbers == numbers.sorted()
            else { return nil }
            state.uploads[id] = nil
            return upload
        }
        guard let upload else { return error(404, "NoSuchUpload") }
        store(Object(key: key, body: numbers.flatMap { upload.parts[$0] ?? [] }, fields: upload.fields, at: now()))
        return xml("CompleteMultipartUploadResult", "<Key>\(key)</Key>")
    }

    private func list(_ request: FakeRequest, _ key: String) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let prefix = query["prefix"] ?? ""
        if query["uploads"] != nil {
            let uploads = state.withLock(\.uploads).filter { $0.value.key.hasPrefix(prefix) }.map { id, upload in
                "<Upload><Key>\(upload.key)</Key><UploadId>\(id)</UploadId><Initiated>\(Timestamp(upload.at))</Initiated></Upload>"
            }
            return xml("ListMultipartUploadsResult", "<IsTruncated>false</IsTruncated>\(uploads.joined())")
        }
        guard query["list-type"] == "2" else { return error(501, "NotImplemented") }
        let objects = state.withLock(\.objects).filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
        if query["delimiter"] == "/" {
            let below = objects.map { $0.key.dropFirst(prefix.count) }
            let folders = Set(below.compactMap { $0.contains("/") ? $0.prefix { $0 != "/" } : nil }).sorted()
            return xml(
                "ListBucketResult",
                "<IsTruncated>false</IsTruncated>"
                    + folders.map { "<CommonPrefixes><Prefix>\(prefix)\($0)/</Prefix></CommonPrefixes>" }.joined())
        }
        // What follows the last key of the page before.
        let rest = objects.drop { $0.key <= query["continuation-token"] ?? "" }
        let page = rest.prefix(min(options.longestPage, query["max-keys"].flatMap { Int($0) } ?? 1000))
        let contents = page.map { object in
            "<Contents><Key>\(object.key)</Key><LastModified>\(Timestamp(object.at))</LastModified><Size>\(object.body.count)</Size></Contents>"
        }
        let next =
            page.count < rest.count
            ? "<IsTruncated>true</IsTruncated><NextContinuationToken>\(page.last?.key ?? "")</NextContinuationToken>"
            : "<IsTruncated>false</IsTruncated>"
        return xml("ListBucketResult", next + contents.joined())
    }
}

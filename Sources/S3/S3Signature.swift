package import Crypto
package import FoundationEssentials
package import HTTP

/// An access key of a store, and its secret.
package struct S3Credentials: Sendable {
    package let accessKey: String
    package let secretKey: Secret<String>
    /// Of a key that ends; nil for others.
    package let sessionToken: String?

    package init(accessKey: String, secretKey: Secret<String>, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }
}

/// A request to a store, signed with AWS Signature Version 4.
///
/// Source: Amazon S3 API Reference, "Authenticating Requests (AWS Signature Version 4)".
package struct S3Request: Sendable {
    package let method: HTTPMethod
    let bucket: S3Bucket
    let key: String
    let query: [(name: String, value: String)]
    let fields: HTTPFields
    /// Of the body, in small hexadecimal digits.
    let sha256: String

    /// The SHA-256 of nothing.
    package static let emptyHash = SHA256Digest(of: []).hex

    /// Takes a request; `fields` are all signed, without those that signing adds.
    package init(
        _ method: HTTPMethod, _ key: String, in bucket: S3Bucket, query: [(name: String, value: String)] = [],
        fields: HTTPFields = [:], sha256: String = Self.emptyHash
    ) {
        self.method = method
        self.bucket = bucket
        self.key = key
        self.query = query
        self.fields = fields
        self.sha256 = sha256
    }

    /// Its address, and its header fields with `Authorization`.
    package func signed(_ credentials: S3Credentials, at time: Date) -> (url: String, fields: HTTPFields) {
        let (scheme, authority) = bucket.place
        let (stamp, day) = Self.stamp(time)
        var fields = fields
        fields.set("x-amz-date", stamp)
        fields.set("x-amz-content-sha256", sha256)
        if let token = credentials.sessionToken { fields.set("x-amz-security-token", token) }

        let path = bucket.path(of: key)
        let query = Self.canonical(query)
        var lines = fields.map { (name: $0.name.description.lowercased(), value: Self.trimmed($0.value)) }
        lines.append(("host", authority))
        lines.sort { $0.name < $1.name }
        let names = lines.map(\.name).joined(separator: ";")
        let request = [
            method.description, path, query, lines.map { "\($0.name):\($0.value)\n" }.joined(), names, sha256,
        ].joined(separator: "\n")

        let scope = "\(day)/\(bucket.region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(SHA256Digest(of: request).hex)"
        let key = scope.split(separator: "/").reduce(Array("AWS4\(credentials.secretKey.reveal())".utf8)) {
            HMAC.sha256($1.utf8, key: $0)
        }
        let signature = Hex.encode(HMAC.sha256(text.utf8, key: key))
        fields.set(
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        )
        return ("\(scheme)://\(authority)\(path)\(query.isEmpty ? "" : "?\(query)")", fields)
    }

    /// Names and values encoded, in the order of their bytes; a flag has an empty value.
    private static func canonical(_ query: [(name: String, value: String)]) -> String {
        query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.sorted()
            .joined(separator: "&")
    }

    /// Runs of spaces are one.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    /// `20261121T000000Z` and `20261121`.
    private static func stamp(_ time: Date) -> (time: String, day: String) {
        let text = time.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
        return (text, String(text.prefix(8)))
    }
}

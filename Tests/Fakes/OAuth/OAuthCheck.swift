internal import Crypto
internal import Foundation
internal import HTTP

/// Checks an OAuth 1.0a signature the way a service does; written apart from the code that signs.
///
/// Source: RFC 5849, sections 3.2 and 3.4.
struct OAuthCheck: Sendable {
    /// Decoded, of the `Authorization` field alone.
    private let fields: [String: String]
    private let base: String

    var nonce: String { fields["oauth_nonce"] ?? "" }

    /// Nil unless there is one well-formed `Authorization: OAuth …`.
    ///
    /// `signedFields` are those of a multipart form, which Flickr signs though OAuth does not.
    init?(_ request: FakeRequest, signedFields: [(String, String)] = []) {
        guard let header = request.fields.values("Authorization").first, header.hasPrefix("OAuth ") else { return nil }
        var fields: [String: String] = [:]
        for part in header.dropFirst(6).components(separatedBy: ", ") {
            let halves = part.components(separatedBy: "=\"")
            guard halves.count == 2, halves[1].hasSuffix("\""), fields[halves[0]] == nil else { return nil }
            fields[halves[0]] = String(halves[1].dropLast()).removingPercentEncoding
        }
        self.fields = fields

        var parameters = fields.filter { $0.key != "oauth_signature" }.map { ($0.key, $0.value) } + signedFields
        let isForm = request.contentType == "application/x-www-form-urlencoded"
        for source in [request.query, isForm ? String(decoding: request.body, as: UTF8.self) : ""] {
            for pair in source.split(separator: "&") {
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "" }
                parameters.append((halves[0], halves.count == 2 ? halves[1] : ""))
            }
        }
        let encoded = parameters.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }
        // "=" sorts behind "%" and digits but before letters, so names and values are compared apart.
        let sorted = encoded.sorted { left, right in
            let (left, right) = (left.components(separatedBy: "="), right.components(separatedBy: "="))
            return left[0] == right[0] ? left[1] < right[1] : left[0] < right[0]
        }
        base = [
            request.method.rawValue, Self.encode("\(request.origin)\(request.path)"),
            Self.encode(sorted.joined(separator: "&")),
        ].joined(separator: "&")
    }

    /// A parameter of the protocol, such as `oauth_callback`.
    subscript(name: String) -> String? { fields[name] }

    /// Whether the keys are the right ones, the clock is near and the signature is theirs.
    ///
    /// `token` is nil for an app that asks for its first token.
    func holds(
        consumer: (key: String, secret: String), token: (key: String, secret: String)?, at now: Date
    ) -> Bool {
        guard fields["oauth_consumer_key"] == consumer.key, fields["oauth_token"] == token?.key,
            fields["oauth_signature_method"] == "HMAC-SHA1", fields["oauth_version"] ?? "1.0" == "1.0",
            let time = fields["oauth_timestamp"].flatMap(Double.init), abs(time - now.timeIntervalSince1970) < 300,
            !nonce.isEmpty
        else { return false }
        return fields["oauth_signature"] == signature(consumer.secret, token?.secret ?? "")
    }

    /// The signature that the two secrets give.
    func signature(_ consumerSecret: String, _ tokenSecret: String) -> String {
        let key = "\(Self.encode(consumerSecret))&\(Self.encode(tokenSecret))"
        return Data(HMAC.sha1(Array(base.utf8), key: Array(key.utf8))).base64EncodedString()
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

internal import HTTP

/// A bucket of an S3-compatible store, and how requests name it.
package struct S3Bucket: Sendable, Equatable {
    /// The place of the bucket's name in an address.
    package enum Style: String, Sendable {
        /// `https://store.example/bucket/key`.
        case path
        /// `https://bucket.store.example/key`.
        case host

        /// The style that a store wants: Amazon names buckets in the host; a name with dots has no certificate there.
        package static func usual(at authority: String, for bucket: String) -> Style {
            authority.hasSuffix(".amazonaws.com") && !bucket.contains(".") ? .host : .path
        }
    }

    /// `https://store.example`.
    package let origin: String
    package let name: String
    /// `us-east-1` where a store has no regions.
    package let region: String
    package let style: Style

    package init(origin: String, name: String, region: String, style: Style) {
        self.origin = origin
        self.name = name
        self.region = region
        self.style = style
    }

    /// The bytes that a key may have (Amazon S3 User Guide, "Naming objects").
    package static let longestKey = 1024

    /// Scheme, host and port of requests, as `https` and `bucket.store.example`.
    var place: (scheme: String, authority: String) {
        let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let (scheme, authority) = (String(parts.first?.dropLast() ?? "https"), String(parts.last ?? ""))
        return (scheme, style == .host ? "\(name).\(authority)" : authority)
    }

    /// The path of a key, encoded once; the bucket's own for an empty key.
    func path(of key: String) -> String {
        let key = Self.encoded(key)
        return style == .host ? "/\(key)" : "/\(PercentEncoding.encode(name))" + (key.isEmpty ? "" : "/\(key)")
    }

    /// A key with its slashes, encoded once.
    package static func encoded(_ key: String) -> String {
        key.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
            .joined(separator: "/")
    }

    /// The address of an object, without a signature.
    package func address(of key: String) -> String {
        let place = place
        return "\(place.scheme)://\(place.authority)\(path(of: key))"
    }
}

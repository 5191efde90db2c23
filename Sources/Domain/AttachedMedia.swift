/// A picture, film or sound that goes along with somebody's words elsewhere. It stays there: what is kept is where it is.
package struct AttachedMedia: Sendable, Equatable, Codable {
    /// Names are the wire's and the database's.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case picture, video, audio
    }

    package let kind: Kind
    /// A web address.
    package let url: String
    /// Of a smaller picture; nil without one.
    package let previewURL: String?
    package let altText: String
    /// In pixels; nil where the service does not tell.
    package let width: Int?
    package let height: Int?

    /// Nil for an address that is none of the web. Takes a longer description cut.
    package init?(
        _ kind: Kind, url: String?, previewURL: String? = nil, altText: String? = nil, width: Int64? = nil,
        height: Int64? = nil
    ) {
        guard let url, url.isShortWebAddress else { return nil }
        let size = 1...Int64(100_000)
        (self.kind, self.url) = (kind, url)
        self.previewURL = previewURL.flatMap { $0.isShortWebAddress ? $0 : nil }
        self.altText = (altText ?? "").cut(toBytes: Self.longestAltText)
        self.width = width.flatMap { size.contains($0) ? Int($0) : nil }
        self.height = height.flatMap { size.contains($0) ? Int($0) : nil }
    }

    /// Of one post.
    package static let most = 20
    /// In bytes of UTF-8.
    private static let longestAltText = 4000
}

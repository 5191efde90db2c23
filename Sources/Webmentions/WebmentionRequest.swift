package import Domain
internal import FoundationEssentials
package import HTTP

/// A page's word that it mentions a photo (Webmention, W3C Recommendation of 2017-01-12, section 3.2.1).
package struct WebmentionRequest: Sendable, Equatable {
    /// The page that mentions; a web address without a fragment.
    package let source: String
    /// The short URL of the photo, however the source has it.
    package let target: String
    /// Of the source, in small letters.
    package let host: String
    /// Of the photo.
    package let code: ShortCode

    /// Why it is refused. Descriptions are for its sender.
    package enum Mistake: Error, Equatable, CustomStringConvertible {
        case source, target, same, notOurs

        package var description: String {
            switch self {
            case .source: "source has to be one web address of a public page."
            case .target: "target has to be one web address."
            case .same: "source and target are the same."
            case .notOurs: "target is no photo of this Pics."
            }
        }
    }

    /// Reads a form; other fields than `source` and `target` are left alone.
    package init(_ form: FormFields, addresses: Addresses, servers: ServerPolicy) throws(Mistake) {
        guard form.values("source").count == 1, let source = form["source"], let host = Self.host(of: source, servers)
        else { throw .source }
        guard form.values("target").count == 1, let target = form["target"], target.isWebAddress else { throw .target }
        guard source != target else { throw .same }
        guard let code = addresses.code(at: target.prefix { $0 != "#" && $0 != "?" }) else { throw .notOurs }
        self.source = String(source.prefix { $0 != "#" })
        (self.target, self.host, self.code) = (addresses.shortURL(code), host, code)
    }

    /// The host of a page that may be read; nil for any other address.
    static func host(of address: String, _ servers: ServerPolicy) -> String? {
        guard address.isWebAddress, let parts = URLComponents(string: address), let host = parts.serverHost else {
            return nil
        }
        // Other ports of public hosts are not meant for pages.
        if servers == .publicOnly, let port = parts.port, port != 80, port != 443 { return nil }
        return host.lowercased()
    }
}

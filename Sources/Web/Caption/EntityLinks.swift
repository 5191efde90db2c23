internal import Foundation
internal import HTTP
internal import Store
internal import Submitters

/// Where the mentions and hashtags of a caption lead: to the one service that the photo was posted to. With none or several
/// nobody knows whose `@alice` is meant, and they stay text; `@alice@social.example` names its server itself.
struct EntityLinks: Sendable {
    private let pages: EntityPages?
    /// Scheme and host of the posts.
    private let server: String

    /// - Parameters:
    ///   - posts: Those of the photo.
    ///   - pages: The pages of a service, by its id.
    init(_ posts: [PublicPost], _ pages: (String) -> EntityPages?) {
        let pages = posts.first.flatMap { pages($0.service) }
        let isOneService = Set(posts.map(\.service)).count == 1
        // Of several servers, any has the page of a hashtag, but only one that of a person.
        let servers = Set(posts.map { Self.server(of: $0.url) ?? "" })
        let isOneServer = servers.count == 1 && servers != [""]
        self.pages = isOneService && (isOneServer || pages?.isPerServer == false) ? pages : nil
        server = servers.first ?? ""
    }

    /// The address of a hashtag's page; the tag comes without its sign.
    func hashtag(_ tag: String) -> String? { pages?.hashtag(PercentEncoding.encode(tag), server) }

    /// The address of a person's page; name and host come without their signs.
    func profile(_ name: String, host: String?) -> String? {
        let name = PercentEncoding.encode(name)
        return host.map { "https://\($0)/@\(name)" } ?? pages?.profile(name, server)
    }

    private static func server(of url: String) -> String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host else {
            return nil
        }
        return "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
    }
}

internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters

/// The addresses of a caption's hashtags in the owner's open gallery, and else of them and of mentions at the one service that the photo
/// was posted to. With none or several
/// nobody knows whose `@alice` is meant, and they stay text; `@alice@social.example` names its server itself.
struct EntityLinks: Sendable {
    private let pages: EntityPages?
    /// Scheme and host of the posts; empty where the service has no servers of its own.
    private let server: String
    /// Whose hashtags have pages here.
    private let gallery: GalleryAddress?

    /// - Parameters:
    ///   - posts: Those of the photo.
    ///   - gallery: That of the photo's owner, when it is open.
    ///   - pages: The pages of a service, by its id.
    init(_ posts: [PublicPost], gallery: GalleryAddress? = nil, _ pages: (String) -> EntityPages?) {
        self.gallery = gallery
        let services = Set(posts.map(\.service))
        let pages = services.count == 1 ? services.first.flatMap(pages) : nil
        guard pages?.isPerServer == true else {
            (self.pages, server) = (pages, "")
            return
        }
        let servers = Set(posts.map { Self.server(of: $0.url) })
        let one = servers.count == 1 ? servers.first.flatMap(\.self) : nil
        (self.pages, server) = (one == nil ? nil : pages, one ?? "")
    }

    /// Whether hashtags lead to pages of this Pics.
    var hasOwnTags: Bool { gallery != nil }

    /// The address of a hashtag's page; the tag comes without its sign.
    func hashtag(_ tag: String) -> String? { gallery?.tag(tag) ?? pages?.hashtag(PercentEncoding.encode(tag), server) }

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

internal import Foundation
internal import HTTP
internal import Store

/// Where the mentions and hashtags of a caption lead: to the one service that the photo was posted to. With none or several
/// nobody knows whose `@alice` is meant, and they stay text; `@alice@social.example` names its server itself.
struct EntityLinks: Sendable {
    private enum Service {
        case twitter
        case bluesky
        case tumblr
        case flickr
        /// The server's scheme and host.
        case mastodon(String)
    }

    private let service: Service?

    init(_ posts: [PublicPost]) {
        let services = Set(posts.map(\.service))
        guard services.count == 1, let post = posts.first else {
            service = nil
            return
        }
        switch post.service {
        case "twitter": service = .twitter
        case "bluesky": service = .bluesky
        case "tumblr": service = .tumblr
        case "flickr": service = .flickr
        case "mastodon":
            // Of several servers, any has the page of a hashtag, but only one that of a person.
            let servers = Set(posts.map { Self.server(of: $0.url) })
            service = servers.count == 1 ? servers.first.flatMap(\.self).map { .mastodon($0) } : nil
        default: service = nil
        }
    }

    /// The address of a hashtag's page; the tag comes without its sign.
    func hashtag(_ tag: String) -> String? {
        let tag = PercentEncoding.encode(tag)
        return switch service {
        case .twitter: "https://x.com/hashtag/\(tag)"
        case .bluesky: "https://bsky.app/hashtag/\(tag)"
        case .tumblr: "https://www.tumblr.com/tagged/\(tag)"
        case .flickr: "https://www.flickr.com/photos/tags/\(tag)"
        case .mastodon(let server): "\(server)/tags/\(tag)"
        case nil: nil
        }
    }

    /// The address of a person's page; name and host come without their signs.
    func profile(_ name: String, host: String?) -> String? {
        let name = PercentEncoding.encode(name)
        if let host { return "https://\(host)/@\(name)" }
        return switch service {
        case .twitter: "https://x.com/\(name)"
        case .bluesky: name.contains(".") ? "https://bsky.app/profile/\(name)" : nil
        case .tumblr: "https://www.tumblr.com/\(name)"
        case .mastodon(let server): "\(server)/@\(name)"
        case .flickr, nil: nil
        }
    }

    private static func server(of url: String) -> String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host else {
            return nil
        }
        return "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
    }
}

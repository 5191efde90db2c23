internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// What `/` shows to those who have not signed in.
package enum FrontPage: Sendable, Equatable {
    case welcome
    /// The newest public photos of all open galleries.
    case newest
    /// One user's gallery, once that is open.
    case gallery(of: String)

    /// As a setting has it: `welcome`, `newest` or `user:NAME`.
    package init?(_ text: String) {
        switch text {
        case "welcome": self = .welcome
        case "newest": self = .newest
        default:
            guard text.hasPrefix("user:") else { return nil }
            let name = String(text.dropFirst(5))
            guard User.isValidName(name) else { return nil }
            self = .gallery(of: name)
        }
    }

    package var text: String {
        switch self {
        case .welcome: "welcome"
        case .newest: "newest"
        case .gallery(let name): "user:\(name)"
        }
    }
}

extension PageHandlers {
    /// `GET /` for strangers. Where there is nothing to show, they are welcomed.
    func face(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch front {
        case .welcome: break
        case .newest:
            let before = request.query["before"].flatMap { PhotoID($0) }
            let page = try await newestPage(request, before: before)
            if let page { return page }
        case .gallery(let name):
            if let gallery = try await openGallery(of: name) {
                var frame = GalleryFrame(gallery, Language(request), addresses)
                frame.banner = Self.banner(frame.language)
                return try await galleryPage(request, frame, .all, .newest)
            }
        }
        return try await welcomePage(request)
    }

    private func openGallery(of name: String) async throws(StoreError) -> Gallery? {
        do throws(StoreError) { return try await store.gallery(named: name) } catch {
            guard error == .notFound else { throw error }
            return nil
        }
    }

    /// The way in for those who have an account here.
    static func banner(_ say: Language) -> HTML {
        "<a href=\"/\">Pics</a>\n<a href=\"/login\">\(say(.signIn))</a>"
    }

    /// The ways to what this Pics is.
    static func imprint(_ say: Language) -> HTML {
        "<a href=\"/status\">\(say(.howPicsIsDoing))</a>\n<a href=\"/openapi.json\">\(say(.theAPI))</a>\n"
    }
}

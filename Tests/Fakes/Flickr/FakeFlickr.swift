internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Flickr's API with one account, as flickr.com/services/api describes it (read 2026-11-21). It refuses with status
/// 200.
package final class FakeFlickr: FakeService {
    /// How the service is set up.
    package struct Options: Sendable {
        /// How long a new photo is missing from lists.
        package var listDelay: TimeInterval = 0
        /// How often a ticket is looked at before its photo is there.
        package var ticketLooks = 1
        /// Whether it makes nothing of a file that came asynchronously.
        package var failsProcessing = false

        package init() {}
    }

    static let account = "12037949629@N01"

    let options: Options
    let now: @Sendable () -> Date
    let oauth: FakeOAuth1
    let state = Lock(State())

    struct State {
        var photos: [Photo] = []
        var tickets: [String: Ticket] = [:]
        var sets: [Photoset] = [Photoset(id: "7215", title: "Lakes", photos: ["1"])]
        /// The first has moderators, who look at each photo.
        var groups: [Photoset] = [
            Photoset(id: "17274427@N00", title: "Cream", photos: []),
            Photoset(id: "20083316@N00", title: "Föhn", photos: []),
        ]
        var lastID = 53_000_000_000
        var comments: [Comment] = []

        mutating func nextID() -> String {
            lastID += 1
            return String(lastID)
        }
    }

    struct Comment {
        let id: String
        let photo: String
        let text: String
        let at: Date
    }

    /// What others say of the photos.
    package let conversation = FakeConversation { "6065-\($0)" }
    package var talk: FakeConversation? { conversation }

    struct Photo {
        let id: String
        let post: PublishedPost
        let tags: [String]
        let isPublic: Bool
        var position: String?
    }

    struct Ticket {
        let photo: String
        var looksLeft: Int
    }

    struct Photoset {
        let id: String
        let title: String
        var photos: [String]
    }

    /// Starts with one photoset.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        oauth = FakeOAuth1(now: now)
    }

    package var effects: [PublishedPost] { state.withLock { $0.photos.map(\.post) } }

    /// The photos of each album, by title.
    package var albums: [String: [String]] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: state.sets.map { ($0.title, $0.photos) })
        }
    }

    /// The photos offered to each group, by name.
    package var pools: [String: [String]] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: state.groups.map { ($0.title, $0.photos) })
        }
    }

    /// Where photos were taken, as they were told.
    package var positions: [String] { state.withLock { $0.photos.compactMap(\.position) } }

    package var albumNames: [String] {
        state.withLock { state in
            state.photos.flatMap { photo in state.sets.filter { $0.photos.contains(photo.id) }.map(\.title) }
        }
    }

    package var publicPhotos: Int { state.withLock { $0.photos.filter(\.isPublic).count } }

    package func refusal(_ status: Int) -> FakeAnswer { FakeAnswer(HTTPStatus(code: status)) }

    func error(_ code: Int, _ message: String = "No.") -> FakeAnswer {
        .json(["stat": "fail", "code": JSONValue(code), "message": .string(message)])
    }

    func ok(_ members: JSONObject = [:]) -> FakeAnswer {
        var members = members
        members["stat"] = "ok"
        return .json(.object(members))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("POST /services/oauth/request_token") { [oauth] request, _ in oauth.requestToken(request) },
            FakeRoute("GET /services/oauth/authorize") { [oauth] request, _ in
                FormFields(request.query)?["perms"] == "delete" ? oauth.consent(request) : FakeAnswer(.badRequest)
            },
            FakeRoute("POST /services/oauth/access_token") { [oauth] request, _ in
                oauth.accessToken(request, extra: ["user_nsid": Self.account, "username": "alice"])
            },
            FakeRoute("POST /services/upload/", upload),
            FakeRoute("GET /services/rest/") { [self] request, _ in
                call(request, FormFields(request.query) ?? [:])
            },
            FakeRoute("POST /services/rest/") { [self] request, _ in
                call(request, FormFields(request.body) ?? [:])
            },
        ]
    }

    /// A method of the REST interface.
    private func call(_ request: FakeRequest, _ form: FormFields) -> FakeAnswer {
        guard form["format"] == "json", form["nojsoncallback"] == "1" else { return error(111) }
        guard oauth.holds(request) else { return error(98, "Invalid auth token") }
        let changes = [
            "create", "addPhoto", "delete", "setLocation", "pools.add", "addComment", "deleteComment", "favorites.add",
            "favorites.remove",
        ]
        .contains { form["method"]?.hasSuffix($0) == true }
        guard !changes || request.method == .post else { return error(112) }
        return state.withLock { state in
            switch form["method"] {
            case "flickr.test.login":
                ok(["user": ["id": .string(Self.account), "username": ["_content": "alice"]]])
            case "flickr.people.getInfo":
                ok(["person": ["nsid": .string(Self.account), "iconserver": "0", "iconfarm": 0]])
            case "flickr.photos.upload.checkTickets": ticket(form, &state)
            case "flickr.people.getPhotos": photos(form, state)
            case "flickr.photos.geo.setLocation": setLocation(form, &state)
            case "flickr.photos.delete": delete(form, &state)
            case "flickr.photos.getInfo":
                find(form, state) == nil ? error(1) : ok(["photo": ["comments": ["_content": "2"]]])
            case "flickr.photos.getFavorites": favourites(form, state)
            case "flickr.photos.comments.getList": comments(form, state)
            case "flickr.photos.comments.addComment": addComment(form, &state)
            case "flickr.photos.comments.deleteComment": deleteComment(form, &state)
            case "flickr.photos.getContactsPhotos": contactsPhotos(form)
            case "flickr.favorites.add": setFavourite(form, to: true)
            case "flickr.favorites.remove": setFavourite(form, to: false)
            case "flickr.photosets.getList": sets(form, state)
            case "flickr.photosets.create": createSet(form, &state)
            case "flickr.photosets.addPhoto": add(form, &state)
            case "flickr.people.getGroups": groups(form, state)
            case "flickr.groups.pools.add": offer(form, &state)
            default: error(112, "Method not found")
            }
        }
    }
}

package import Actions
package import Authentication
internal import Blobs
package import Domain
package import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import Submitters

/// The protocols of people's own apps: OAuth, the Mastodon client API and Micropub. An object, which a route keeps by one reference.
///
/// Every photo is created, changed and deleted by the same actions as through `/v1` and the pages.
package final class AppHandlers: Sendable {
    let actions: ActionContext
    let photos: PhotoActions
    let apps: AppActions
    let authentication: TokenAuthentication
    /// Of routes whose responses may be repeated.
    let responseCache: ResponseCache
    let rates: RateLimiter
    /// Begins an upload in parts at the media endpoint. This and the problem that an error is told as are injected, as front ends do not
    /// know each other.
    let beginUpload: @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse
    let problem: @Sendable (any Error) -> ProblemDetails
    /// Addresses of pictures of private photos.
    let access: PictureAccess
    /// The path of a picture for those who have none.
    let icon: String
    /// Of Pics.
    let version: String
    /// The operator's address as a link, such as `mailto:…`; nil when the operator has not said.
    let contact: String?

    var uploads: UploadActions { UploadActions(photos, respond: Self.responder) }
    var store: PicsStore { actions.store }
    var registry: Registry { actions.registry }
    var addresses: Addresses { actions.addresses }
    var limits: IngestLimits { actions.limits }
    var logger: Logger { actions.logger }

    package init(
        _ actions: ActionContext, apps: AppActions, authentication: TokenAuthentication,
        responseCache: ResponseCache, rates: RateLimiter, access: PictureAccess, icon: String, version: String,
        contact: String?,
        beginUpload: @escaping @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse,
        problem: @escaping @Sendable (any Error) -> ProblemDetails
    ) {
        self.actions = actions
        photos = PhotoActions(actions)
        self.apps = apps
        self.authentication = authentication
        self.responseCache = responseCache
        self.rates = rates
        self.access = access
        self.icon = icon
        self.version = version
        self.contact = contact
        self.beginUpload = beginUpload
        self.problem = problem
    }

    /// Kept under an idempotency key: which photo was created. What an app gets of it is written anew each time.
    static let responder: PhotoResponder = { view, _ in
        StoredResponse(status: 200, fields: [], body: Array(view.photo.id.description.utf8))
    }

    /// The photo that a request has created, now or before.
    func photo(_ created: CreatedPhoto) throws(StoreError) -> PhotoID {
        switch created {
        case .photo(let id): return id
        case .response(let kept):
            guard let id = PhotoID(String(decoding: kept.body, as: UTF8.self)) else { throw .notFound }
            return id
        }
    }

    /// Changes a photo of the user's, for which planning a long caption is charged.
    func edit(_ photo: Photo, _ draft: PhotoEditDraft, by user: User) async throws {
        try await photos.edit(photo, draft, by: user) { try rates.chargePlanning(of: $0, by: user) }
    }

    /// The request as actions know it.
    func action(_ request: HTTPRequest) -> ActionRequest {
        ActionRequest(id: request.id) { [authentication] in try await authentication.demandToken(of: request) }
    }

    /// The address of a user, which is their identity for other sites (IndieAuth, section 3.2).
    func profileURL(of name: String) -> String { "\(addresses.base)/u/\(name)" }
}

extension RatePolicy.Name {
    /// Apps that an address registers.
    package static let registrations = RatePolicy.Name("app-registrations")
}

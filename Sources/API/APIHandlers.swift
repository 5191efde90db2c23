package import Actions
package import Authentication
package import Domain
internal import EventLoops
package import HTTPServer
internal import Logging
internal import Store
internal import Submitters
package import System

/// The JSON side of Pics: what handlers work with. An object, which a route keeps by one reference.
package final class APIHandlers: Sendable {
    package let actions: ActionContext
    package let photos: PhotoActions
    package let submissions: SubmissionActions
    package let webhooks: WebhookActions
    package let exports: Exports
    /// Signs links to pictures.
    let access: PictureAccess
    /// Of apps that a browser may be sent back to, in small letters.
    package let returnSchemes: Set<String>
    /// Counts what clients take.
    package let rates: RateLimiter
    /// The path and last response of files that apps upload in parts for later posts.
    let mediaEndpoint: UploadPlace
    /// The facts of this process.
    package let status: StatusSource
    let metrics: MetricsCache
    /// Of routes whose responses may be repeated.
    let responseCache: ResponseCache
    /// Event streams that are open.
    let streams: ConcurrencyLimit<UserID>

    package var uploads: UploadActions { UploadActions(photos, respond: responder) }
    var accounts: AccountActions { actions.accounts }
    var authentication: TokenAuthentication { TokenAuthentication(store: store, rates: rates) }
    var store: PicsStore { actions.store }
    var registry: Registry { actions.registry }
    var users: UserActions { UserActions(actions) }
    var logger: Logger { actions.logger }
    var addresses: Addresses { actions.addresses }
    package var limits: IngestLimits { actions.limits }

    package init(
        _ actions: ActionContext, webhooks: WebhookActions, exports: Exports, access: PictureAccess,
        returnSchemes: Set<String>,
        rates: RateLimiter, streams: ConcurrencyLimit<UserID>, mediaEndpoint: UploadPlace, status: StatusSource,
        responseCache: ResponseCache
    ) {
        self.actions = actions
        photos = PhotoActions(actions)
        submissions = SubmissionActions(actions)
        self.webhooks = webhooks
        self.exports = exports
        self.access = access
        self.returnSchemes = returnSchemes
        self.rates = rates
        self.mediaEndpoint = mediaEndpoint
        self.status = status
        self.streams = streams
        metrics = MetricsCache(on: status.system.loop)
        self.responseCache = responseCache
    }
}

package import Actions
internal import Blobs
package import Crypto
package import Domain
package import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import Submitters
package import System

/// The pages people open: what handlers work with. An object, which a route keeps by one reference.
package final class PageHandlers: Sendable {
    let actions: ActionContext
    let apps: AppActions
    let access: PictureAccess
    let photos: PhotoActions
    let submissions: SubmissionActions
    let responses: ResponseActions
    let reports: ReportActions
    let interactions: InteractionActions
    let timeline: TimelineActions
    /// Makes what a timeline shows of the pictures that others have.
    let timelinePictures: SmallPictures
    let exports: Exports
    let webhooks: WebhookActions
    let push: PushActions
    /// Nil where the operator has no mail server: then nothing of mail is shown.
    let mail: MailActions?
    let news: NewsSubscriptions
    /// Where the pages of webmentions may be.
    let servers: ServerPolicy
    let videos: VideoMaker
    package let visits: VisitCounter
    /// Counts what visitors take.
    let rates: RateLimiter
    let sharedLimits: SharedLimits
    let management: UserManagement
    /// Of apps that a browser may be sent back to, in small letters.
    let returnSchemes: Set<String>
    /// Where people write to the operator, as the address of a link; nil when the operator has not said.
    let contact: String?
    let keys: KeyRing
    let visitors: VisitorCookie
    let devices: DeviceCookie
    let secondSteps: SecondStepCookie
    let secondFactors: SecondFactorActions
    let passkeys: PasskeyActions
    /// Nil where the operator has chosen no issuer.
    let openID: OpenIDActions?
    /// The problems of this installation, and how they are fixed.
    let findings: @Sendable () async throws -> [Finding]
    let pages: PageCache
    /// Event streams that are open, those of the API among them.
    let streams: ConcurrencyLimit<UserID>
    /// Whether this process is about to stop.
    let isDraining: @Sendable () -> Bool
    let front: FrontPage
    let galleryFacts = GalleryFactsCache()

    var accounts: AccountActions { actions.accounts }
    var users: UserActions { UserActions(actions) }
    var store: PicsStore { actions.store }
    var registry: Registry { actions.registry }
    var blobs: BlobStore { actions.blobs }
    var pictures: PictureMaker { actions.pictures }
    var logger: Logger { actions.logger }
    var addresses: Addresses { actions.addresses }

    package init(
        _ actions: ActionContext, apps: AppActions, access: PictureAccess, exports: Exports, webhooks: WebhookActions,
        push: PushActions, mail: MailActions?, news: NewsSubscriptions, timelinePictures: SmallPictures,
        servers: ServerPolicy,
        videos: VideoMaker,
        visits: VisitCounter, rates: RateLimiter, sharedLimits: SharedLimits,
        management: UserManagement, openID: OpenIDIssuer?, returnSchemes: Set<String>, keys: KeyRing,
        contact: String?, pages: PageCache, streams: ConcurrencyLimit<UserID>,
        isDraining: @escaping @Sendable () -> Bool, front: FrontPage,
        findings: @escaping @Sendable () async throws -> [Finding]
    ) {
        self.actions = actions
        self.apps = apps
        self.access = access
        photos = PhotoActions(actions)
        submissions = SubmissionActions(actions)
        responses = ResponseActions(actions)
        reports = ReportActions(PhotoActions(actions))
        interactions = InteractionActions(actions)
        timeline = TimelineActions(actions)
        self.timelinePictures = timelinePictures
        self.exports = exports
        self.webhooks = webhooks
        self.push = push
        self.mail = mail
        self.news = news
        self.servers = servers
        self.videos = videos
        self.visits = visits
        self.rates = rates
        self.sharedLimits = sharedLimits
        self.management = management
        self.returnSchemes = returnSchemes
        self.contact = contact
        self.keys = keys
        visitors = VisitorCookie(keys: keys)
        devices = DeviceCookie(keys: keys)
        secondSteps = SecondStepCookie(keys: keys)
        secondFactors = SecondFactorActions(store: actions.store, keys: keys, logger: actions.logger)
        passkeys = PasskeyActions(
            store: actions.store, keys: keys, addresses: actions.addresses, logger: actions.logger)
        self.openID = openID.map {
            OpenIDActions($0, users: UserActions(actions), keys: keys, addresses: actions.addresses)
        }
        self.pages = pages
        self.streams = streams
        self.isDraining = isDraining
        self.front = front
        self.findings = findings
    }
}

/// A problem of this installation.
package struct Finding: Sendable, Equatable {
    package let what: Phrase
    /// How somebody fixes it.
    package let remedy: Phrase

    package init(_ what: Phrase, remedy: Phrase) {
        (self.what, self.remedy) = (what, remedy)
    }
}

extension PageHandlers {
    /// The path of the icon as a picture of 180 by 180 pixels.
    package static var iconPath: String { StaticFile.appleIcon.path }
}

extension RatePolicy.Name {
    /// Requests to a server that a user has named: webhooks that are made, changed and tried, accounts that are connected,
    /// albums that are asked for.
    package static let outgoing = RatePolicy.Name("outgoing")
    /// Passwords that turned out to be wrong, by the address of strangers.
    package static let wrongPasswords = RatePolicy.Name("wrong-passwords")
    /// Passwords of a user that turned out to be wrong: by the name for strangers, by the browser or session for who has signed in.
    package static let wrongPasswordsOfUser = RatePolicy.Name("wrong-passwords-of-user")
    /// Sign-ins by an issuer of OpenID Connect that failed, by the address of strangers.
    package static let openID = RatePolicy.Name("openid")
    /// Codes of a second factor that turned out to be wrong: by the user for strangers who know the password, by the browser or session for who
    /// has signed in.
    package static let wrongCodes = RatePolicy.Name("wrong-codes")
    /// Links for a new password that strangers ask for, by their address.
    package static let passwordResets = RatePolicy.Name("password-resets")
}

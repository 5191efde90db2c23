import API
import Apps
import Authentication
import Domain
import HTTP
import HTTPServer
import Logging
import Store
import System
import Web

/// The methods and paths of Pics, and the cost of each. HEAD and OPTIONS answer wherever GET does.
struct Routes {
    /// Those that `/openapi.json` describes.
    let described: [Route]
    /// Pages and forms that browsers know from other pages: those of `Sources/Web/Routes.swift`.
    let pages: [Route]
    /// For the certificate authority.
    private let challenge: Route?

    var all: [Route] { described + pages + [challenge].compactMap { $0 } }

    init(api: APIHandlers, web: PageHandlers, apps: AppHandlers, uploadLimit: Int64, challenge: Route? = nil) {
        self.challenge = challenge
        let described = apiRoutes(api, uploadLimit) + sharedRoutes(api, web, apps) + apps.routes + web.describedRoutes
        self.described = described + [openAPI(describing: described)]
        pages = web.pageRoutes
    }

    /// Tells the log of every route, at the level `debug`.
    func log(to logger: Logger) {
        for (routes, isPage) in [(described, false), (pages, true)] {
            for route in routes {
                logger.debug(
                    "route",
                    [
                        "method": route.method.rawValue, "path": route.path, "page": isPage,
                        "operation": route.operation.id, "scope": route.scope, "costs": route.cost.summary,
                    ])
            }
        }
    }
}

/// `/v1`, and the paths for probes. The user of the token pays for a request, unless another cost is said.
private func apiRoutes(_ api: APIHandlers, _ uploadLimit: Int64) -> [Route] {
    let filePath = "\(AppHandlers.mediaPath)/{id}"
    return [
        api.route(
            .post, "/v1/photos", .write, .createPhoto, bodyLimit: uploadLimit, costs: .charging(.tokens, .uploads),
            api.createPhoto),
        Route(.options, "/v1/photos", operation: .describePhotoCreation, response: api.describePhotoCreation),
        Route(.options, "/v1/uploads", operation: .describeUploads, response: api.describeUploads),
        api.route(
            .post, "/v1/uploads", .write, .createUpload, bodyLimit: uploadLimit,
            costs: .charging(.tokens, .uploads),
            api.createUpload),
        api.route(.get, "/v1/uploads", .read, .listUploads, api.listUploads),
        Route(.options, "/v1/uploads/{id}", operation: .describeUpload, response: api.describeUploads),
        api.route(.head, "/v1/uploads/{id}", .write, .showOffset, api.showOffset),
        api.route(.get, "/v1/uploads/{id}", .read, .showUpload, api.showUpload),
        api.route(.patch, "/v1/uploads/{id}", .write, .appendToUpload, bodyLimit: uploadLimit, api.appendToUpload),
        api.route(.post, "/v1/uploads/{id}", .write, .overrideMethod, bodyLimit: uploadLimit, api.overrideMethod),
        api.route(.delete, "/v1/uploads/{id}", .write, .deleteUpload, api.deleteUpload),
        // Files for later posts of apps; the media endpoint itself begins them.
        Route(.options, AppHandlers.mediaPath, operation: .describeMediaEndpoint, response: api.describeUploads),
        Route(.options, filePath, operation: .describeFileUpload, response: api.describeUploads),
        api.route(.head, filePath, .uploadFiles, .showFileOffset, api.showOffset),
        api.route(.patch, filePath, .uploadFiles, .appendToFile, bodyLimit: uploadLimit, api.appendToUpload),
        api.route(.delete, filePath, .uploadFiles, .deleteFileUpload, api.deleteUpload),
        api.route(
            .post, "/v1/photos/interlace", .write, .interlacePhotos, costs: .charging(.tokens, .uploads),
            api.interlacePhotos),
        api.route(.get, "/v1/photos", .read, .listPhotos, repeated: true, api.listPhotos),
        api.route(.get, "/v1/albums", .read, .listOwnAlbums, api.listOwnAlbums),
        api.route(.get, "/v1/photos/{id}", .read, .showPhoto, repeated: true, api.showPhoto),
        api.route(.patch, "/v1/photos/{id}", .write, .editPhoto, api.editPhoto),
        api.route(.delete, "/v1/photos/{id}", .write, .deletePhoto, api.deletePhoto),
        api.route(.post, "/v1/photos/{id}/restore", .write, .restorePhoto, api.restorePhoto),
        api.route(
            .post, "/v1/photos/{id}/renditions/preview", .read, .previewRendition,
            costs: .charging(.tokens, .pictures),
            api.previewRendition),
        api.route(.post, "/v1/photos/{id}/links", .write, .createLink, api.createLink),
        api.route(.put, "/v1/photos/{id}/like", .write, .like, api.like),
        api.route(.delete, "/v1/photos/{id}/like", .write, .unlike, api.unlike),
        api.route(.get, "/v1/photos/{id}/likes", .read, .listLikes, api.listLikes),
        api.route(.get, "/v1/photos/{id}/visits", .read, .listVisits, api.listVisits),
        api.route(.get, "/v1/photos/{id}/submissions", .read, .listSubmissions, api.listSubmissions),
        api.route(.get, "/v1/photos/{id}/responses", .read, .listPhotoResponses, api.listPhotoResponses),
        api.route(.get, "/v1/responses", .read, .listResponses, api.listResponses),
        api.route(.post, "/v1/responses/read", .write, .markResponsesRead, api.markResponsesRead),
        api.route(.patch, "/v1/responses/{id}", .write, .decideResponse, api.decideResponse),
        api.route(.delete, "/v1/responses/{id}", .write, .deleteComment, api.deleteComment),
        api.route(.post, "/v1/photos/{id}/responses", .write, .createComment, api.createComment),
        api.route(.get, "/v1/timeline", .read, .showTimeline, costs: .charging(.tokens, .outgoing), api.showTimeline),
        api.route(
            .post, "/v1/timeline/gaps/{id}", .read, .fillGap, costs: .charging(.tokens, .outgoing), api.fillGap),
        api.route(.get, "/v1/replies/{id}", .read, .showReply, api.showReply),
        api.route(.delete, "/v1/replies/{id}", .write, .takeReplyBack, api.takeReplyBack),
        api.route(.post, "/v1/replies/{id}/retry", .write, .retryReply, api.retryReply),
        api.route(
            .post, "/v1/photos/{id}/submissions", .write, .sendPhoto, costs: .charging(.tokens, .uploads), api.sendPhoto
        ),
        api.route(
            .post, "/v1/photos/{id}/publish", .write, .publishPhoto, costs: .charging(.tokens, .uploads),
            api.publishPhoto
        ),
        api.route(
            .post, "/v1/photos/{id}/postcards/preview", .write, .previewPostcard, costs: .charging(.tokens, .outgoing),
            api.previewPostcard),
        api.route(.post, "/v1/photos/{id}/postcards", .write, .orderPostcard, api.orderPostcard),
        api.route(.get, "/v1/photos/{id}/postcards", .write, .listPostcards, api.listPostcards),
        api.route(.get, "/v1/postcards/{id}", .write, .showPostcard, api.showPostcard),
        api.route(.delete, "/v1/postcards/{id}", .write, .cancelPostcard, api.cancelPostcard),
        api.route(.get, "/v1/submissions/{id}", .read, .showSubmission, api.showSubmission),
        api.route(.patch, "/v1/submissions/{id}", .write, .rescheduleSubmission, api.rescheduleSubmission),
        api.route(.post, "/v1/submissions/{id}/resolve", .write, .resolveSubmission, api.resolveSubmission),
        api.route(.get, "/v1/events", .read, .followEvents, api.followEvents),
        api.route(.post, "/v1/submissions/{id}/cancel", .write, .cancelSubmission, api.cancelSubmission),
        api.route(.post, "/v1/submissions/{id}/delete", .write, .deletePost, api.deletePost),
        api.route(.post, "/v1/submissions/{id}/retry", .write, .retrySubmission, api.retrySubmission),
        api.route(.post, "/v1/captions/preview", .read, .previewCaption, api.previewCaption),
        api.route(.get, "/v1/me", .profile, .showCaller, api.showCaller),
        api.route(.get, "/v1/settings", .read, .showSettings, api.showSettings),
        api.route(.patch, "/v1/settings", .write, .editSettings, api.editSettings),
        api.route(.get, "/v1/services", .read, .listServices, api.listServices),
        api.route(.get, "/v1/connections", .read, .listConnections, api.listConnections),
        api.route(.put, "/v1/services/{id}/keys", .admin, .putServiceKeys, api.putServiceKeys),
        api.route(.delete, "/v1/services/{id}/keys", .admin, .deleteServiceKeys, api.deleteServiceKeys),
        api.route(
            .post, "/v1/connections", .write, .createConnection, costs: .charging(.tokens, .outgoing),
            api.createConnection),
        api.route(.post, "/v1/authorizations/{id}/claim", .write, .claimAuthorization, api.claimAuthorization),
        api.route(.get, "/v1/connections/{id}", .read, .showConnection, api.showConnection),
        api.route(.patch, "/v1/connections/{id}", .write, .editConnection, api.editConnection),
        api.route(.delete, "/v1/connections/{id}", .write, .deleteConnection, api.deleteConnection),
        api.route(
            .get, "/v1/connections/{id}/albums", .read, .listAlbums, costs: .charging(.tokens, .outgoing),
            api.listAlbums),
        api.route(
            .post, "/v1/connections/{id}/albums", .write, .createAlbum, costs: .charging(.tokens, .outgoing),
            api.createAlbum),
        api.route(.get, "/v1/webhooks", .read, .listWebhooks, api.listWebhooks),
        api.route(
            .post, "/v1/webhooks", .write, .createWebhook, costs: .charging(.tokens, .outgoing), api.createWebhook),
        api.route(.get, "/v1/webhooks/{id}", .read, .showWebhook, api.showWebhook),
        api.route(
            .patch, "/v1/webhooks/{id}", .write, .editWebhook, costs: .charging(.tokens, .outgoing),
            api.editWebhook),
        api.route(.delete, "/v1/webhooks/{id}", .write, .deleteWebhook, api.deleteWebhook),
        api.route(
            .post, "/v1/webhooks/{id}/test", .write, .testWebhook, costs: .charging(.tokens, .outgoing),
            api.testWebhook),
        api.route(.get, "/v1/queue/gates", .admin, .listGates, api.listGates),
        api.route(.post, "/v1/queue/pause", .admin, .pauseQueue, api.pauseQueue),
        api.route(.post, "/v1/queue/resume", .admin, .resumeQueue, api.resumeQueue),
        api.route(.get, "/v1/export", .read, .exportEverything, api.exportEverything),

    ] + interactionRoutes(api, below: "/v1/responses", "Response", APIHandlers.response)
        + interactionRoutes(api, below: "/v1/timeline", "Post", APIHandlers.timelinePost) + [
            Route(.get, "/livez", operation: .live, costs: .probe, audience: .anyHost, response: api.live),
            Route(.get, "/readyz", operation: .ready, costs: .probe, audience: .anyHost, handler: api.ready),
            Route(.get, "/metrics", operation: .metrics, costs: .probe, audience: .programs, handler: api.showMetrics),
        ]
}

/// What owners do with responses, or with posts in their timelines.
private func interactionRoutes(
    _ api: APIHandlers, below path: String, _ name: String,
    _ target: @escaping @Sendable (HTTPRequest) throws -> Interaction.Target
) -> [Route] {
    let thing = name == "Response" ? "a response to one of the caller's photos" : "a post in the caller's timeline"
    func route(_ kind: Interaction.Kind, _ isWanted: Bool, _ verb: String, _ summary: String) -> Route {
        api.route(
            isWanted ? .put : .delete, "\(path)/{id}/\(kind.rawValue)", .write,
            .interact("\(verb)\(name)", "\(summary) \(thing); again changes nothing."),
            api.set(kind, to: isWanted, with: target))
    }
    return [
        api.route(
            .post, "\(path)/{id}/reply", .write, .reply("replyTo\(name)", "Answers \(thing)."), api.reply(to: target)),
        route(.favourite, true, "favourite", "Favourites"),
        route(.favourite, false, "unfavourite", "Takes back the favourite of"),
        route(.repost, true, "repost", "Reposts"), route(.repost, false, "unrepost", "Takes back the repost of"),
    ]
}

/// Paths that answer people with pages and programs with JSON, and those that both need.
private func sharedRoutes(_ api: APIHandlers, _ web: PageHandlers, _ apps: AppHandlers) -> [Route] {
    [
        // The decision of a person, or an app that asks with a code who its user is.
        page(
            .post, AppHandlers.authorizationPath, .decideOnApp, web, html: web.decideOnApp,
            json: apps.redeemForProfile),
        Route(.get, "/auth/{service}/callback", operation: .endAuthorization, handler: web.endAuthorization),
        // Sites that take anything, such as WordPress, read the page alone.
        page(
            .get, "/auth/client", .describeClient, web, offers: [.html, .json], html: web.clientPage,
            json: web.clientDocument),
        // A client that takes anything, such as a crawler that makes a preview, gets the page.
        page(
            .get, "/{code}", .showPage, web, offers: [.html, .json], html: web.captionPage, kept: web.keptCaptionPage,
            json: api.showPage),
        page(.get, "/m/{code}/{file}", .picture, web, audience: .media, html: web.picture, json: web.picture),
        Route(.get, "/assets/{file}", operation: .asset, response: web.asset),

        page(
            .get, "/status", .showStatus, web,
            html: {
                try await web.statusPage($0, await api.status.process(), api.status.system, works: api.status.works)
            },
            json: { try await api.showStatus($0, signedIn: try await web.signedIn($0)?.user) }),
    ]
}

/// A route for people and programs: a page or JSON by `Accept`, problems too. A client that takes
/// anything gets the first offer. A page that `kept` has in memory is sent at once.
private func page(
    _ method: HTTPMethod, _ path: String, _ operation: Operation, _ web: PageHandlers,
    offers: [MediaType] = [.json, .html], audience: Route.Audience = .host,
    html: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    kept: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil,
    json: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
) -> Route {
    @Sendable func takesPage(_ request: HTTPRequest) -> Bool {
        AcceptedTypes(request.fields["Accept"]).best(of: offers) == .html
    }
    @Sendable func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard takesPage(request) else { return try await json(request) }
        return try await web.response(request, html)
    }
    guard let kept else { return Route(method, path, operation: operation, audience: audience, handler: answer) }
    return Route(
        method, path, operation: operation, audience: audience, kept: { takesPage($0) ? kept($0) : nil },
        handler: answer)
}

/// `GET /openapi.json`, generated from the table itself when it is first asked for.
private func openAPI(describing routes: [Route]) -> Route {
    let own = Route(.get, "/openapi.json", operation: .openAPI) { _ in HTTPResponse(.ok) }
    let known = Lock<HTTPResponse?>(nil)
    return Route(.get, "/openapi.json", operation: .openAPI) { _ in
        known.withLock { known in
            if let known { return known }
            let document = OpenAPI.document(
                title: "Pics", version: version, summary: "Photos, stored and sent on.", routes: routes + [own],
                places: Schemas.places, pagesExcept: "/v1", schemas: Schemas.all,
                security: ["token": ["type": "http", "scheme": "bearer"]])
            let response = HTTPResponse.json(document, fields: ["Cache-Control": "public, max-age=300"])
            known = response
            return response
        }
    }
}

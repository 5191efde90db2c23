internal import Actions
internal import Authentication
internal import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

/// Every page and form, with its handler. HEAD and OPTIONS answer wherever GET does.
///
/// `page` and `form` are for people who have signed in, `for: .admins` for admins alone; `costs` is taken from the person. A `back`
/// leads from the address of a refused form to its page.
extension PageHandlers {
    /// Pages that programs read too: `/openapi.json` describes them.
    package var describedRoutes: [Route] {
        [
            galleryPage("/u/{name}", "showGallery", "A user's public photos, newest first.", photosPage),
            galleryPage("/u/{name}/tags/{tag}", "showTag", "The photos of a hashtag, newest first.", photosPage),
            galleryPage("/u/{name}/albums", "showAlbums", "The albums of a gallery.", albumsPage),
            galleryPage("/u/{name}/days", "showDays", "The present year of a gallery.", showDays),
            galleryPage("/u/{name}/days/{year}", "showYear", "The days of a year that have photos.", yearPage),
            galleryPage("/u/{name}/day/{day}", "showDay", "The photos of a day.", dayPage),
            feed("/u/{name}/feed.rss", .rss),
            feed("/u/{name}/feed.atom", .atom),
            feed("/u/{name}/feed.json", .json),
            page(Self.authorizePath, .authorizeApp, showConsent),
        ]
    }

    /// Pages that browsers know from other pages: `/openapi.json` leaves them out.
    package var pageRoutes: [Route] {
        photoPages + interactionForms + sitePages + signInPages + settingsPages + connectionPages + adminPages
            + factorPages + openIDPages + (mail == nil ? [] : mailPages)
    }

    private var photoPages: [Route] {
        [
            publicPage("/", .home, showHome),
            page("/activity", .activity, showActivity),
            page(Self.responsesPath, .responsesPage, showResponses),
            form(Self.responsesPath, .chooseResponses, chooseResponses),
            form("\(Self.responsesPath)/read", .markResponsesRead, markResponsesRead),
            back("\(Self.responsesPath)/read", to: Self.responsesPath),
            form("\(Self.responsesPath)/{id}", .decideResponsePage, decideResponse),
            back("\(Self.responsesPath)/{id}", to: Self.responsesPath),
            page(Self.timelinePath, .timelinePage, showTimeline),
            form("\(Self.timelinePath)/gaps/{id}", .fillGapPage, fillGap),
            back("\(Self.timelinePath)/gaps/{id}", to: Self.timelinePath),
            page(
                "\(Self.timelinePath)/{id}/media/{place}", .timelinePicture, costs: .charging(.pictures),
                showTimelinePicture),
            form("/{code}/comments", .addCommentPage, addComment),
            back("/{code}/comments", to: "/{code}"),
            form("/{code}/comments/{id}/delete", .deleteCommentPage, deleteComment),
            back("/{code}/comments/{id}/delete", to: "/{code}"),
            Route(.get, "/authors/{id}/picture", operation: .authorPicture, handler: showAuthorPicture),
            Route(.get, "/outgoing/{name}", operation: .outgoingFile, handler: sendOutgoingFile),
            Route(.post, Self.webmentionPath, operation: .webmention, handler: receiveWebmention),
            Route(.post, Self.newsOfAccountPath, operation: .newsOfAccount, handler: receiveNewsOfAccount),
            Route(.get, Self.newsOfServicePath, operation: .checkNews, handler: answerNewsCheck),
            Route(.post, Self.newsOfServicePath, operation: .newsOfService, handler: receiveNewsOfService),
            page("/new", .newPhoto, showNew),
            script(.get, "/new/session", .newSession, showSession),
            shareRoute("/share", .shareAgain),
            form("/new/uploads", .beginUploadHere, beginUpload),
            back("/new/uploads", to: "/new"),
            script(.get, "/new/uploads/{id}", .uploadHere, showUpload),
            script(.patch, "/new/uploads/{id}", .appendHere, appendToUpload),
            script(
                .get, "/new/uploads/{id}/picture", .uploadPicture, costs: .charging(.pictures), previewUpload),
            // The file is as long as a photo may be.
            photoForm("/new", .sendNewPhoto, sendNew),
            form("/new/texts", .previewTexts, costs: .charging(.tokens), previewTexts),
            back("/new/texts", to: "/new"),
            form("/{code}/edit", .editPhotoPage, editPhoto),
            page("/{code}/draft", .draftPage, showDraft),
            form("/{code}/draft", .saveDraft, saveDraft),
            page("/{code}/picture", .picturePage, showPicture),
            form("/{code}/picture", .savePicture, savePicture),
            script(
                .get, "/{code}/picture/preview", .picturePreview, costs: .charging(.pictures), previewPicture),
            script(.get, "/{code}/events", .postEvents, followPosts),
            form("/{code}/publish", .publishPhotoPage, publishPhoto),
            back("/{code}/publish", to: "/{code}"),
            form("/{code}/send", .sendPhotoOn, sendPhotoOn),
            page("/{code}/postcard", .postcardForm, showPostcardForm),
            form("/{code}/postcard", .previewPostcardPage, costs: .charging(.outgoing), previewPostcard),
            form("/{code}/postcard/order", .orderPostcardPage, costs: .charging(.outgoing), orderPostcard),
            back("/{code}/postcard/order", to: "/{code}/postcard"),
            page("\(Self.postcardsPath)/{id}", .postcardPage, showPostcard),
            form("\(Self.postcardsPath)/{id}/cancel", .cancelPostcardPage, cancelPostcard),
            back("\(Self.postcardsPath)/{id}/cancel", to: "\(Self.postcardsPath)/{id}"),
            page("/{code}/delete", .askToDeletePhoto, askToDeletePhoto),
            form("/{code}/delete", .deletePhotoPage, deletePhoto),
            form("/{code}/restore", .restorePhotoPage, restorePhoto),
            back("/{code}/restore", to: "/{code}"),
            form("/{code}/responses", .choosePhotoResponses, choosePhotoResponses),
            back("/{code}/responses", to: "/{code}"),
            form("/{code}/submissions/{id}/retry", .actOnPost("retry")) { [self] request, _, caller in
                try await perform(.retry, request, caller)
            },
            form("/{code}/submissions/{id}/cancel", .actOnPost("cancel")) { [self] request, _, caller in
                try await perform(.cancel, request, caller)
            },
            form("/{code}/submissions/{id}/resolve", .actOnPost("resolve")) { [self] request, _, caller in
                try await perform(.resolve, request, caller)
            },
            form("/{code}/submissions/{id}/delete", .actOnPost("delete"), deletePost),
            back("/{code}/submissions/{id}/delete", to: "/{code}"),
            back("/{code}/edit", to: "/{code}"),
            back("/{code}/send", to: "/{code}"),
            back("/{code}/submissions/{id}/retry", to: "/{code}"),
            back("/{code}/submissions/{id}/cancel", to: "/{code}"),
            back("/{code}/submissions/{id}/resolve", to: "/{code}"),
        ]
    }

    /// What somebody does with a response, or with a post of their timeline.
    private var interactionForms: [Route] {
        let targets: [(path: String, read: TargetReader, name: String)] = [
            (Self.responsesPath, Self.responseTarget, "Response"), (Self.timelinePath, Self.postTarget, "Post"),
        ]
        let ofTargets = targets.flatMap { target -> [Route] in
            let forms = [
                form(
                    "\(target.path)/{id}/favourite", .interactWith("favourite\(target.name)"),
                    interact(.favourite, with: target.read)),
                form(
                    "\(target.path)/{id}/repost", .interactWith("repost\(target.name)"),
                    interact(.repost, with: target.read)),
                form("\(target.path)/{id}/reply", .interactWith("replyTo\(target.name)"), sendReply(to: target.read)),
            ]
            return forms + ["favourite", "repost", "reply"].map { back("\(target.path)/{id}/\($0)", to: target.path) }
        }
        return ofTargets + [
            form("\(Self.repliesPath)/{id}/delete", .interactWith("deleteReply"), changeReply(isRetry: false)),
            form("\(Self.repliesPath)/{id}/retry", .interactWith("retryReply"), changeReply(isRetry: true)),
            back("\(Self.repliesPath)/{id}/delete", to: Self.responsesPath),
            back("\(Self.repliesPath)/{id}/retry", to: Self.responsesPath),
        ]
    }

    private var sitePages: [Route] {
        [
            // Likes count against `like_rate` of the address, a browser's first one also against `visitor_rate`.
            publicForm("/{code}/like", .likePage) { [self] request in try await setLike(true, request) },
            publicForm("/{code}/unlike", .unlikePage) { [self] request in try await setLike(false, request) },
            Route(.get, "/{code}/like", operation: .backToPage) { request in Self.backToPage(request) },
            Route(.get, "/{code}/unlike", operation: .backToPage) { request in Self.backToPage(request) },
            publicPage("/{code}/report", .reportPage, showReport),
            publicForm("/{code}/report", .sendReport, sendReport),
            publicPage("/{code}/qr.svg", .qrPicture, qrPicture),
            page("/{code}/visits", .visitsPage, visitsPage),
            Route(.get, "/manifest.webmanifest", operation: .manifest, response: manifest),
            Route(.get, "/worker.js", operation: .serviceWorker, response: serviceWorker),
            Route(.get, "/offline", operation: .offline, response: offlinePage),
            Route(.get, "/oembed", operation: .oEmbed, handler: oEmbed),
            Route(.get, "/robots.txt", operation: .robotsText, response: robotsText),
            Route(.get, "/.well-known/security.txt", operation: .securityText, response: securityText),
            Route(.get, "/favicon.ico", operation: .favicon, response: favicon),
        ]
    }

    private var settingsPages: [Route] {
        [
            page("/settings", .settings, showSettings),
            form("/settings/time-zone", .setTimeZone, setTimeZone),
            back("/settings/time-zone", to: "/settings"),
            page(Self.securityPath, .security, showSecurity),
            form("/settings/password", .changePassword, changePassword),
            back("/settings/password", to: Self.securityPath),
            form("/settings/camera", .chooseCamera, chooseCamera),
            back("/settings/camera", to: "/settings"),
            form("/settings/signature", .chooseSignature, chooseSignature),
            back("/settings/signature", to: "/settings"),

            page("/settings/gallery", .gallerySettings, showGallerySettings),
            form("/settings/gallery/open", .setGallery, setGallery),
            back("/settings/gallery/open", to: "/settings/gallery"),
            page("/settings/gallery/album", .editAlbumPage, showAlbum),
            form("/settings/gallery/album", .saveAlbum, saveAlbum),

            page("/settings/profile", .publicProfile, showPublicProfile),
            form("/settings/profile", .saveProfile, saveProfile),
            form("/settings/profile/picture", .choosePicture, choosePicture),
            back("/settings/profile/picture", to: "/settings/profile"),

            page("/settings/tokens", .tokens, showTokens),
            form("/settings/tokens", .createToken, createToken),
            form("/settings/tokens/{id}/revoke", .revokeToken, revokeToken),

            page(Self.appsPath, .apps, showApps),
            form("\(Self.appsPath)/{id}/remove", .removeApp, removeApp),
            back("\(Self.appsPath)/{id}/remove", to: Self.appsPath),

            page(Self.importPath, .imports, showImports),
            photoForm(Self.importPath, .sendImport, limit: actions.limits.archiveBytes + 1 << 20, sendImport),

            page("/settings/webhooks", .webhooks, showWebhooks),
            form("/settings/webhooks", .addWebhook, costs: .charging(.outgoing), addWebhook),
            form("/settings/webhooks/{id}/test", .tryWebhook, costs: .charging(.outgoing), tryWebhook),
            form("/settings/webhooks/{id}/pause", .pauseWebhook, pauseWebhook),
            form("/settings/webhooks/{id}/delete", .removeWebhook, removeWebhook),

            page("/settings/notifications", .notifications, showNotifications),
            form("/settings/notifications/here", .subscribeHere, subscribeHere),
            back("/settings/notifications/here", to: "/settings/notifications"),
            form("/settings/notifications/here/remove", .unsubscribeHere, unsubscribeHere),
            form("/settings/notifications/{id}/choose", .chooseNotices, chooseNotices),
            form("/settings/notifications/{id}/test", .tryNotices, costs: .charging(.outgoing), tryNotices),
            back("/settings/notifications/{id}/test", to: "/settings/notifications"),
            form("/settings/notifications/{id}/remove", .removeDevice, removeDevice),

            page("/settings/sessions", .sessions, showSessions),
            form("/settings/sessions/{id}/end", .endSession, endSession),
            form("/settings/sessions/end", .endSessions, endSessions),

            page(Self.ownAuditPath, .ownAudit, showOwnAudit),

            page("/settings/account", .account, showAccount),
            // A link and no form: it changes nothing, and browsers go on with downloads by GET.
            page("/settings/account/export", .downloadExport, downloadExport),
            form("/settings/account/delete", .deleteAccount, deleteAccount),
            back("/settings/account/delete", to: "/settings/account"),
        ]
    }

    /// There where the operator has a mail server.
    private var mailPages: [Route] {
        [
            form(Self.mailPath, .chooseMail, chooseMail),
            back(Self.mailPath, to: Self.notificationsPath),
            form("\(Self.mailPath)/remove", .removeMail, removeMail),
            back("\(Self.mailPath)/remove", to: Self.notificationsPath),
            form("\(Self.mailPath)/test", .testMail, for: .admins, costs: .charging(.outgoing), testMail),
            back("\(Self.mailPath)/test", to: Self.notificationsPath),

            publicPage(Self.confirmPath, .confirmMailPage, showConfirmation),
            publicForm(Self.confirmPath, .confirmMail, confirmMail),
            publicPage(Self.unsubscribePath, .unsubscribePage, showUnsubscribe),
            publicForm(Self.unsubscribePath, .unsubscribe, unsubscribe),

            publicPage(Self.forgotPath, .forgot, showForgot),
            publicForm(Self.forgotPath, .sendForgot, sendForgot),
            publicPage(Self.resetPath, .resetPage, showReset),
            publicForm(Self.resetPath, .resetPassword, resetPassword),
        ]
    }

    private var connectionPages: [Route] {
        [
            page("/settings/connections", .connections, showConnections),
            page("/settings/connections/connect/{service}", .connect, showConnect),
            // An account that is connected costs a request to another server once all fields are there.
            form("/settings/connections/connect/{service}", .sendConnect, connect),
            form("/settings/connections/connect/{service}/browser", .beginConnect, begin),
            back("/settings/connections/connect/{service}/browser", to: "/settings/connections/connect/{service}"),
            page("/settings/connections/{id}", .accountChoices, showAccountChoices),
            form("/settings/connections/{id}", .chooseForAccount, chooseForAccount),
            page("/settings/connections/{id}/picture", .accountPicture, showAccountPicture),
            form("/settings/connections/{id}/pause", .pauseAccount, pauseAccount),
            form("/settings/connections/{id}/resume", .resumeAccount, resumeAccount),
            page("/settings/connections/{id}/disconnect", .disconnect, showDisconnect),
            form("/settings/connections/{id}/disconnect", .sendDisconnect, disconnect),
            page("/settings/connections/{id}/albums", .albumsOfAccount, costs: .charging(.outgoing), showAlbums),
            form("/settings/connections/{id}/albums", .chooseAlbum, costs: .charging(.outgoing), chooseAlbum),
            form("/settings/connections/{id}/albums/new", .makeAlbum, costs: .charging(.outgoing), makeAlbum),
            back("/settings/connections/{id}/albums/new", to: "/settings/connections/{id}/albums"),
        ]
    }

    private var adminPages: [Route] {
        [
            page("/settings/people", .people, for: .admins, showPeople),
            form("/settings/people/invite", .invite, for: .admins, invite),
            back("/settings/people/invite", to: "/settings/people"),
            form("/settings/people/{id}/admin", .setAdmin, for: .admins, setAdmin),
            back("/settings/people/{id}/admin", to: "/settings/people"),
            page("/settings/people/{id}/delete", .askToDeletePerson, for: .admins, askToDeletePerson),
            page("/settings/people/{id}/storage", .storageOfUser, for: .admins, showStorageOfUser),
            form("/settings/people/{id}/storage", .setStorageOfUser, for: .admins, setStorageOfUser),
            form("/settings/people/{id}/delete", .deleteUser, for: .admins, deleteUser),
            form("/settings/invitations/{id}/delete", .deleteInvitation, for: .admins, deleteInvitation),

            page(Self.reportsPath, .reports, for: .admins, showReports),
            form("\(Self.reportsPath)/{id}", .decideReport, for: .admins, decideReport),
            back("\(Self.reportsPath)/{id}", to: Self.reportsPath),
            page(Self.auditPath, .audit, for: .admins, showAudit),

            page(Self.servicesPath, .services, for: .admins, showServices),
            form(Self.servicesPath, .chooseServices, for: .admins, chooseServices),

            page("/settings/keys", .keys, for: .admins, showKeys),
            page("/settings/keys/{service}", .keysOfService, for: .admins, showKeysOfService),
            form("/settings/keys/{service}", .saveKeys, for: .admins, saveKeys),
            form("/settings/keys/{service}/forget", .deleteKeys, for: .admins, deleteKeys),
            back("/settings/keys/{service}/forget", to: "/settings/keys"),

            form("/status/submissions/{id}/retry", .operatorAction("retry"), for: .admins) {
                [self] request, _, caller in
                try await performAction(.retry, request, caller)
            },
            form("/status/submissions/{id}/cancel", .operatorAction("cancel"), for: .admins) {
                [self] request, _, caller in
                try await performAction(.cancel, request, caller)
            },
            form("/status/submissions/{id}/resolve", .operatorAction("resolve"), for: .admins) {
                [self] request, _, caller in
                try await performAction(.resolve, request, caller)
            },
            back("/status/submissions/{id}/retry", to: "/status"),
            back("/status/submissions/{id}/cancel", to: "/status"),
            back("/status/submissions/{id}/resolve", to: "/status"),
        ]
    }

    // MARK: Kinds of routes

    /// A page for everybody; errors are pages too.
    func publicPage(
        _ path: String, _ operation: Operation,
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> Route {
        Route(.get, path, operation: operation) { [self] request in try await response(request, handler) }
    }

    /// A form for everybody; its handler checks where it comes from.
    func publicForm(
        _ path: String, _ operation: Operation,
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> Route {
        Route(.post, path, operation: operation) { [self] request in try await response(request, handler) }
    }

    private func galleryPage(
        _ path: String, _ id: String, _ summary: String,
        _ handler: @escaping @Sendable (HTTPRequest, GalleryFrame) async throws -> HTTPResponse
    ) -> Route {
        publicPage(path, .gallery(id, summary)) { [self] request in
            let gallery = try await store.gallery(named: request.parameters["name"] ?? "")
            let reader = try await signedIn(request)
            return try await handler(
                request, GalleryFrame(gallery, Language(request), addresses, reader: reader))
        }
    }

    private func feed(_ path: String, _ format: FeedFormat) -> Route {
        publicPage(path, .feed(format)) { [self] request in try await feed(format, request) }
    }

    /// Leads from the address of a form, which a refused form has left in the address bar, to the page that it is on. Names in braces
    /// stand for the same in both.
    func back(_ form: String, to page: String) -> Route {
        Route(.get, form, operation: .back) { request in
            .seeOther(
                page.split(separator: "/", omittingEmptySubsequences: false).map { part in
                    guard part.first == "{", part.last == "}" else { return String(part) }
                    return PercentEncoding.encode(request.parameters[String(part.dropFirst().dropLast())] ?? "")
                }.joined(separator: "/"))
        }
    }

    private static func backToPage(_ request: HTTPRequest) -> HTTPResponse {
        .seeOther("/\(PercentEncoding.encode(request.parameters["code"] ?? ""))")
    }
}

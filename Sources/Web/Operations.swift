internal import HTTP
package import HTTPServer

/// The pages and forms of those who sign in; browsers know them from the pages, so `/openapi.json` leaves them out.
extension Operation {
    static let home = shown("home", "One's own photos; a welcome for strangers.")
    static let newPhoto = shown("newPhoto", "Where a photo is posted.")
    static let newSession = shown("newSession", "Who is signed in, for the outbox.")
    static let shareAgain = sent("shareAgain", "Where shared photos go without a service worker.")
    static let beginUploadHere = sent("beginUploadHere", "Begins the upload of a file in parts.")
    static let uploadHere = shown("uploadHere", "How much of an upload is durable.")
    static let uploadPicture = shown("uploadPicture", "A file that has arrived, as its edits would show it.")
    static let appendHere = sent("appendHere", "Takes the next part of an upload.")
    static let publicProfile = shown("publicProfile", "What somebody says of themselves.")
    static let saveProfile = sent("saveProfile", "Changes what somebody says of themselves.")
    static let choosePicture = sent("choosePicture", "Chooses the photo that stands for somebody.")
    static let editAlbumPage = shown("editAlbumPage", "What somebody says of an album of theirs.")
    static let saveAlbum = sent("saveAlbum", "Changes what somebody says of an album of theirs, and its name.")
    static let picturePage = shown("picturePage", "Where a picture is edited.")
    static let savePicture = sent("savePicture", "Saves the edits of a picture.")
    static let picturePreview = shown("picturePreview", "A picture as its edits would show it.")
    static let postEvents = shown("postEvents", "Tells of changes of a photo's posts.")
    static let sendNewPhoto = sent("sendNewPhoto", "Posts a photo.")
    static let previewTexts = sent("previewTexts", "The texts that accounts would get of a caption.")
    static let editPhotoPage = sent("editPhotoPage", "Changes one's own photo.")
    static let activity = shown("activity", "What became of one's own posts.")
    static let draftPage = shown("draftPage", "Shows one's own draft.")
    static let saveDraft = sent("saveDraft", "Changes one's own draft, or posts it.")
    static let publishPhotoPage = sent("publishPhotoPage", "Publishes one's own photo before its time.")
    static let sendPhotoOn = sent("sendPhotoOn", "Sends one's own photo to further accounts.")
    static let askToDeletePhoto = shown("askToDeletePhoto", "Asks whether to delete one's own photo.")
    static let deletePhotoPage = sent("deletePhotoPage", "Deletes one's own photo.")
    static let restorePhotoPage = sent("restorePhotoPage", "Takes the deletion of one's own photo back.")
    static let responsesPage = shown("responsesPage", "What came back to one's photos.")
    static let chooseResponses = sent("chooseResponses", "Chooses what of it is shown.")
    static let markResponsesRead = sent("markResponsesRead", "Marks what came back as read.")
    static let timelinePage = shown("timelinePage", "What those post whom one's accounts follow.")
    static let fillGapPage = sent("fillGapPage", "Reads posts that are missing there.")
    static let timelinePicture = shown("timelinePicture", "A picture of such a post.")
    static let postcardForm = shown("postcardForm", "Where a card on paper is ordered.")
    static let previewPostcardPage = sent("previewPostcardPage", "Shows a card and its price.")
    static let orderPostcardPage = sent("orderPostcardPage", "Orders a card.")
    static let postcardPage = shown("postcardPage", "What has become of a card.")
    static let cancelPostcardPage = sent("cancelPostcardPage", "Asks for the end of an order.")
    static let addCommentPage = sent("addCommentPage", "Comments on a photo.")
    static let deleteCommentPage = sent("deleteCommentPage", "Deletes a comment.")

    /// Something that is done with a response, or with a post of the timeline.
    static func interactWith(_ name: String) -> Operation {
        sent("\(name)Page", "Answers, favourites or reposts, or takes it back.")
    }

    static let decideResponsePage = sent("decideResponsePage", "Shows or hides a response.")
    static let choosePhotoResponses = sent(
        "choosePhotoResponses", "Chooses whether the page of a photo shows responses.")
    static let authorPicture = Operation(
        "authorPicture", "The picture of somebody who has responded.", tags: ["people"],
        responses: [Response(.ok, "The picture.", .binary("image/webp"))])
    static let outgoingFile = Operation(
        "outgoingFile", "A file that a service fetches.", tags: ["people"],
        responses: [Response(.ok, "The file.", .binary("image/jpeg"))])
    static let webmention = Operation(
        "webmention", "Takes a webmention.", tags: ["people"],
        body: Content(["application/x-www-form-urlencoded": [:]]),
        responses: [Response(.accepted, "The page will be read.", Content(["text/plain": [:]]))])
    static let newsOfAccount = Operation(
        "newsOfAccount", "Is told by a service that there is news of an account.", tags: ["people"],
        responses: [Response(.created, "It will be read.")])
    static let checkNews = Operation(
        "checkNews", "Shows a service that the address is ours.", tags: ["people"],
        responses: [Response(.ok, "What the service asked for.", Content(["text/plain": [:]]))])
    static let newsOfService = Operation(
        "newsOfService", "Is told by a service which posts there is news of.", tags: ["people"],
        responses: [Response(.noContent, "It will be read.")])
    static func actOnPost(_ action: String) -> Operation {
        sent("\(action)Post", "Retries, cancels or resolves a post of one's own photo.")
    }
    static let reportPage = shown("reportPage", "Where a photo is reported.")
    static let sendReport = sent("sendReport", "Reports a photo.")
    static let reports = shown("reports", "Reports of photos.")
    static let decideReport = sent("decideReport", "Decides on the reports of a photo.")
    static let audit = shown("audit", "What was done to users, sign-ins, keys and settings.")
    static let ownAudit = shown("ownAudit", "What was done that concerns somebody's own sign-ins and keys.")
    static let login = shown("login", "Where one signs in.")
    static let sendLogin = sent("sendLogin", "Signs in.")
    static let codePage = shown("codePage", "Where a code is asked for after the password.")
    static let sendCode = sent("sendCode", "Signs in with a code after the password.")
    static let passkeyOptions = shown("passkeyOptions", "What a passkey is asked for with.")
    static let signInWithPasskey = sent("signInWithPasskey", "Signs in with a passkey.")
    static let beginOpenID = sent("beginOpenID", "Sends the browser to the issuer of OpenID Connect.")
    static let endOpenID = sent("endOpenID", "Takes the browser back from there.")
    static let logout = shown("logout", "Asks whether to sign out.")
    static let sendLogout = sent("sendLogout", "Signs out.")
    static let join = shown("join", "Where an invitation leads.")
    static let sendJoin = sent("sendJoin", "Accepts an invitation.")
    static let forgot = shown("forgot", "Where a link for a new password is asked for.")
    static let sendForgot = sent("sendForgot", "Asks for a link for a new password.")
    static let resetPage = shown("resetPage", "Where such a link leads.")
    static let resetPassword = sent("resetPassword", "Sets a new password.")
    static let chooseMail = sent("chooseMail", "Chooses where somebody is written to, and what about.")
    static let removeMail = sent("removeMail", "Writes to somebody no more.")
    static let testMail = sent("testMail", "Sends a mail to see whether it arrives.")
    static let confirmMailPage = shown("confirmMailPage", "Where a link leads that confirms a mail address.")
    static let confirmMail = sent("confirmMail", "Confirms a mail address.")
    static let unsubscribePage = shown("unsubscribePage", "Where a link leads that ends mails.")
    static let unsubscribe = sent("unsubscribe", "Ends mails.")

    static let back = shown("back", "The page of a form.")
    static let settings = shown("settings", "What somebody is here.")
    static let security = shown("security", "How somebody signs in.")
    static let setTimeZone = sent("setTimeZone", "Chooses a time zone.")
    static let chooseSignature = sent("chooseSignature", "Chooses the name that pictures are signed with.")
    static let chooseCamera = sent("chooseCamera", "Chooses whether pages name the camera.")
    static let changePassword = sent("changePassword", "Changes the password.")
    static let secondFactor = shown("secondFactor", "Whether a code is asked for after the password.")
    static let beginSecondFactor = sent("beginSecondFactor", "Shows a new secret for an authenticator app.")
    static let confirmSecondFactor = sent("confirmSecondFactor", "Asks for a code after the password from now on.")
    static let renewRecoveryCodes = sent("renewRecoveryCodes", "Makes new recovery codes.")
    static let turnSecondFactorOff = sent("turnSecondFactorOff", "Asks for no code any more.")
    static let askToRemoveSecondFactor = shown(
        "askToRemoveSecondFactor", "Asks whether to ask a user for no code any more.")
    static let removeSecondFactorOfUser = sent("removeSecondFactorOfUser", "Asks a user for no code any more.")
    static let passkeys = shown("passkeys", "The passkeys of a user.")
    static let newPasskeyOptions = shown("newPasskeyOptions", "What a new passkey is asked for with.")
    static let addPasskey = sent("addPasskey", "Adds a passkey.")
    static let removePasskey = sent("removePasskey", "Removes a passkey.")
    static let identities = shown("identities", "Who a user is at the issuer of OpenID Connect.")
    static let linkIdentity = sent("linkIdentity", "Links who a user is there.")
    static let unlinkIdentity = sent("unlinkIdentity", "Unlinks it.")
    static let tokens = shown("tokens", "The tokens of apps.")
    static let createToken = sent("createToken", "Makes a token.")
    static let revokeToken = sent("revokeToken", "Revokes a token.")
    static let sessions = shown("sessions", "The browsers that are signed in.")
    static let endSession = sent("endSession", "Signs a browser out.")
    static let endSessions = sent("endSessions", "Signs all browsers out.")
    static let people = shown("people", "Users and invitations.")
    static let setAdmin = sent("setAdmin", "Makes a user an admin, or an admin a user.")
    static let invite = sent("invite", "Makes an invitation.")
    static let askToDeletePerson = shown("askToDeletePerson", "Asks whether to delete a user.")
    static let deleteUser = sent("deletePerson", "Deletes a user with all that is theirs.")
    static let storageOfUser = shown("storageOfUser", "How much a user may store.")
    static let setStorageOfUser = sent("setStorageOfUser", "Decides how much a user may store.")
    static let deleteInvitation = sent("deleteInvitation", "Takes an invitation back.")

    static func shown(_ id: String, _ summary: String) -> Operation {
        Operation(id, summary, tags: ["people"], responses: [Response(.ok, "A page.", Content(["text/html": [:]]))])
    }

    static func sent(_ id: String, _ summary: String) -> Operation {
        Operation(
            id, summary, tags: ["people"],
            body: Content(["application/x-www-form-urlencoded": [:]]),
            responses: [Response(.seeOther, "It was done; the next page.", fields: ["Location": "The next page."])])
    }
}

extension Operation {
    static let account = Operation(
        "account", "Taking everything along, and leaving.", tags: ["people"],
        responses: [Response(.ok, "A page.", Content(["text/html": [:]]))])
    static let downloadExport = Operation(
        "downloadExport", "Everything that somebody owns.", tags: ["people"],
        responses: [Response(.ok, "The archive.", .binary("application/zip"))])
    static let deleteAccount = Operation(
        "deleteAccount", "Deletes an account.", tags: ["people"],
        body: Content(["application/x-www-form-urlencoded": [:]]),
        responses: [Response(.ok, "It is gone.", Content(["text/html": [:]]))])

    /// Of the API.
    package static let exportEverything = Operation(
        "exportEverything", "Everything that the caller owns, as a ZIP archive.",
        description: """
            The photos as they came, and what is known of them as JSON. `Content-Length` is told; an answer that is cut short \
            is asked for again.
            """, tags: ["account"],
        responses: [
            Response(
                .ok, "The archive.", .binary("application/zip"), fields: ["Content-Length": "Of the whole archive."]),
            .problem(.serviceUnavailable, "One is under way already."),
        ])
}

/// The pages and forms of accounts.
extension Operation {
    static let connections = shown("connections", "The accounts of somebody, and what can be connected.")
    static let connect = shown("connect", "How an account of a service is connected.")
    static let sendConnect = sent("sendConnect", "Connects an account with what was entered.")
    static let beginConnect = sent("beginConnect", "Begins to connect an account in the browser.")
    static let accountChoices = shown("accountChoices", "An account, and what is chosen for it.")
    static let chooseForAccount = sent("chooseForAccount", "Keeps what is chosen for an account.")
    static let accountPicture = Operation(
        "accountPicture", "The profile picture of an account.", tags: ["people"],
        responses: [Response(.ok, "The picture.", .binary("image/webp"))])
    static let pauseAccount = sent("pauseAccount", "Holds an account's work back.")
    static let resumeAccount = sent("resumeAccount", "Lets an account's work go on.")
    static let disconnect = shown("disconnect", "Asks whether to disconnect an account.")
    static let sendDisconnect = sent("sendDisconnect", "Disconnects an account.")
    static let albumsOfAccount = shown("albumsOfAccount", "The albums of an account.")
    static let chooseAlbum = sent("chooseAlbum", "Chooses an album.")
    static let makeAlbum = sent("makeAlbum", "Makes an album and chooses it.")
    static let services = shown("services", "The services that this Pics offers.")
    static let chooseServices = sent("chooseServices", "Chooses the services that this Pics offers.")
    static let keys = shown("keys", "Which keys of applications are there.")
    static let keysOfService = shown("keysOfService", "The keys of the application at a service.")
    static let saveKeys = sent("saveKeys", "Saves the keys of an application.")
    static let deleteKeys = sent("deleteKeys", "Deletes the keys of an application.")

    static let notifications = shown("notifications", "The browsers that are notified.")
    static let subscribeHere = sent("subscribeHere", "Notifies this browser from now on.")
    static let unsubscribeHere = sent("unsubscribeHere", "Notifies this browser no more.")
    static let chooseNotices = sent("chooseNotices", "Chooses what a browser is notified about.")
    static let tryNotices = sent("tryNotices", "Sends a test notification.")
    static let removeDevice = sent("removeDevice", "Removes a browser from those that are notified.")

    static let apps = shown("apps", "The apps that somebody has let in.")
    static let imports = shown("imports", "Imports of photos from elsewhere.")
    static let sendImport = sent("sendImport", "Uploads archives, and imports their photos.")
    static let removeApp = sent("removeApp", "Ends an app's access.")
    static let authorizeApp = Operation(
        "authorizeApp", "Asks whether an app may use one's photos.", tags: ["people"],
        parameters: [
            "client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method",
            "force_login",
        ].map { Parameter($0, in: .query, "As in RFC 6749, section 4.1.1, and RFC 7636, section 4.3.") },
        responses: [
            Response(.ok, "A page.", .binary("text/html")),
            Response(.seeOther, "Sign in first.", fields: ["Location": "The page to sign in."]),
        ])
    static let authorizeAppToo = shown("authorizeAppToo", "The same, for apps that end the path with a slash.")

    static let webhooks = shown("webhooks", "The addresses that are told what becomes of photos.")
    static let addWebhook = sent("addWebhook", "Adds a webhook.")
    static let tryWebhook = sent("tryWebhook", "Sends a message that tells of nothing.")
    static let pauseWebhook = sent("pauseWebhook", "Holds a webhook back, or lets it go on.")
    static let removeWebhook = sent("removeWebhook", "Deletes a webhook.")
}

/// The operations of galleries and of their settings.
extension Operation {
    static func gallery(_ id: String, _ summary: String) -> Operation {
        Operation(id, summary, tags: ["gallery"], responses: [Response(.ok, "A page.", .binary("text/html"))])
    }

    static func feed(_ format: FeedFormat) -> Operation {
        Operation(
            "\(format.rawValue)Feed", "The newest photos of a gallery, as \(format.name).", tags: ["gallery"],
            responses: [Response(.ok, "The feed.", .binary(format.mediaType))])
    }

    static let gallerySettings = Operation(
        "gallerySettings", "Whether one's gallery is open.", tags: ["people"],
        responses: [Response(.ok, "A page.", Content(["text/html": [:]]))])
    static let setGallery = Operation(
        "setGallery", "Opens or closes one's gallery.", tags: ["people"],
        body: Content(["application/x-www-form-urlencoded": [:]]),
        responses: [Response(.seeOther, "It was done; the next page.", fields: ["Location": "The next page."])])
}

extension Operation {
    static func operatorAction(_ action: String) -> Operation {
        Operation(
            "\(action)FromStatus", "What an admin does about a submission: \(action).", tags: ["people"],
            body: Content(["application/x-www-form-urlencoded": [:]]),
            responses: [Response(.seeOther, "It was done; the next page.", fields: ["Location": "The next page."])])
    }
}

/// The operations of pages behind short links, and of files for programs.
extension Operation {
    static let likePage = page("likePage", "Likes a photo as the visitor of its page.", .seeOther)
    static let unlikePage = page("unlikePage", "Takes a visitor's like back.", .seeOther)
    static let backToPage = page("backToPage", "The page of a form.", .seeOther)
    static let qrPicture = page("qrPicture", "A short link as a QR code.")
    static let visitsPage = page("visitsPage", "How often a photo's page was opened, for its owner.")
    static let oEmbed = page("oEmbed", "What another site needs to show a photo (oEmbed 1.0).")
    static let manifest = page("manifest", "What an installed Pics is called and looks like.")
    static let serviceWorker = page("serviceWorker", "The service worker.")
    static let offline = page("offline", "The page of the service worker without a network.")
    static let robotsText = page("robotsText", "What crawlers need not read.")
    static let securityText = page("securityText", "Where to tell of security problems.")
    static let favicon = page("favicon", "The icon.")

    private static func page(_ id: String, _ summary: String, _ status: HTTPStatus = .ok) -> Operation {
        Operation(id, summary, tags: ["pages"], responses: [Response(status, summary)])
    }
}

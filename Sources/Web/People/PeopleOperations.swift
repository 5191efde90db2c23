internal import HTTP
internal import HTTPServer

/// The pages and forms of those who sign in; browsers know them from the pages, so `/openapi.json` leaves them out.
extension Operation {
    static let login = shown("login", "Where one signs in.")
    static let sendLogin = sent("sendLogin", "Signs in.")
    static let logout = shown("logout", "Asks whether to sign out.")
    static let sendLogout = sent("sendLogout", "Signs out.")
    static let join = shown("join", "Where an invitation leads.")
    static let sendJoin = sent("sendJoin", "Accepts an invitation.")

    static let back = shown("back", "The page of a form.")
    static let settings = shown("settings", "What somebody is here.")
    static let setTimeZone = sent("setTimeZone", "Chooses a time zone.")
    static let chooseSignature = sent("chooseSignature", "Chooses the name that pictures are signed with.")
    static let chooseCamera = sent("chooseCamera", "Chooses whether pages name the camera.")
    static let changePassword = sent("changePassword", "Changes the password.")
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

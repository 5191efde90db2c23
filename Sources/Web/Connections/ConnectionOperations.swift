internal import HTTPServer

/// The pages and forms of accounts.
extension Operation {
    static let connections = shown("connections", "The accounts of somebody, and what can be connected.")
    static let connect = shown("connect", "How an account of a service is connected.")
    static let sendConnect = sent("sendConnect", "Connects an account with what was entered.")
    static let beginConnect = sent("beginConnect", "Begins to connect an account in the browser.")
    static let accountChoices = shown("accountChoices", "An account, and what is chosen for it.")
    static let chooseForAccount = sent("chooseForAccount", "Keeps what is chosen for an account.")
    static let pauseAccount = sent("pauseAccount", "Holds an account's work back.")
    static let resumeAccount = sent("resumeAccount", "Lets an account's work go on.")
    static let disconnect = shown("disconnect", "Asks whether to disconnect an account.")
    static let sendDisconnect = sent("sendDisconnect", "Disconnects an account.")
    static let albumsOfAccount = shown("albumsOfAccount", "The albums of an account.")
    static let chooseAlbum = sent("chooseAlbum", "Chooses an album.")
    static let makeAlbum = sent("makeAlbum", "Makes an album and chooses it.")
    static let keys = shown("keys", "Which keys of applications are there.")
    static let keysOfService = shown("keysOfService", "The keys of the application at a service.")
    static let keepKeys = sent("keepKeys", "Keeps keys of an application.")
    static let forgetKeys = sent("forgetKeys", "Forgets keys of an application.")

    static let webhooks = shown("webhooks", "The addresses that are told what becomes of photos.")
    static let addWebhook = sent("addWebhook", "Adds a webhook.")
    static let tryWebhook = sent("tryWebhook", "Sends a message that tells of nothing.")
    static let pauseWebhook = sent("pauseWebhook", "Holds a webhook back, or lets it go on.")
    static let removeWebhook = sent("removeWebhook", "Deletes a webhook.")
}

internal import Actions
internal import HTTP
internal import HTTPServer

extension AppHandlers {
    static let micropubPath = "/micropub"
    static let mediaPath = "/micropub/media"

    /// Micropub (W3C Recommendation, 2017-05-23). The user of the token pays for a request; what that costs is taken where the token is
    /// known, which may come in the body.
    var micropubRoutes: [Route] {
        // The form around a file is a little larger than the file.
        let bodyLimit = limits.fileBytes + 1 << 20
        return [
            Route(.get, Self.micropubPath, operation: .queryMicropub, handler: queryMicropub),
            Route(.post, Self.micropubPath, operation: .postMicropub, bodyLimit: bodyLimit, handler: postMicropub),
            Route(.get, Self.mediaPath, operation: .queryMicropubMedia, handler: queryMedia),
            Route(.post, Self.mediaPath, operation: .uploadMicropubMedia, bodyLimit: bodyLimit, handler: receiveMedia),
        ]
    }
}

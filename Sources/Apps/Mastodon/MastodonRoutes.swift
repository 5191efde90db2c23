internal import HTTPServer

extension AppHandlers {
    var mastodonRoutes: [Route] { [] }
}

internal import HTTPServer

extension AppHandlers {
    var micropubRoutes: [Route] { [] }
}

internal import Actions
internal import HTTPServer

extension PageHandlers {
    static let connectionsPath = "/settings/connections"

}

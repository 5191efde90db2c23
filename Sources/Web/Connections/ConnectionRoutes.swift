internal import Actions
internal import Connecting
internal import HTTPServer

extension PageHandlers {
    static let connectionsPath = "/settings/connections"

    var connecting: AccountConnections { actions.connecting }

    /// The pages of accounts, and those of application keys.
    var connectionRoutes: [Route] { listRoutes + connectRoutes + accountChoiceRoutes + albumRoutes + keyRoutes }
}

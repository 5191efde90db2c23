internal import Actions
internal import Connecting
internal import HTTPServer

extension Web {
    static let connectionsPath = "/settings/connections"

    var connecting: Connecting { actions.connecting }

    /// The pages of accounts, and those of application keys.
    var connectionRoutes: [Route] { listRoutes + connectRoutes + accountChoiceRoutes + albumRoutes + keyRoutes }
}

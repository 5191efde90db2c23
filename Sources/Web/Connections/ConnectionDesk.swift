package import Connecting
internal import HTTP
internal import HTTPServer
internal import Logging

/// What the pages of accounts work with.
package struct ConnectionDesk: Sendable {
    let connecting: Connecting
    /// Of apps that a browser may be sent back to, in small letters.
    let returnSchemes: Set<String>
    /// Called when an account may go on.
    let wakeWorkers: @Sendable () -> Void

    package init(connecting: Connecting, returnSchemes: Set<String>, wakeWorkers: @escaping @Sendable () -> Void) {
        self.connecting = connecting
        self.returnSchemes = returnSchemes
        self.wakeWorkers = wakeWorkers
    }
}

extension Web {
    static let connectionsPath = "/settings/connections"

    var connecting: Connecting { people.connections.connecting }

    /// The pages of accounts, and those of application keys.
    var connectionRoutes: [Route] { listRoutes + connectRoutes + accountChoiceRoutes + albumRoutes + keyRoutes }
}

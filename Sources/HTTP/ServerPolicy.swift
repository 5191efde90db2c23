/// Which servers users may name.
package enum ServerPolicy: Sendable {
    /// Only `https` servers at public addresses.
    case publicOnly
    /// Also `http`, and servers of the operator's own network.
    case any

    /// What a request to a server that a user has named may connect to.
    package var addresses: AddressPolicy {
        switch self {
        case .publicOnly: .publicOnly
        case .any: .any
        }
    }
}

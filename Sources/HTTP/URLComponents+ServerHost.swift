package import Foundation

extension URLComponents {
    /// The host of an address that names a server and nobody who signs in there, as it is connected to: encoded for the DNS (IDNA).
    ///
    /// Nil with a user name or a password, without a host, with percent-encoding in it, and with a port that is none (1 to 65535 are).
    package var serverHost: String? {
        guard user == nil, password == nil, let host = encodedHost, !host.isEmpty, !host.contains("%"),
            port.map({ 1...65535 ~= $0 }) ?? true
        else { return nil }
        return host
    }
}

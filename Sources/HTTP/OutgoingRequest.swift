/// A request to another server.
package struct OutgoingRequest: Sendable {
    /// Decides about repeating and redirects besides.
    package var method: HTTPMethod
    /// Absolute, `http` or `https`, percent-encoded.
    package var url: String
    /// Without those of the connection such as `Host` and `Content-Length`, which the transport writes.
    package var fields: HTTPFields
    /// Streamed while it is sent.
    package var body: OutgoingBody
    /// For the whole exchange, uploads included.
    package var timeout: Duration
    /// Longer answers fail with `.responseTooLarge`.
    package var maxResponseBytes: Int
    /// GET and HEAD alone follow: at most 5 redirects, never from `https` to `http`.
    package var followsRedirects: Bool
    /// Which addresses the host may have.
    package var addressPolicy: AddressPolicy
    /// Begins with HTTP/2 over `http`, too, where nothing tells whether the server speaks it (RFC 9113, section 3.3), on a
    /// connection of its own. Over `https` both sides agree on it by themselves.
    package var assumesHTTP2: Bool
    /// Told now and then how many bytes of the body have left, on the transport's event loop; must not block.
    package var progress: (@Sendable (_ sent: Int64, _ total: Int64) -> Void)?

    /// Takes the parts; only public addresses are reached unless the caller says otherwise.
    package init(
        method: HTTPMethod = .get, url: String, fields: HTTPFields = [:], body: OutgoingBody = .none,
        timeout: Duration = .seconds(60), maxResponseBytes: Int = 1 << 20, followsRedirects: Bool = false,
        addressPolicy: AddressPolicy = .publicOnly, assumesHTTP2: Bool = false,
        progress: (@Sendable (_ sent: Int64, _ total: Int64) -> Void)? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.maxResponseBytes = maxResponseBytes
        self.followsRedirects = followsRedirects
        self.addressPolicy = addressPolicy
        self.assumesHTTP2 = assumesHTTP2
        self.progress = progress
    }
}

extension OutgoingRequest {
    /// For a request that carries so many bytes: over a line of 64 KiB a second it still ends in time.
    package static func timeout(carrying bytes: Int64) -> Duration { .seconds(60 + bytes / (64 << 10)) }
}

/// Which addresses a request may connect to; checked on the resolved address of every hop.
package enum AddressPolicy: Sendable, Equatable {
    /// Any address: for hosts that the operator has named.
    case any
    /// Only addresses of the public Internet: for hosts that a user or a service has named.
    case publicOnly
}

/// The body of a request.
package enum OutgoingBody: Sendable, Equatable {
    case none
    case bytes([UInt8])
    case parts([BodyPart])

    /// The bytes it has in all; nil when it is `.none`, which sends no `Content-Length`.
    package var length: Int64? {
        switch self {
        case .none: nil
        case .bytes(let bytes): Int64(bytes.count)
        case .parts(let parts): parts.reduce(0) { $0 + $1.length }
        }
    }
}

/// A stretch of a body.
package enum BodyPart: Sendable, Equatable {
    case bytes([UInt8])
    /// A part of a file, read while it is sent. It must not shrink meanwhile.
    case file(path: String, offset: Int64, length: Int64)

    /// In bytes.
    package var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length): length
        }
    }
}

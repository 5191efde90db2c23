/// A request method; names are case-sensitive (RFC 9110, section 9.1).
package struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as it stands in a request line.
    package let rawValue: String

    /// Takes any name; the parser of requests has checked that it is a token.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")
    package static let trace = HTTPMethod(rawValue: "TRACE")
    package static let query = HTTPMethod(rawValue: "QUERY")
    package static let connect = HTTPMethod(rawValue: "CONNECT")

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    package var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }

    /// Whether sending the request twice has the effect of sending it once (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }

    package var description: String { rawValue }
}

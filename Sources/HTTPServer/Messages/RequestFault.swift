/// Why the server itself refuses a message, before any handler sees it; answered with problem details (RFC 9457).
struct RequestFault: Error, Equatable {
    /// The status code of the response.
    let status: Int
    /// The last part of the problem's type, `/problems/<slug>`.
    let slug: String
    /// The same for every fault of this slug.
    let title: String
    /// The fault of this message.
    let detail: String

    /// A message that breaks the grammar, or that two readers could understand differently.
    static func malformed(_ detail: String) -> RequestFault {
        RequestFault(status: 400, slug: "malformed-request", title: "The request is malformed", detail: detail)
    }

    static let misdirected = RequestFault(
        status: 421, slug: "misdirected-request", title: "The request came to the wrong place",
        detail: "What belongs to https has to be asked for over TLS.")

    static let foreignHost = RequestFault(
        status: 421, slug: "misdirected-request", title: "The request came to the wrong place",
        detail:
            "This host is not served here. Settings name the hosts that are, and a proxy passes on the one it was asked for."
    )

    static let lineTooLong = RequestFault(
        status: 414, slug: "uri-too-long", title: "The request line is too long",
        detail: "Use a shorter path or query.")

    static let fieldsTooLarge = RequestFault(
        status: 431, slug: "fields-too-large", title: "The header fields are too large",
        detail: "Send fewer or shorter header fields.")

    static let versionNotSupported = RequestFault(
        status: 505, slug: "version-not-supported", title: "The version of HTTP is not supported",
        detail: "Use HTTP/1.1.")

    static let codingNotImplemented = RequestFault(
        status: 501, slug: "coding-not-implemented", title: "The transfer coding is not supported",
        detail: "Use chunked alone, or Content-Length.")

    static let expectationFailed = RequestFault(
        status: 417, slug: "expectation-failed", title: "The expectation cannot be met",
        detail: "Only 100-continue may be expected.")

    static let methodNotImplemented = RequestFault(
        status: 501, slug: "method-not-implemented", title: "The method is not supported",
        detail: "No resource of this server knows this method.")

    static let notFound = RequestFault(
        status: 404, slug: "not-found", title: "Not found", detail: "Nothing has this path.")

    static let methodNotAllowed = RequestFault(
        status: 405, slug: "method-not-allowed", title: "The method is not allowed here",
        detail: "The field Allow names the methods of this resource.")

    static let bodyTooLarge = RequestFault(
        status: 413, slug: "body-too-large", title: "The body is too large",
        detail: "This resource does not take a body of this size.")

    static let bodyIncomplete = RequestFault(
        status: 400, slug: "body-incomplete", title: "The body is incomplete",
        detail: "The body ended before its announced end.")

    static let bodyMalformed = RequestFault(
        status: 400, slug: "body-malformed", title: "The chunked body is malformed",
        detail: "The body does not follow the chunked coding.")

    static let tooSlow = RequestFault(
        status: 408, slug: "request-timeout", title: "The request took too long to arrive",
        detail: "Try again on a faster connection.")

    static let tooManyConnections = RequestFault(
        status: 503, slug: "too-many-connections", title: "There are too many connections",
        detail: "Close some, or try again later.")

    static let handlerTooSlow = RequestFault(
        status: 503, slug: "timeout", title: "The answer took too long",
        detail: "Try again later.")

    static let `internal` = RequestFault(
        status: 500, slug: "internal", title: "Something went wrong here",
        detail: "The failure was logged under this request's id.")
}

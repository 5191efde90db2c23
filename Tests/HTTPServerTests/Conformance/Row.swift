import Testing

/// A message, and what a strict server does with it.
///
/// Behind the message comes a request for `/last`, which is answered with 299 if and only if the server went on.
struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let message: [UInt8]
    /// The final answers in order; 100 does not count.
    let statuses: [Int]
    let goesOn: Bool
    /// The source of the rule, such as `RFC 9112, 3.2`.
    private(set) var section = ""
    /// The bodies of the first answers, where they prove something.
    private(set) var bodies: [String] = []
    /// Which answers are to HEAD and have no body whatever their fields say.
    private(set) var heads: Set<Int> = []

    var testDescription: String { "\(section): \(name)" }

    /// The bytes sent after the message.
    static let last = "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    /// A message that is answered with `status`, after which the connection goes on.
    static func ok(_ name: String, _ message: String, _ statuses: Int...) -> Row {
        Row(name: name, message: Array(message.utf8), statuses: statuses.isEmpty ? [200] : statuses, goesOn: true)
    }

    /// A message that is refused with `status`, after which the connection closes.
    static func refused(_ name: String, _ message: String, _ status: Int = 400) -> Row {
        Row(name: name, message: Array(message.utf8), statuses: [status], goesOn: false)
    }

    /// A message that is answered properly, after which the connection closes.
    static func closes(_ name: String, _ message: String, _ statuses: Int...) -> Row {
        Row(name: name, message: Array(message.utf8), statuses: statuses.isEmpty ? [200] : statuses, goesOn: false)
    }

    /// The same for bytes that are not text.
    static func refused(_ name: String, bytes: [UInt8], _ status: Int = 400) -> Row {
        Row(name: name, message: bytes, statuses: [status], goesOn: false)
    }

    /// The same for bytes that are not text.
    static func ok(_ name: String, bytes: [UInt8]) -> Row {
        Row(name: name, message: bytes, statuses: [200], goesOn: true)
    }

    /// Asks besides that the first answers have these bodies.
    func says(_ bodies: String...) -> Row { with { $0.bodies = bodies } }

    /// Says that the answers of these numbers, counted from 0, are to HEAD.
    func heads(_ numbers: Int...) -> Row { with { $0.heads = Set(numbers) } }

    /// Rows that one section asks for.
    static func asked(by section: String, _ rows: [Row]) -> [Row] { rows.map { $0.with { $0.section = section } } }

    private func with(_ change: (inout Row) -> Void) -> Row {
        var row = self
        change(&row)
        return row
    }

    static let all: [Row] = [
        lineEnds, requestLines, otherProtocols, versions, lineLengths,
        targetForms, absoluteTargets, segments, percentEncodings, queries,
        hosts, hostPorts, hostLiterals, authorities,
        fieldValues, fieldNames, foldedLines, fieldLineEnds, fieldLimits,
        lengths, badLengths, hugeLengths, wrongLengths, bodiesForNobody,
        codings, badCodings, hiddenCodings, twoFramings, oldCodings, lookalikes,
        chunks, chunkSizes, chunkExtensions, chunkLineEnds, trailers,
        expectations, persistence, oldPersistence, upgrades,
        methods, unknownMethods, allowedMethods, headRequests, optionsRequests,
        pipelines, brokenPipelines, smuggledRequests,
    ].flatMap(\.self)
}

/// `GET / HTTP/1.1` with a host and these field lines.
func get(_ lines: String...) -> String { message("GET /", lines) }

/// `GET target HTTP/1.1`.
func get(target: String) -> String { message("GET \(target)", []) }

/// Any method and target, such as `HEAD /`, with a host and these field lines.
func request(_ line: String, _ lines: String..., body: String = "") -> String { message(line, lines) + body }

/// `POST /body` with these field lines and this body.
func post(_ lines: String..., body: String) -> String { message("POST /body", lines) + body }

/// `POST /body` with a chunked body.
func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body: body) }

private func message(_ line: String, _ lines: [String]) -> String {
    lines.reduce("\(line) HTTP/1.1\r\nHost: h\r\n") { $0 + $1 + "\r\n" } + "\r\n"
}

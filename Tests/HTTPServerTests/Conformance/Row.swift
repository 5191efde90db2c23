import Testing

/// A message, and what a strict server does with it.
///
/// Behind the message comes a request for `/last`, which is answered with 299 if and only if the server went on.
struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let message: [UInt8]
    let statuses: [Int]
    let goesOn: Bool

    var testDescription: String { name }

    /// What is sent after the message.
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

    static var all: [Row] { requestLines + targets + fields + hosts + framings + chunks + connections }
}

/// `GET / HTTP/1.1` with a host and these field lines.
func get(_ lines: String...) -> String { lines.reduce("GET / HTTP/1.1\r\nHost: h\r\n") { $0 + $1 + "\r\n" } + "\r\n" }

/// `GET target HTTP/1.1`.
func get(target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n" }

/// `POST /body` with these field lines and this body.
func post(_ lines: String..., body: String) -> String {
    lines.reduce("POST /body HTTP/1.1\r\nHost: h\r\n") { $0 + $1 + "\r\n" } + "\r\n" + body
}

/// `POST /body` with a chunked body.
func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body: body) }

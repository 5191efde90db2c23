/// How an event becomes a line.
package enum LogFormat: String, CaseIterable, Sendable {
    /// `2026-11-21T19:30:00.123Z info photo stored photo=… bytes=…`; values with spaces, quotes or `=` stand in
    /// quotes.
    case logfmt
    /// One JSON object (RFC 8259): `time`, `level`, `message`, then the fields. Numbers and truth values stay what they
    /// are.
    case json
}

/// Which of the fields have come that decide what the response looks like.
///
/// Noted while the lines are read, so that nobody looks for a field that did not come.
struct FieldMentions: OptionSet, Sendable {
    let rawValue: UInt8

    /// `Accept-Encoding` (RFC 9110, section 12.5.3).
    static let acceptEncoding = FieldMentions(rawValue: 1)
    /// `Range` (RFC 9110, section 14.2).
    static let range = FieldMentions(rawValue: 2)
    /// `If-Match` and the other conditions (RFC 9110, section 13.1).
    static let condition = FieldMentions(rawValue: 4)
    /// `Origin` (Fetch, section 3.2).
    static let origin = FieldMentions(rawValue: 8)
    /// `Access-Control-HTTPRequest-Method` (Fetch, section 3.3.2).
    static let requestMethod = FieldMentions(rawValue: 16)

    /// `Accept` (RFC 9110, section 12.5.1).
    static let accept = FieldMentions(rawValue: 32)

    mutating func note(_ name: Range<Int>, in bytes: Span<UInt8>) {
        switch name.count {
        case 5 where bytes.equals("range", in: name): insert(.range)
        case 6 where bytes.equals("accept", in: name): insert(.accept)
        case 6 where bytes.equals("origin", in: name): insert(.origin)
        case 8 where bytes.equals("if-match", in: name) || bytes.equals("if-range", in: name): insert(.condition)
        case 13 where bytes.equals("if-none-match", in: name): insert(.condition)
        case 15 where bytes.equals("accept-encoding", in: name): insert(.acceptEncoding)
        case 17 where bytes.equals("if-modified-since", in: name): insert(.condition)
        case 19 where bytes.equals("if-unmodified-since", in: name): insert(.condition)
        case 29 where bytes.equals("access-control-request-method", in: name): insert(.requestMethod)
        default: break
        }
    }
}

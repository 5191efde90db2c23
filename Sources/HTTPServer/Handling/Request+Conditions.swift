package import HTTP

extension Request {
    /// The fields that `Preconditions` looks at: conditions, `Range` and `Accept-Encoding` (RFC 9110, sections 13.1, 14.2 and
    /// 12.5.3).
    ///
    /// Without a condition or `Range` it is empty and costs nothing.
    package var conditions: HTTPFields {
        let head = fields.head
        var conditions = HTTPFields()
        guard !head.layout.mentions.isDisjoint(with: [.condition, .range]) else { return conditions }
        head.forEachLine { name, value in
            var mentions = FieldMentions()
            mentions.note(name, in: head.bytes.span)
            if !mentions.isDisjoint(with: [.condition, .range, .acceptEncoding]) {
                conditions.add(head.text(name), head.text(value))
            }
            return true
        }
        return conditions
    }
}

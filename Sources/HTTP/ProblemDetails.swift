/// An error as clients see it: `application/problem+json` (RFC 9457).
package struct ProblemDetails: Sendable, Equatable {
    /// A URI that names the kind of problem.
    package var type: String
    /// The status of the response.
    package var status: HTTPStatus
    /// The same for every problem of this type.
    package var title: String
    /// The mistake of this request, for people; it helps to correct it.
    package var detail: String?
    /// Title and detail, for a page.
    package var sentence: String { [title, detail].compactMap(\.self).joined(separator: ". ") }
    /// A URI of this occurrence.
    package var instance: String?
    /// Further members; the names above are not allowed here.
    package var extensions: JSONObject
    /// When trying again makes sense, rounded up to whole seconds; sent as the field `Retry-After`.
    package var retryAfter: Duration?

    /// Takes the members; without a type the title is the phrase of the status (RFC 9457, section 4.2.1).
    package init(
        type: String = "about:blank", status: HTTPStatus, title: String? = nil, detail: String? = nil,
        instance: String? = nil, extensions: JSONObject = [:], retryAfter: Duration? = nil
    ) {
        self.type = type
        self.status = status
        self.title = title ?? status.reason
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
        self.retryAfter = retryAfter
    }

    /// The members in a fixed order: type, title, status, detail, instance, then the extensions.
    package var json: JSONValue {
        var object: JSONObject = ["type": .string(type), "title": .string(title), "status": .int(Int64(status.code))]
        if let detail { object["detail"] = .string(detail) }
        if let instance { object["instance"] = .string(instance) }
        for member in extensions where object[member.name] == nil { object[member.name] = member.value }
        return .object(object)
    }

    /// The body of the response.
    package var body: [UInt8] { json.serialized }

    /// `Content-Type`, and `Retry-After` when there is a pause.
    package var fields: HTTPFields {
        var fields: HTTPFields = ["Content-Type": MediaType.problemJSON.description]
        if let retryAfter { fields.add("Retry-After", String(wholeSeconds(retryAfter))) }
        return fields
    }
}

/// A pause for `Retry-After`: rounded up, so that a client never comes too early, and at least 0.
private func wholeSeconds(_ pause: Duration) -> Int64 {
    let (seconds, attoseconds) = pause.components
    return max(0, attoseconds > 0 ? seconds + 1 : seconds)
}

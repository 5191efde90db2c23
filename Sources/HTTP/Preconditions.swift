/// The conditional fields of a request (RFC 9110, section 13).
package enum Preconditions {
    /// What the conditions allow.
    package enum Outcome: Sendable, Equatable {
        /// Perform the method.
        case proceed
        /// Answer 304 without a body.
        case notModified
        /// Answer 412 and change nothing.
        case failed
    }

    /// Evaluates the conditions in the order of section 13.2.2.
    ///
    /// - Returns: What to do; `.notModified` only for GET and HEAD.
    /// - Parameters:
    ///   - method: The request's.
    ///   - fields: Those of the request.
    ///   - etag: The present tag, nil if the resource has none.
    ///   - lastModified: When the representation changed last, nil if that is not known.
    ///   - exists: Whether the resource has a present representation; decides `*`.
    package static func evaluate(
        method: HTTPMethod, fields: HTTPFields, etag: EntityTag?, lastModified: HTTPDate? = nil, exists: Bool = true
    ) -> Outcome {
        if let value = fields["If-Match"] {
            if !matches(value, etag, exists: exists, by: { $0.matchesStrongly($1) }) { return .failed }
        } else if let date = fields["If-Unmodified-Since"].flatMap({ HTTPDate($0) }), let lastModified {
            if lastModified > date { return .failed }
        }
        let reads = method == .get || method == .head
        if let value = fields["If-None-Match"] {
            if matches(value, etag, exists: exists, by: { $0.matchesWeakly($1) }) {
                return reads ? .notModified : .failed
            }
        } else if reads, let date = fields["If-Modified-Since"].flatMap({ HTTPDate($0) }), let lastModified {
            if lastModified <= date { return .notModified }
        }
        return .proceed
    }

    /// Whether `Range` may be honoured: no `If-Range`, or one that still holds (section 13.1.5).
    ///
    /// A date must be equal to the present one; a weak tag never matches.
    package static func allowsRange(fields: HTTPFields, etag: EntityTag?, lastModified: HTTPDate? = nil) -> Bool {
        guard let value = fields["If-Range"] else { return true }
        if let date = HTTPDate(value) { return date == lastModified }
        guard let wanted = EntityTag(parsing: value), let etag else { return false }
        return wanted.matchesStrongly(etag)
    }

    private static func matches(
        _ fieldValue: String, _ etag: EntityTag?, exists: Bool, by compare: (EntityTag, EntityTag) -> Bool
    ) -> Bool {
        var scanner = FieldScanner(fieldValue)
        if scanner.skip("*") { return exists && scanner.isAtEnd }
        guard exists, let etag else { return false }
        while !scanner.isAtEnd {
            if let candidate = EntityTag(from: &scanner), compare(candidate, etag) { return true }
            scanner.skipElement()
        }
        return false
    }
}

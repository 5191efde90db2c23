package import Foundation

/// Reads the pause a server asks for in `Retry-After`.
///
/// Source: RFC 9110, section 10.2.3. Both forms occur: whole seconds, or an HTTP-date.
///
/// - Parameters:
///   - value: The field value as received, without surrounding spaces.
///   - now: The time that an HTTP-date is compared with.
/// - Returns: From 0 s to 24 h. A date in the past means 0 s; more than 24 h is cut to 24 h.
/// - Throws: `HTTPFieldError` when `value` has neither form. Callers then use their own backoff.
package func retryAfter(_ value: String, now: Date) throws(HTTPFieldError) -> Duration {
    let longest: Int64 = 24 * 3600
    if !value.isEmpty, value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
        return .seconds(min(Int64(value) ?? longest, longest))
    }
    let now = HTTPDate(now)
    guard let date = HTTPDate(value, now: now) else { throw .malformed(field: "Retry-After") }
    return .seconds(min(max(date.secondsSince1970 - now.secondsSince1970, 0), longest))
}

package import FoundationEssentials
internal import HTTP

extension IncomingResponse {
    /// The pause that `Retry-After` asks for; nil without a readable one, then the queue uses its own.
    func pause(_ now: Date) -> Duration? {
        guard let value = fields["Retry-After"] else { return nil }
        do throws(HTTPFieldError) {
            return try retryAfter(value, now: now)
        } catch {
            return nil
        }
    }

    /// When a used up limit begins anew; nil when the response does not say, or names the past.
    ///
    /// `Retry-After` wins. Mastodon writes `X-RateLimit-Reset` as an ISO 8601 time, X `x-rate-limit-reset` as seconds
    /// since 1970, and Bluesky such seconds as `RateLimit-Reset` (docs.joinmastodon.org, docs.x.com and
    /// docs.bsky.app, "Rate limits"; read 2026-11-21).
    func limitEnd(_ now: Date) -> Date? {
        if let pause = pause(now) { return now + pause.timeInterval }
        guard
            let reset = fields["X-RateLimit-Reset"] ?? fields["x-rate-limit-reset"] ?? fields["RateLimit-Reset"],
            let end = Double(reset).map(Date.init(timeIntervalSince1970:)) ?? date(iso8601: reset), end > now
        else { return nil }
        return min(end, now + Self.longestWindow.timeInterval)
    }

    /// Of both services; a clock that is wrong by more must not stop an account.
    private static let longestWindow = Duration.seconds(24 * 3600)
}

/// Reads a time as JSON answers write it, with or without fractions of a second; nil for anything else.
func date(iso8601 text: String) -> Date? {
    do {
        return try Date(text, strategy: .iso8601)
    } catch {
        return nil
    }
}

extension Duration {
    /// In seconds, with their fractions: what Foundation counts time in.
    package var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}

internal import Foundation
internal import HTTP

/// The time a camera writes: ISO 8601, with an offset when the camera knows one.
enum CameraTime {
    /// Nil for what is no time; without an offset it is taken as a time in `zone`.
    static func date(_ text: String, in zone: TimeZone) -> Date? {
        if let timestamp = Timestamp(text) { return timestamp.date }
        let parts = text.split(separator: ".", maxSplits: 1)
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
        guard let whole = parts.first, let fraction = parts.count == 2 ? Double("0.\(parts[1])") : 0 else { return nil }
        do { return try style.parse(String(whole)).addingTimeInterval(fraction) } catch { return nil }
    }
}

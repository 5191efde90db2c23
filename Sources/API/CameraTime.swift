internal import Foundation
internal import HTTP

/// The time a camera writes: ISO 8601, with an offset when the camera knows one.
enum CameraTime {
    /// Nil for what is no time; without an offset it is taken as a time in `zone`.
    static func date(_ text: String, in zone: TimeZone) -> Date? {
        if let timestamp = Timestamp(text) { return timestamp.date }
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(
            includingFractionalSeconds: text.contains("."))
        do { return try style.parse(text) } catch { return nil }
    }
}

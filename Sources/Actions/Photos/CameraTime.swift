internal import Domain
internal import Foundation
internal import HTTP

/// The time that a camera wrote.
struct CameraTime: Equatable {
    let date: Date
    /// As `Photo.takenOffset`.
    let offset: Int?

    /// Reads ISO 8601. A text with an offset is by the camera's clock, `Z` says the time alone; without either it is a time in `zone`. Nil
    /// for what is no time.
    init?(_ text: String, in zone: TimeZone) {
        if let timestamp = Timestamp(text) {
            date = timestamp.date
            offset = Timestamp.offset(of: text).flatMap { Photo.takenOffsets.contains($0) ? $0 : nil }
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1)
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
        guard let whole = parts.first, let fraction = parts.count == 2 ? Double("0.\(parts[1])") : 0 else { return nil }
        do { date = try style.parse(String(whole)).addingTimeInterval(fraction) } catch { return nil }
        offset = nil
    }
}

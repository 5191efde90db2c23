internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// The time that a camera wrote.
struct CameraTime: Equatable {
    let date: Date
    /// As `Photo.takenOffset`.
    let offset: Int?

    init(_ date: Date, offset: Int?) { (self.date, self.offset) = (date, offset) }

    /// Reads ISO 8601. A text with an offset is by the camera's clock, `Z` says the time alone; without either it is a time in `zone`. Nil
    /// for what is no time.
    init?(_ text: String, in zone: Zone) {
        if let timestamp = Timestamp(text) {
            date = timestamp.date
            offset = Timestamp.offset(of: text).flatMap { Photo.takenOffsets.contains($0) ? $0 : nil }
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1)
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().time(includingFractionalSeconds: false)
        guard let whole = parts.first, parts.count < 2 || parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let fraction = parts.count == 2 ? Double("0.\(parts[1])") : 0
        else { return nil }
        do { date = zone.date(whenShowing: try style.parse(String(whole))) + fraction } catch { return nil }
        offset = nil
    }
}

extension PhotoOrigin {
    /// When the photo at `place` was taken: as its source says, by the camera's clock where its file knows that. Nil when the source says
    /// nothing.
    func taken(at place: Int, byCamera camera: CameraTime?, in zone: Zone) -> CameraTime? {
        guard taken.indices.contains(place), let said = taken[place] else { return nil }
        if let offset = said.offset {
            return CameraTime(said.date, offset: Photo.takenOffsets.contains(offset) ? offset : nil)
        }
        guard let camera else { return CameraTime(said.date, offset: nil) }
        if camera.offset != nil {
            return abs(camera.date.timeIntervalSince(said.date)) < 2 ? camera : CameraTime(said.date, offset: nil)
        }
        // The file has the hour of the camera's clock, and the source the moment: their difference is the clock's offset.
        let clock = camera.date.addingTimeInterval(Double(zone.secondsFromUTC(at: camera.date)))
        let minutes = clock.timeIntervalSince(said.date) / 60
        guard abs(minutes) < 10_000 else { return CameraTime(said.date, offset: nil) }
        let offset = Int((minutes / 15).rounded()) * 15
        let isClock = abs(minutes - Double(offset)) < 0.05 && Photo.takenOffsets.contains(offset)
        return CameraTime(said.date, offset: isClock ? offset : nil)
    }

    /// Where it stands among the photos of its owner: when it was published, or taken, or its file was written; never later than now.
    func publication(takenAt taken: Date?, now: Date) -> Date { min(publishedAt ?? taken ?? fileDate ?? now, now) }
}

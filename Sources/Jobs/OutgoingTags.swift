internal import Domain
internal import Foundation
internal import Media

extension PictureTags {
    /// What is written into the copies of a photo.
    ///
    /// Artist and copyright are those that the picture brings: Pics knows no better ones, and the owner's account is nobody's
    /// business.
    init(_ photo: Photo, timeZone: String, shortURL: String, tellsPosition: Bool) {
        // The camera's own time comes first; this one is for copies that are made anew.
        let zone = TimeZone(identifier: timeZone) ?? .gmt
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
            .timeZone(separator: .colon)
        self.init(
            caption: photo.caption, altText: photo.altText, shortURL: shortURL, software: "Pics",
            takenAt: photo.takenAt?.formatted(style),
            position: tellsPosition
                ? photo.position.map { PictureFacts.Position(latitude: $0.latitude, longitude: $0.longitude) } : nil)
    }
}

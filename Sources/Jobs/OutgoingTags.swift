internal import Domain
internal import FoundationEssentials
internal import Media
internal import Store
internal import System

extension PictureTags {
    /// The tags that are written into the copies of a photo.
    ///
    /// The artist is the name that the owner signs with, if they do. The copyright notice is the picture's own. `caption` is what the account may
    /// know: services show what a file says.
    init(_ photo: Photo, of subject: JobSubject, caption: String, shortURL: String, tellsPosition: Bool) {
        // The camera's own time comes first; this one is for pictures that have none.
        let zone = Zone(orUTC: subject.timeZone)
        self.init(
            caption: caption, altText: photo.altText, shortURL: shortURL, software: Software.name,
            takenAt: photo.takenAt.map { photo.clock(or: zone).timestamp($0) }, artist: subject.signature,
            position: tellsPosition
                ? photo.position.map { PictureFacts.Position(latitude: $0.latitude, longitude: $0.longitude) } : nil)
    }
}

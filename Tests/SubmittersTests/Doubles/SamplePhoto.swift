internal import Domain
internal import Submitters

/// A photo and the file that the service is sent for it.
struct SamplePhoto: Sendable {
    var photo: OutgoingPhoto
    let file: OutgoingFile
    /// Whether the file can be made; else who asks for it gets `.temporary`.
    var isMakeable = true

    var code: ShortCode { photo.code }

    func make() throws(SubmissionError) -> OutgoingFile {
        guard isMakeable else {
            throw .temporary(SubmissionProblem(.other("The picture could not be prepared.")), retryAfter: nil)
        }
        return file
    }

    /// The same photo, whose file cannot be made any more.
    var withoutFile: SamplePhoto { SamplePhoto(photo: photo, file: file, isMakeable: false) }
}

/// The sides of a sample's picture, as its file's metadata tell them.
struct PictureSize: Sendable {
    let width: Int
    let height: Int

    static let camera = PictureSize(width: 4032, height: 3024)
}

internal import Domain
internal import Foundation
internal import Media
internal import Submitters

/// The file that leaves: the blob itself, or a copy of it that is deleted when the try ends.
struct OutgoingCopy: ~Copyable {
    let path: String
    let bytes: Int64
    let mediaType: String
    let width: Int?
    let height: Int?
    private let isTemporary: Bool

    private init(path: String, bytes: Int64, mediaType: String, width: Int?, height: Int?, isTemporary: Bool) {
        self.path = path
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.isTemporary = isTemporary
    }

    deinit {
        if isTemporary { unlink(path) }
    }

    /// Makes the copy that an account takes, of the blob at `original`; there is no file at `destination` yet. Throws
    /// `.rejected` with a sentence for the owner when no copy can fit.
    static func make(
        of photo: Photo, at original: String, for rule: MediaRule, tags: PictureTags, with media: MediaPool,
        to destination: String
    ) async throws(SubmissionError) -> OutgoingCopy {
        let untouched = OutgoingCopy(
            path: original, bytes: photo.bytes, mediaType: photo.mediaType, width: photo.width, height: photo.height,
            isTemporary: false)
        switch (rule.copy, photo.kind) {
        case (.tagged, .video):
            return untouched
        case (.tagged, .photo):
            let isTagged = try await attempt { () async throws(MediaError) in
                try await media.tag(original, to: destination, with: tags)
            }
            guard isTagged else { return untouched }
            return try made(at: destination, mediaType: photo.mediaType, width: photo.width, height: photo.height)
        case (.cleaned, .video):
            guard rule.videoTypes.contains(photo.mediaType) else {
                throw .rejected(SubmissionProblem("The service takes no video of this type."))
            }
            guard photo.bytes <= rule.maximumVideoBytes else {
                throw .rejected(SubmissionProblem("The video is larger than the service takes."))
            }
            // A video is never made anew: what cannot be cleaned as it is stays here.
            let isStripped = try await attempt { () async throws(MediaError) in
                try await media.strip(original, to: destination)
            }
            guard isStripped else {
                throw .rejected(
                    SubmissionProblem("The video cannot be freed of what tells where and with what it was taken."))
            }
            return try made(at: destination, mediaType: photo.mediaType, width: photo.width, height: photo.height)
        case (.cleaned, .photo):
            return try await cleaned(photo, at: original, for: rule, with: media, to: destination)
        }
    }

    /// Without position and names: losslessly when the file fits as it is, else as a new JPEG.
    private static func cleaned(
        _ photo: Photo, at original: String, for rule: MediaRule, with media: MediaPool, to destination: String
    ) async throws(SubmissionError) -> OutgoingCopy {
        let pixels = (photo.width ?? 0) * (photo.height ?? 0)
        let fits =
            rule.pictureTypes.contains(photo.mediaType) && photo.bytes <= rule.maximumPictureBytes
            && pixels <= rule.maximumPixels ?? .max
        if fits {
            let isStripped = try await attempt { () async throws(MediaError) in
                try await media.strip(original, to: destination)
            }
            if isStripped {
                return try made(
                    at: destination, mediaType: photo.mediaType, width: photo.width, height: photo.height)
            }
        }
        let rendition = Rendition(
            .inside(maxSide: max(photo.width ?? 0, photo.height ?? 0, 1)), .jpeg, quality: 90,
            maxBytes: Int(clamping: rule.maximumPictureBytes), maxPixels: rule.maximumPixels)
        var facts: RenderedFacts?
        let isMade = try await attempt { () async throws(MediaError) in
            facts = try await media.render(original, to: destination, as: rendition)
        }
        guard isMade, let facts else {
            throw .rejected(SubmissionProblem("The picture cannot be made to fit what the service takes."))
        }
        return try made(at: destination, mediaType: facts.mediaType, width: facts.width, height: facts.height)
    }

    private static func made(
        at path: String, mediaType: String, width: Int?, height: Int?
    ) throws(SubmissionError) -> OutgoingCopy {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            throw .temporary(SubmissionProblem("The copy of the picture is gone."), retryAfter: nil)
        }
        return OutgoingCopy(
            path: path, bytes: Int64(facts.st_size), mediaType: mediaType, width: width, height: height,
            isTemporary: true)
    }

    /// Returns false when this kind of file does not allow the work, and the caller has another way.
    private static func attempt(_ work: () async throws(MediaError) -> Void) async throws(SubmissionError) -> Bool {
        do {
            try await work()
            return true
        } catch {
            switch error {
            case .refused(.unsupported), .refused(.cannotFit): return false
            case .refused: throw .rejected(SubmissionProblem("The picture cannot be prepared: \(error)."))
            case .cancelled, .stopped: throw .cancelled
            case .busy, .failed:
                throw .temporary(
                    SubmissionProblem("The picture could not be prepared.", detail: "\(error)"), retryAfter: nil)
            }
        }
    }
}

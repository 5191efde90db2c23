internal import Domain
internal import Foundation
internal import Logging
internal import Media
internal import Submitters

/// How a photo's file becomes one that an account takes: the blob itself, or a copy of it.
struct OutgoingCopy: Sendable {
    let photo: Photo
    /// The blob.
    let original: String
    let rule: MediaRule
    let tags: PictureTags
    /// Whether a cleaned copy may tell where it was taken; `tags` then has the position.
    let keepsPosition: Bool
    /// How large and how bright the account's owner wants its pictures.
    var look = AccountPicture()
    let media: MediaPool
    /// Where a copy goes; there is no file yet.
    let destination: String

    /// Makes the copy. Throws `.rejected` with a sentence for the owner when none can fit.
    func make() async throws(SubmissionError) -> OutgoingFile {
        switch (rule.copy, photo.kind) {
        case (.tagged, .video):
            return untouched
        case (.tagged, .photo):
            if !goesAsItIs { return try await taggedEdit() }
            let isTagged = try await attempt { () async throws(MediaError) in
                try await media.tag(original, to: destination, with: tags)
            }
            guard isTagged else { return untouched }
            return try made(photo.mediaType, photo.width, photo.height)
        case (.cleaned, .video):
            guard rule.videoTypes.contains(photo.mediaType) else {
                throw .rejected(SubmissionProblem("The service takes no video of this type."))
            }
            guard photo.bytes <= rule.maximumVideoBytes else {
                throw .rejected(SubmissionProblem("The video is larger than the service takes."))
            }
            // A video is never made anew: what cannot be cleaned as it is stays here.
            guard try await isStripped(to: destination) else {
                throw .rejected(
                    SubmissionProblem("The video cannot be freed of what tells where and with what it was taken."))
            }
            return try made(photo.mediaType, photo.width, photo.height)
        case (.cleaned, .photo):
            return try await cleaned()
        }
    }

    private var untouched: OutgoingFile {
        OutgoingFile(
            path: original, bytes: photo.bytes, mediaType: photo.mediaType, width: photo.width, height: photo.height)
    }

    /// Without position and names, with what the owner says of it: losslessly when the file fits as it is, else as a new JPEG.
    private func cleaned() async throws(SubmissionError) -> OutgoingFile {
        defer { unlink(plain) }
        let pixels = (photo.width ?? 0) * (photo.height ?? 0)
        let fits =
            goesAsItIs && rule.pictureTypes.contains(photo.mediaType) && photo.bytes <= rule.maximumPictureBytes
            && pixels <= rule.maximumPixels ?? .max
        if fits {
            let isStripped = try await isStripped(to: plain)
            if isStripped { return try await described(photo.mediaType, photo.width, photo.height) }
        }
        let rendition = Rendition(
            .inside(maxSide: longestSide), .jpeg, quality: compression ?? 90,
            maxBytes: Int(clamping: rule.maximumPictureBytes), maxPixels: rule.maximumPixels, recipe: recipe)
        var facts: RenderedFacts?
        let isMade = try await attempt { () async throws(MediaError) in
            facts = try await media.render(original, to: plain, as: rendition)
        }
        guard isMade, let facts else {
            throw .rejected(SubmissionProblem("The picture cannot be made to fit what the service takes."))
        }
        return try await described(facts.mediaType, facts.width, facts.height)
    }

    /// As the recipe and the owner's choices show it, a new JPEG that tells what Pics knows.
    private func taggedEdit() async throws(SubmissionError) -> OutgoingFile {
        let edited = "\(destination)-edited"
        defer { unlink(edited) }
        let rendition = Rendition(.inside(maxSide: longestSide), .jpeg, quality: compression ?? 95, recipe: recipe)
        var facts: RenderedFacts?
        let isMade = try await attempt { () async throws(MediaError) in
            facts = try await media.render(original, to: edited, as: rendition)
            try await media.tag(edited, to: destination, with: tags)
        }
        guard isMade, let facts else { return untouched }
        return try made(facts.mediaType, facts.width, facts.height)
    }

    // MARK: What its owner wants

    /// Whether nothing of the picture is to be changed. One that may be animated is left alone unless it has a recipe.
    private var goesAsItIs: Bool { recipe == nil && !isTooLarge }

    private var isTooLarge: Bool {
        guard let bound = look.quality.longestSide, photo.mediaType != "image/gif" else { return false }
        return max(photo.width ?? 0, photo.height ?? 0) > bound
    }

    /// The photo's, with what all pictures of the account get.
    private var recipe: Recipe? {
        guard look.isEnhanced, photo.mediaType != "image/gif" || photo.recipe != nil else { return photo.recipe }
        var recipe = photo.recipe ?? Recipe()
        recipe.enhance = true
        return recipe
    }

    /// Of pictures that are made smaller.
    private var compression: Int? { isTooLarge ? look.quality.compression : nil }

    /// No side of what leaves is longer; without a bound, no side of what is shown, even with a frame around it.
    private var longestSide: Int {
        let whole = 2 * max(photo.width ?? 0, photo.height ?? 0, 1)
        return isTooLarge ? min(whole, look.quality.longestSide ?? whole) : whole
    }

    /// A cleaned picture without tags, before it becomes the copy.
    private var plain: String { "\(destination)-plain" }

    /// The plain picture with its tags, or without them where they have no room.
    private func described(
        _ mediaType: String, _ width: Int?, _ height: Int?
    ) async throws(SubmissionError) -> OutgoingFile {
        let isTagged = try await attempt { () async throws(MediaError) in
            try await media.tag(plain, to: destination, with: tags)
        }
        if isTagged {
            let file = try made(mediaType, width, height)
            if file.bytes <= rule.maximumPictureBytes { return file }
        }
        guard rename(plain, destination) == 0 else {
            throw .temporary("The copy of the picture is gone.")
        }
        return try made(mediaType, width, height)
    }

    private func isStripped(to path: String) async throws(SubmissionError) -> Bool {
        try await attempt { () async throws(MediaError) in
            try await media.strip(original, to: path, StripRules(keepsPosition: keepsPosition, movesTablesFirst: true))
        }
    }

    private func made(_ mediaType: String, _ width: Int?, _ height: Int?) throws(SubmissionError) -> OutgoingFile {
        var facts = stat()
        guard stat(destination, &facts) == 0 else {
            throw .temporary("The copy of the picture is gone.")
        }
        return OutgoingFile(
            path: destination, bytes: Int64(facts.st_size), mediaType: mediaType, width: width, height: height)
    }

    // MARK: What goes wrong

    /// Returns false when this kind of file does not allow the work, and the caller has another way.
    private func attempt(_ work: () async throws(MediaError) -> Void) async throws(SubmissionError) -> Bool {
        do {
            try await work()
            return true
        } catch {
            guard let failure = Self.failure(error) else { return false }
            throw failure
        }
    }

    /// What trouble with a copy means for its submission; nil when this kind of file does not allow the work.
    static func failure(_ error: MediaError) -> SubmissionError? {
        switch error {
        case .refused(.unsupported), .refused(.cannotFit): nil
        // Pics has read this file before: a busy machine is to blame sooner than the file, and tries are bounded.
        case .refused(.tooCostly), .busy, .failed:
            .temporary(
                SubmissionProblem("The picture could not be prepared.", detail: logText(of: error)), retryAfter: nil)
        case .refused: .rejected(SubmissionProblem("The picture cannot be prepared: \(error)."))
        case .cancelled, .stopped: .cancelled
        }
    }
}

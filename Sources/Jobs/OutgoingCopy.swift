internal import Blobs
internal import Domain
internal import EventLoops
internal import Glibc
internal import Logging
internal import Media
internal import Submitters

/// The requests to the media processes that a copy is made with.
protocol CopyTools: Sendable {
    /// As `MediaPool.probe`.
    func probe(_ path: String) async throws(MediaError) -> PictureFacts

    /// As `MediaPool.render`.
    func render(
        _ path: String, to output: String, as rendition: Rendition
    ) async throws(MediaError) -> RenderedFacts

    /// As `MediaPool.strip`.
    func strip(_ path: String, to output: String, _ rules: StripRules) async throws(MediaError)

    /// As `MediaPool.tag`.
    func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError)
}

extension MediaPool: CopyTools {}

/// How a photo's file becomes one that an account takes.
///
/// The bytes that leave are the copy that was asked for, or none. Only the words may be missing, where they have no room. The
/// blob itself leaves only for an account that keeps originals with their position, and only for a photo without edits.
struct OutgoingCopy: Sendable {
    let photo: Photo
    /// The blob.
    let original: String
    let rule: MediaRule
    let tags: PictureTags
    /// Whether the copy may tell where it was taken; `tags` then has the position.
    let keepsPosition: Bool
    /// How large and how bright the account's owner wants its pictures.
    var look = AccountPicture()
    let media: any CopyTools
    /// For calls to the disk.
    let threads: BlockingThreads
    /// Where a copy goes; there is no file yet.
    let destination: String

    /// Makes the copy. Throws `.rejected` with why, for the owner, when none can fit.
    func make() async throws(SubmissionError) -> OutgoingFile {
        switch photo.kind {
        case .video: try await video()
        case .photo where !rule.takesPictures: throw .rejected(.unsupportedType)
        case .photo where rule.fills != nil: try await printed()
        case .photo:
            try await leavesWhole() && goesAsItIs
                ? taggedOriginal()
                : threads.removing([plain]) { () async throws(SubmissionError) in try await cleaned() }
        }
    }

    // MARK: Originals

    /// Whether the account gets all that the file came with. Position may be anywhere in a file, so who does not want it to
    /// leave, or has given another for the photo, sends a cleaned copy there too.
    private func leavesWhole() async throws(SubmissionError) -> Bool {
        guard rule.copy == .tagged else { return false }
        return try await keepsOwnPosition()
    }

    /// Whether the file's own position may leave: the account gets it, and the photo has no other.
    private func keepsOwnPosition() async throws(SubmissionError) -> Bool {
        // A photo without a position was stored without one, and given none.
        guard keepsPosition, let position = photo.position else { return keepsPosition }
        var own: PictureFacts.Position?
        let isRead = try await isDone { () async throws(MediaError) in own = try await media.probe(original).position }
        guard isRead else { return false }
        guard let own else { return true }
        return abs(own.latitude - position.latitude) < 1e-5 && abs(own.longitude - position.longitude) < 1e-5
    }

    /// The blob's own bytes with the words added, or the blob where they have no room.
    private func taggedOriginal() async throws(SubmissionError) -> OutgoingFile {
        var tags = tags
        // Whose picture it is stays as the camera wrote it.
        tags.artist = nil
        guard try await isTagged(original, tags) else { return untouched }
        return try await made(photo.mediaType, photo.width, photo.height)
    }

    private var untouched: OutgoingFile {
        OutgoingFile(
            path: original, bytes: photo.bytes, mediaType: photo.mediaType, width: photo.width, height: photo.height)
    }

    private func stripRules() async throws(SubmissionError) -> StripRules {
        StripRules(keepsPosition: try await keepsOwnPosition(), movesTablesFirst: true)
    }

    // MARK: Videos

    private func video() async throws(SubmissionError) -> OutgoingFile {
        guard photo.recipe == nil else { throw .rejected(.mediaUnusable, ProblemParameters(reason: .cannotEdit)) }
        if try await leavesWhole() { return untouched }
        guard rule.videoTypes.contains(photo.mediaType) else {
            throw .rejected(.unsupportedType)
        }
        guard photo.bytes <= rule.maximumVideoBytes else {
            throw .rejected(.fileTooLarge)
        }
        // A video is never made anew: what cannot be cleaned as it is stays here.
        let rules = try await stripRules()
        let isStripped = try await isDone { () async throws(MediaError) in
            try await media.strip(original, to: destination, rules)
        }
        guard isStripped else { throw .rejected(.mediaUnusable, ProblemParameters(reason: .cannotStrip)) }
        return try await made(photo.mediaType, photo.width, photo.height)
    }

    // MARK: Pictures

    /// Without position and names, with what the owner says of it: losslessly when the file fits as it is, else as a new JPEG.
    private func cleaned() async throws(SubmissionError) -> OutgoingFile {
        let fits =
            goesAsItIs && rule.pictureTypes.contains(photo.mediaType) && photo.bytes <= rule.maximumPictureBytes
            && hasFittingSize
        if fits, let file = try await stripped() { return file }
        let rendition = Rendition(
            .inside(maxSide: longestSide), .jpeg, quality: compression ?? (rule.copy == .tagged ? 95 : 90),
            maxBytes: Int(clamping: rule.maximumPictureBytes), maxPixels: rule.maximumPixels,
            aspectRatios: rule.aspectRatios, keepsTimes: true, recipe: recipe)
        var facts: RenderedFacts?
        let isMade = try await isDone { () async throws(MediaError) in
            facts = try await media.render(original, to: plain, as: rendition)
        }
        guard isMade, let facts else {
            throw .rejected(.mediaUnusable, ProblemParameters(reason: .cannotFit))
        }
        let file = try await copy(facts.mediaType, facts.width, facts.height) { tags throws(SubmissionError) in
            guard let tags else {
                return await threads.run { [plain, destination] in rename(plain, destination) == 0 }
            }
            return try await isTagged(plain, tags)
        }
        guard let file else { throw .temporary(Problem(.pictureNotPrepared)) }
        return file
    }

    /// The picture as it was stored, without position and names; nil when its kind cannot be cleaned so.
    private func stripped() async throws(SubmissionError) -> OutgoingFile? {
        let rules = try await stripRules()
        return try await copy(photo.mediaType, photo.width, photo.height) { tags throws(SubmissionError) in
            var rules = rules
            rules.tags = tags
            let work = { [rules] () async throws(MediaError) in
                try await media.strip(original, to: destination, rules)
            }
            return try await tags == nil ? isDone(work) : isTagged(work)
        }
    }

    /// What a printer gets: all of the card's surface, and nothing but the picture.
    private func printed() async throws(SubmissionError) -> OutgoingFile {
        guard let surface = rule.fills else { throw .rejected(.unsupportedType) }
        let rendition = Rendition(
            .filling(surface), .jpeg, quality: 95, maxBytes: Int(clamping: rule.maximumPictureBytes), recipe: recipe)
        var facts: RenderedFacts?
        let isMade = try await isDone { () async throws(MediaError) in
            facts = try await media.render(original, to: destination, as: rendition)
        }
        guard isMade, let facts else {
            throw .rejected(.mediaUnusable, ProblemParameters(reason: .cannotFit))
        }
        return try await made(facts.mediaType, facts.width, facts.height)
    }

    /// Whether the service takes the picture's sides as they are; of sides that are not known nothing is demanded.
    private var hasFittingSize: Bool {
        guard let width = photo.width, let height = photo.height, width > 0, height > 0 else { return true }
        return width * height <= rule.maximumPixels ?? .max && max(width, height) <= rule.longestSide ?? .max
            && rule.aspectRatios?.contains(Double(width) / Double(height)) ?? true
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

    /// No side of what leaves is longer, by the rule and by the owner's choice; without a bound, no side of what is shown, even with a frame around it.
    private var longestSide: Int {
        let whole = min(2 * max(photo.width ?? 0, photo.height ?? 0, 1), rule.longestSide ?? .max)
        return isTooLarge ? min(whole, look.quality.longestSide ?? whole) : whole
    }

    // MARK: Words

    /// A cleaned picture without tags, before it becomes the copy.
    private var plain: String { "\(destination)-plain" }

    /// The copy that `write` makes with the tags, without the long ones, or without any: the first that it can make and that is no larger
    /// than the rule allows; nil when there is none.
    private func copy(
        _ mediaType: String, _ width: Int?, _ height: Int?,
        _ write: (PictureTags?) async throws(SubmissionError) -> Bool
    ) async throws(SubmissionError) -> OutgoingFile? {
        for tags in [tags, tags.withoutWords, nil] {
            guard try await write(tags) else { continue }
            let file = try await made(mediaType, width, height)
            if file.bytes <= rule.maximumPictureBytes { return file }
            await threads.remove([destination])
        }
        return nil
    }

    private func isTagged(_ path: String, _ tags: PictureTags) async throws(SubmissionError) -> Bool {
        try await isTagged { () async throws(MediaError) in
            try await media.tag(path, to: destination, with: tags)
        }
    }

    /// Whether the tags could be written; false for a file that has no room for them, or whose own cannot be read.
    private func isTagged(_ work: () async throws(MediaError) -> Void) async throws(SubmissionError) -> Bool {
        do {
            try await work()
            return true
        } catch {
            if case .refused(let reason) = error, reason != .tooCostly { return false }
            guard let failure = Self.failure(error) else { return false }
            throw failure
        }
    }

    private func made(
        _ mediaType: String, _ width: Int?, _ height: Int?
    ) async throws(SubmissionError) -> OutgoingFile {
        let bytes = await threads.run { [destination] () -> Int64? in
            var facts = stat()
            return stat(destination, &facts) == 0 ? Int64(facts.st_size) : nil
        }
        guard let bytes else { throw .temporary(Problem(.pictureNotPrepared)) }
        return OutgoingFile(path: destination, bytes: bytes, mediaType: mediaType, width: width, height: height)
    }

    // MARK: What goes wrong

    /// Returns false when this kind of file does not allow the work, and the caller has another way.
    private func isDone(_ work: () async throws(MediaError) -> Void) async throws(SubmissionError) -> Bool {
        do {
            try await work()
            return true
        } catch {
            guard let failure = Self.failure(error) else { return false }
            throw failure
        }
    }

    /// The submission's error for a failed copy; nil when this kind of file does not allow the work.
    static func failure(_ error: MediaError) -> SubmissionError? {
        switch error {
        case .refused(.unsupported), .refused(.cannotFit): nil
        // Pics has read this file before: a busy machine is to blame sooner than the file, and tries are bounded.
        case .refused(.tooCostly), .busy, .failed:
            .temporary(
                SubmissionProblem(Problem(.pictureNotPrepared), detail: logText(of: error)), retryAfter: nil)
        case .refused:
            .rejected(
                SubmissionProblem(
                    Problem(.mediaUnusable, ProblemParameters(reason: .unreadable)), detail: logText(of: error)))
        case .cancelled, .stopped: .cancelled
        }
    }
}

internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import Logging
internal import Media
internal import Store
internal import Submitters

/// The pictures that leave in one post: the photo, and those that go along where the account takes several.
struct OutgoingPost: Sendable {
    /// Where the photo was taken, as far as the account may know.
    let position: Position?
    private let photos: [Photo]
    private let copies: [LazyCopy]
    private let progress: PostProgress

    /// Each copy is made by the account's rule and by nothing else, whichever place its photo has in the post. Files begin with
    /// `destination`.
    init(
        _ subject: JobSubject, for submission: SubmissionID, to account: OpenedAccount, of submitter: any Submitter,
        context: WorkerContext,
        destination: String,
        loop: EventLoop, report: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void
    ) {
        var rule = submitter.mediaRule(account.settings)
        let companions: ArraySlice<Photo> =
            subject.photo.kind == .video
            ? [] : subject.companions.filter(\.hasPicture).prefix(rule.maximumPictures - 1)
        if !companions.isEmpty { rule = rule.amongSeveral }
        let keepsPosition = AccountPosition(account.settings, submitter.description.position).isKept
        let service = submitter.description.name
        let hasCaptions = AccountChoice.caption.flag(in: account.settings)
        let look = AccountPicture(account.settings, submitter.description)
        var copies: [LazyCopy] = []
        let photos = [subject.photo] + companions
        for (place, photo) in photos.enumerated() {
            let digest = photo.blob.digest
            copies.append(
                LazyCopy(
                    OutgoingCopy(
                        photo: photo, original: context.blobs.path(of: digest), rule: rule,
                        tags: PictureTags(
                            photo, of: subject,
                            caption: !hasCaptions
                                ? "" : place == 0 ? subject.ownText ?? photo.caption : photo.caption,
                            shortURL: context.addresses.shortURL(photo.code),
                            tellsPosition: keepsPosition),
                        keepsPosition: keepsPosition, look: look, media: CopyShare(of: photo, in: context),
                        threads: context.blobs.threads,
                        destination: place == 0 ? destination : "\(destination)-\(place)"),
                    loop: loop,
                    check: { [blobs = context.blobs] () async throws(SubmissionError) in
                        try await Self.check(digest, in: blobs)
                    },
                    publish: { [photo = photo.id] file async throws(SubmissionError) in
                        try await Self.address(
                            of: file, of: photo, for: .submission(submission), at: service, in: context)
                    }))
        }
        position = keepsPosition ? subject.photo.position : nil
        self.photos = photos
        self.copies = copies
        progress = PostProgress(photos.map(\.bytes), report)
    }

    /// Brings a file here, and refuses one that is not what was stored: it must not leave.
    static func check(_ digest: SHA256Digest, in blobs: BlobStore) async throws(SubmissionError) {
        do throws(BlobError) {
            _ = try await blobs.checkedPath(of: digest)
        } catch {
            guard let fault = BlobFault(error) else {
                throw .temporary(
                    SubmissionProblem(Problem(.fileUnreadable), detail: logText(of: error)), retryAfter: nil)
            }
            throw .fileUnavailable(
                SubmissionProblem(Problem(fault == .missing ? .fileMissing : .fileDamaged)))
        }
    }

    /// How long the address of a file works, at most: less than the day for which the file of a submission is kept. Who prints a card may fetch its picture
    /// days after they have taken the order.
    private static func addressLife(_ use: FetchableFile.Use) -> Duration {
        switch use {
        case .submission: .seconds(20 * 3600)
        case .order: .seconds(72 * 3600)
        }
    }

    /// Lets a file be fetched from an address of ours that nobody can guess, as long as the submission has work to do or the card is to be made.
    static func address(
        of file: OutgoingFile, of photo: PhotoID, for use: FetchableFile.Use, at service: String,
        in context: WorkerContext
    ) async throws(SubmissionError) -> String {
        guard context.addresses.isConfigured else {
            throw .rejected(.fileNotFetched, ProblemParameters(service: service))
        }
        let token = Base64URL.encode(randomBytes(count: 24))
        do {
            let stored = try await context.blobs.put(fileAt: file.path)
            try await context.store.addOutgoingFile(
                BlobID(stored.digest), bytes: stored.bytes, mediaType: file.mediaType,
                token: SHA256Digest(of: token).bytes, of: photo, for: use, life: addressLife(use))
        } catch {
            throw .temporary(
                SubmissionProblem(Problem(.pictureNotPrepared), detail: logText(of: error)), retryAfter: nil)
        }
        return "\(context.addresses.base)/outgoing/\(token).\(file.fileExtension)"
    }

    /// Deletes all copies; for the end of the attempt.
    func discard() async {
        for copy in copies { await copy.discard() }
    }

    /// The photo's own file.
    func file() async throws(SubmissionError) -> OutgoingFile { try await copies[0].file() }

    /// The address at which the photo's own file can be fetched.
    func address() async throws(SubmissionError) -> String { try await copies[0].fetchAddress() }

    /// Takes how far the upload of the photo's own file is.
    func report(sent: Int64, total: Int64) { progress.report(0, sent: sent, total: total) }

    /// The pictures that go along.
    var companions: [OutgoingPicture] {
        photos.indices.dropFirst().map { place in
            let (photo, copy) = (photos[place], copies[place])
            return OutgoingPicture(
                code: photo.code, altText: photo.altText,
                file: { () async throws(SubmissionError) in try await copy.file() },
                address: { () async throws(SubmissionError) in try await copy.fetchAddress() },
                progress: { [progress] sent, total in progress.report(place, sent: sent, total: total) })
        }
    }
}

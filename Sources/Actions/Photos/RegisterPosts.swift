internal import Blobs
internal import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters
internal import System

extension InvalidField {
    /// A photo without a picture stays here.
    static func sentNowhere(_ pointer: String) -> InvalidField {
        impossible(pointer, "The photo has no picture: it is sent nowhere.")
    }
}

/// A post that an owner's app has made, with its account.
struct RegisteredPost {
    let recipient: Recipient
    let post: OwnPost
}

extension PhotoActions {
    /// The accounts of posts that a client has made itself. `sent` are those that the photo is sent to.
    ///
    /// - Throws: `InvalidField` for an account that is not connected, is not the only one that is meant, is there twice or among `sent`, or
    ///   keeps files: what is named would be deleted with the post.
    func registered(
        _ posted: [PostedDraft], besides sent: [Recipient], of user: User
    ) async throws -> [RegisteredPost] {
        var posts: [RegisteredPost] = []
        for (place, draft) in posted.enumerated() {
            func refused(_ detail: String) -> InvalidField {
                InvalidField.impossible("#/posted/\(place)/service", detail)
            }
            let matches: [Recipient]
            do { matches = try await chooseRecipients([draft.account], of: user) } catch let error as InvalidField {
                throw refused(error.detail)
            }
            guard let recipient = matches.first, matches.count == 1 else {
                throw refused("There are several accounts of \(draft.account). One is named as service:account.")
            }
            let id = recipient.connection.id
            guard !recipient.submitter.description.keepsFiles else {
                throw refused("Files of a storage are no posts: Pics knows those alone that it has stored itself.")
            }
            guard !posts.contains(where: { $0.recipient.connection.id == id }) else {
                throw refused("The account is there twice.")
            }
            guard !sent.contains(where: { $0.connection.id == id }) else {
                throw refused("The account is among those that the photo is sent to.")
            }
            posts.append(RegisteredPost(recipient: recipient, post: draft.post))
        }
        return posts
    }

    /// Submissions of posts that are there already, with the texts that the planner has for their accounts.
    func submissions(
        of photo: PostedPhoto, registering posts: [RegisteredPost], texts: [AccountID: String] = [:], in zone: Zone
    ) -> [NewSubmission] {
        let planned = plan(
            photo.caption, texts: texts, labels: photo.labels, at: photo.moment, in: zone, code: photo.code,
            for: posts.map(\.recipient))
        return zip(posts, planned).map { post, planned in
            NewSubmission(
                id: .make(), connection: planned.0.connection.id, plan: planned.1, bytes: 0, maximumAttempts: 1,
                maximumAge: .zero, isCounted: planned.0.submitter is any EngagementSubmitter,
                ownText: texts[planned.0.connection.id], post: post.post)
        }
    }

    // MARK: Without a picture

    /// Creates a photo without its picture: what is said of posts that a client has made itself, or will make. It is sent nowhere.
    ///
    /// - Throws: `InvalidField` for what needs a picture; as `create`.
    package func createWithoutPicture(_ creation: PhotoCreation, by user: User) async throws -> CreatedPhoto {
        let draft = creation.draft
        try Self.demandWithoutPicture(draft)
        let fingerprint = IdempotencyKey.fingerprint([Array("no picture".utf8), draft.json.serialized])
        if let kept = try await context.savedResponse(creation.key, fingerprint: fingerprint) { return .response(kept) }
        let posts = try await registered(draft.posted, besides: [], of: user)
        let texts = try await texts(of: draft, of: user)
        let zone = try await timeZone(of: user)
        try await creation.request?.confirm()
        let reservation = try await context.reservation(for: user)
        try reservation.reserve(Int64(StandInPicture.bytes.count))
        defer { withExtendedLifetime(reservation) {} }
        let stored = try await context.blobs.put(StandInPicture.bytes)
        var photo = NewPhoto(
            id: .make(), owner: user.id, code: .make(), blob: BlobID(stored.digest), bytes: stored.bytes,
            mediaType: StandInPicture.mediaType, kind: .photo, width: StandInPicture.width,
            height: StandInPicture.height,
            takenAt: nil, position: draft.position, exif: "{}", caption: draft.caption, altText: draft.altText,
            visibility: draft.visibility, album: draft.album)
        photo.labels = draft.labels
        photo.hasPicture = false
        return try await store(
            photo, creation, by: user, to: [], registering: posts, texts: texts, in: zone, fingerprint: fingerprint)
    }

    private static func demandWithoutPicture(_ draft: PhotoDraft) throws(InvalidField) {
        guard draft.services?.isEmpty ?? true else { throw .sentNowhere("#/services") }
        guard !draft.isDraft else { throw .impossible("#/draft", "A draft needs a picture.") }
        guard draft.scheduledAt == nil else { throw .sentNowhere("#/scheduled_at") }
        guard draft.with.isEmpty else { throw .impossible("#/with", "Photos go along with a picture alone.") }
        guard draft.recipe == nil, draft.furtherRecipes.isEmpty else {
            throw InvalidField.recipeWithoutPicture
        }
        guard draft.furtherAltTexts.isEmpty else {
            throw .impossible("#/alt_text", "There are more texts than photos.")
        }
        // A request that names neither is one whose upload was forgotten.
        guard !draft.posted.isEmpty || draft.services != nil else {
            throw .invalid(
                "#/upload",
                "There must be 1 to \(PhotoDraft.mostPhotos) uploads; without one `posted` has posts, or `services` is empty."
            )
        }
    }
}

/// The file of a photo without a picture, since every photo has one: a grey area of 600 × 315 pixels. Programs of the previous release show
/// it; this one shows the caption alone.
enum StandInPicture {
    static let mediaType = "image/png"
    static let width = 600
    static let height = 315

    static let bytes = Base64.decode(text) ?? []

    private static let text = """
        iVBORw0KGgoAAAANSUhEUgAAAlgAAAE7AQMAAAA7IG32AAAAA1BMVEWamprMihg2AAAALklEQVR42u3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAADAjwFdhAABeaoKsAAAAABJRU5ErkJggg==
        """
}

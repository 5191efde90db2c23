internal import Actions
internal import Crypto
package import Domain
internal import FoundationEssentials
package import HTTP
internal import Store
internal import Submitters

extension APIHandlers {
    /// Writes a photo with all that its viewer may know. The owner sees position and submissions, others do not. `along` are the
    /// submissions of other photos that it goes along with.
    func write(
        _ view: PhotoView, _ submissions: [Submission], along: [Submission] = [], for viewer: UserID?,
        to json: inout JSONWriter
    ) {
        let photo = view.photo
        let isOwner = photo.owner == viewer
        json.object { json in
            json.member("id", photo.id.description)
            json.member("kind", photo.kind.rawValue)
            json.member("owner", view.owner)
            json.member("code", photo.code.description)
            json.member("short_url", addresses.shortURL(photo.code))
            json.member("caption", photo.caption)
            json.member("alt_text", photo.altText)
            json.member("visibility", photo.visibility.rawValue)
            // Galleries show albums of public photos alone.
            json.member("album", isOwner || photo.visibility == .public ? photo.album : nil)
            json.member("has_picture", photo.hasPicture)
            json.member("media_type", photo.mediaType)
            json.member("bytes", photo.bytes)
            json.member("sha256", isOwner && photo.hasPicture ? photo.blob.description : nil)
            json.member("width", photo.width)
            json.member("height", photo.height)
            json.member("duration", JSONValue(photo.video?.duration))
            json.member("taken_at", photo.takenAt, offset: photo.takenOffset)
            json.member("location", isOwner ? photo.position.map { JSONValue($0) } ?? .null : .null)
            json.member("created_at", photo.createdAt)
            json.member("published_at", photo.publishedAt)
            json.member("sensitive", photo.labels.isSensitive)
            json.member("content_warning", photo.labels.warning)
            json.member("language", photo.labels.language)
            json.member("processing", photo.processing.rawValue)
            if isOwner { json.member("file_fault", photo.fileFault?.rawValue) }
            json.object("likes") { json in
                json.member("count", photo.likeCount + photo.networkLikeCount)
                json.member("own", photo.likeCount)
                json.member("networks", photo.networkLikeCount)
                json.member("liked", view.isLiked)
            }
            json.member("recipe", isOwner ? JSONValue(photo.recipe) : .null)
            json.member("sources", JSONValue(isOwner ? photo.sources.map(\.description) : []))
            json.member("with", JSONValue(photo.companions.map(\.description)))
            json.member("part_of", photo.partOf?.description)
            writeRenditions(of: photo, to: &json)
            writeVideo(of: photo, to: &json)
            guard isOwner else { return }
            json.member("planned_visibility", photo.plan?.visibility.rawValue)
            json.member("publish_at", photo.plan?.publishAt)
            json.member("draft", photo.isDraft ? Self.choices(of: photo) : .null)
            json.member("state", Photo.State(photo, submissions, at: .now).rawValue)
            json.array("submissions", submissions) { Self.write($1, to: &$0) }
            guard photo.visibility == .private else { return }
            json.array("left", (submissions + along).filter(isLeft)) { Self.write($1, to: &$0) }
        }
    }

    private static func choices(of photo: Photo) -> JSONValue {
        do { return try JSONValue(parsing: Array((photo.plan?.choices ?? "{}").utf8)) } catch { return [:] }
    }

    /// Whether others may have the post of a photo that is private here: it is out, may be, or is just being sent.
    private func isLeft(_ submission: Submission) -> Bool {
        guard registry[submission.service]?.description.isOwnArchive != true else { return false }
        return [.done, .unknown, .running].contains(submission.state)
    }

    private func writeRenditions(of photo: Photo, to json: inout JSONWriter) {
        guard let (width, height) = photo.shownSize else {
            return json.member("renditions", [])
        }
        let base = addresses.mediaBase(of: photo)
        let pictures = PublicRendition.allCases.flatMap { rendition in PictureFormat.allCases.map { (rendition, $0) } }
        json.array("renditions", pictures) { json, picture in
            let (rendition, format) = picture
            let size = rendition.size(ofWidth: width, height: height, recipe: photo.recipe)
            json.object { json in
                json.member("name", rendition.rawValue)
                json.member("url", "\(base)\(rendition.path(code: photo.code, format, recipe: photo.recipe))")
                json.member("width", size.width)
                json.member("height", size.height)
                json.member("media_type", format.mediaType)
            }
        }
    }

    /// Writes one submission, for its owner.
    static func write(_ submission: Submission, to json: inout JSONWriter) {
        json.object { writeMembers(of: submission, to: &$0) }
    }

    /// Writes what is told of a submission, as members of an object.
    package static func writeMembers(of submission: Submission, to json: inout JSONWriter) {
        json.member("id", submission.id.description)
        json.member("photo", submission.photo.description)
        json.member("service", submission.service)
        json.member("account", submission.account)
        json.member("state", submission.state.rawValue)
        json.member("text", submission.text)
        json.member("thread", submission.thread.isEmpty ? .null : JSONValue(submission.thread))
        json.member("own_text", submission.ownText)
        json.member("cut", submission.isCut)
        json.member("length", submission.length)
        json.member("limit", submission.limit)
        json.member("remote_id", submission.remoteID)
        json.member("remote_url", submission.remoteURL)
        json.member("attempts", submission.attempts)
        json.member("scheduled_at", submission.scheduledAt)
        json.member("next_attempt_at", submission.nextAttemptAt)
        json.object("progress") { json in
            json.member("sent", submission.bytesSent)
            json.member("total", submission.bytesTotal)
        }
        json.member("problem", JSONValue(submission.problem))
        json.member("edit", submission.edit?.rawValue)
        json.member("updated_at", submission.updatedAt)
    }

    /// The entity tag of a photo's representation: the version that edits compare, and a digest of everything else
    /// that a reader sees.
    static func entityTag(_ photo: Photo, _ body: [UInt8]) -> EntityTag {
        EntityTag("\(photo.version)-\(Hex.encode(SHA256Digest(of: body).bytes.prefix(8)))")
    }

    /// The version that an entity tag of `entityTag` names.
    static func version(in tag: EntityTag) -> Int? {
        tag.isWeak ? nil : Int(tag.opaque.prefix { $0 != "-" })
    }
}

extension JSONValue {
    /// RFC 3339, or null.
    init(_ date: Date?) { self = date.map { .string(Timestamp($0).description) } ?? .null }
}

extension APIHandlers {
    /// Writes the member `video` of a video: where everybody finds it, and what its header says; nothing for a photo.
    func writeVideo(of photo: Photo, to json: inout JSONWriter) {
        guard photo.kind == .video, let path = PublicVideo.path(of: photo) else { return }
        json.object("video") { json in
            json.member("url", "\(addresses.mediaBase(of: photo))\(path)")
            json.member("media_type", photo.mediaType)
            json.member("width", photo.width)
            json.member("height", photo.height)
            json.member("rotation", photo.video?.rotation ?? 0)
            json.member("frame_rate", JSONValue(photo.video?.frameRate))
            json.member("picture_format", photo.video?.pictureFormat)
            json.member("sound_format", photo.video?.soundFormat)
            json.member("plays_from_start", photo.video?.playsFromStart ?? false)
        }
    }
}

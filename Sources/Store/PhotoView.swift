package import Domain
internal import FoundationEssentials
internal import Postgres

/// A photo as one of its viewers sees it.
package struct PhotoView: Sendable, Equatable {
    package let photo: Photo
    /// The owner's name.
    package let owner: String
    /// The owner's name as they want it shown, else the same.
    package let author: String
    /// Whether the viewer likes it.
    package let isLiked: Bool
    /// The name that the owner signs pictures with; nil when they do not.
    package let signature: String?

    package init(photo: Photo, owner: String, author: String? = nil, isLiked: Bool, signature: String? = nil) {
        (self.photo, self.owner, self.isLiked, self.signature) = (photo, owner, isLiked, signature)
        self.author = author ?? owner
    }
}

/// A photo as a viewer sees it; its owner sees the submissions too.
struct VisiblePhoto: Sendable {
    let view: PhotoView
    let submissions: [Submission]
}

extension PhotoView {
    /// The columns that `viewColumns` names, in their order.
    init(_ row: borrowing ResultRow) throws(PostgresError) {
        let id: PhotoID = try row.id("id")
        let owner: UserID = try row.id("owner_id")
        let code: ShortCode = try row.value("code") { ShortCode($0 as String) }
        let kind: Photo.Kind = try row.value("kind") { Photo.Kind(rawValue: $0) }
        // A deleted photo has let go of its file.
        let digest: [UInt8] = try row.get("sha256") ?? [UInt8](repeating: 0, count: 32)
        guard let blob = BlobID(digest) else { throw .decoding(column: "sha256", expected: "32 bytes", found: "bytea") }
        let mediaType: String = try row.get("media_type") ?? "application/octet-stream"
        let bytes: Int64 = try row.get("bytes") ?? 0
        let width: Int32? = try row.get("width")
        let height: Int32? = try row.get("height")
        let hasPicture: Bool = try row.get("has_picture")
        let takenAt: Date? = try row.get("taken_at")
        let latitude: Double? = try row.get("latitude")
        let longitude: Double? = try row.get("longitude")
        let caption: String = try row.get("caption")
        let altText: String = try row.get("alt_text")
        let visibility: Visibility = try row.value("visibility") { Visibility(rawValue: $0) }
        let recipe: Recipe? = try row.recipe("recipe")
        let sources: [UUID]? = try row.get("sources")
        let companions: [UUID] = try row.get("companions")
        let partOf: UUID? = try row.get("part_of")
        let likeCount: Int32 = try row.get("like_count")
        let networkLikeCount: Int32 = try row.get("network_like_count")
        let version: Int32 = try row.get("version")
        let createdAt: Date = try row.get("created_at")
        let deletedAt: Date? = try row.get("deleted_at")
        var photo = Photo(
            id: id, owner: owner, code: code, kind: kind, blob: blob, mediaType: mediaType, bytes: bytes,
            width: hasPicture ? width.map(Int.init) : nil, height: hasPicture ? height.map(Int.init) : nil,
            video: kind == .video ? try VideoFacts(row) : nil, takenAt: takenAt,
            position: latitude.flatMap { latitude in
                longitude.flatMap { Position(latitude: latitude, longitude: $0) }
            },
            caption: caption, altText: altText, visibility: visibility, recipe: recipe,
            sources: sources?.map { PhotoID($0) } ?? [], companions: companions.map { PhotoID($0) },
            likeCount: Int(likeCount),
            networkLikeCount: Int(networkLikeCount), version: Int(version), createdAt: createdAt, deletedAt: deletedAt,
            album: try row.get("album"), editedAt: try row.get("edited_at"),
            processing: try row.value("processing") { Photo.Processing(rawValue: $0) },
            partOf: partOf.map { PhotoID($0) })
        let planned: String? = try row.get("planned_visibility")
        if let planned = planned.flatMap({ Visibility(rawValue: $0) }) {
            photo.plan = Photo.Plan(
                visibility: planned, publishAt: try row.get("publish_at"), choices: try row.get("draft"))
        }
        let publishedAt: Date? = try row.get("published_at")
        photo.publishedAt = photo.plan == nil ? publishedAt ?? createdAt : nil
        let takenOffset: Int16? = try row.get("taken_offset")
        photo.takenOffset = takenOffset.map(Int.init)
        photo.labels = try row.labels()
        photo.hasPicture = hasPicture
        photo.focus = try row.focus()
        photo.fileFault = try row.fileFault("file_fault")
        self.init(
            photo: photo, owner: try row.get("owner_name"), author: try row.get("owner_display_name"),
            isLiked: try row.get("liked"),
            signature: try row.get("signature"))
    }
}

extension VideoFacts {
    /// Nil when the video was stored before Pics read it.
    fileprivate init?(_ row: borrowing ResultRow) throws(PostgresError) {
        let rotation: Int16? = try row.get("rotation")
        guard let rotation else { return nil }
        self.init(
            duration: try row.get("duration"), rotation: Int(rotation), frameRate: try row.get("frame_rate"),
            pictureFormat: try row.get("picture_format"), soundFormat: try row.get("sound_format"),
            playsFromStart: try row.get("plays_from_start") ?? false)
    }
}

package import Domain
package import FoundationEssentials
import Postgres

/// A photo that is to be stored; its blob is in place already.
package struct NewPhoto: Sendable {
    package let id: PhotoID
    package let owner: UserID
    package var code: ShortCode
    package let blob: BlobID
    package let bytes: Int64
    package let mediaType: String
    package let kind: Photo.Kind
    package let width: Int?
    package let height: Int?
    package let video: VideoFacts?
    package let takenAt: Date?
    /// As `Photo.takenOffset`.
    package var takenOffset: Int?
    package let position: Position?
    /// A JSON object.
    package let exif: String
    package let caption: String
    package let altText: String
    package let visibility: Visibility
    package let recipe: Recipe?
    /// The photos it was made of.
    package let sources: [PhotoID]
    /// The photos that are there already and that go along in the same post, in their order.
    package let companions: [PhotoID]
    package let album: String?
    /// Further photos of the same post, in their order, before those that go along; 19 together at most.
    package var parts: [NewPhoto] = []
    /// The upload whose bytes these are.
    package var upload: UploadID?
    /// For one that is published later, which is private until then.
    package var plan: Photo.Plan?
    package var labels = ContentLabels()
    /// As `Photo.hasPicture`.
    package var hasPicture = true
    /// For one that was published elsewhere before.
    package var publishedAt: Date?
    /// What it has from there.
    package var origin: PhotoOrigin?

    package init(
        id: PhotoID, owner: UserID, code: ShortCode, blob: BlobID, bytes: Int64, mediaType: String, kind: Photo.Kind,
        width: Int?, height: Int?, video: VideoFacts? = nil, takenAt: Date?, position: Position?, exif: String,
        caption: String, altText: String, visibility: Visibility, recipe: Recipe? = nil, sources: [PhotoID] = [],
        companions: [PhotoID] = [], album: String? = nil
    ) {
        self.id = id
        self.owner = owner
        self.code = code
        self.blob = blob
        self.bytes = bytes
        self.mediaType = mediaType
        self.kind = kind
        self.width = width
        self.height = height
        self.video = video
        self.takenAt = takenAt
        self.position = position
        self.exif = exif
        self.caption = caption
        self.altText = altText
        self.visibility = visibility
        self.recipe = recipe
        self.sources = sources
        self.companions = companions
        self.album = album
    }
}

/// Changes that an owner makes to a photo; nil leaves a member as it is.
package struct PhotoEdit: Sendable, Equatable {
    package let caption: String?
    package let altText: String?
    package let visibility: Visibility?
    package let recipe: RecipeChange
    package let album: AlbumChange
    package let labels: ContentLabels?
    /// As `Photo.Plan.choices`; counts for a draft alone.
    package let choices: String?

    package init(
        caption: String?, altText: String?, visibility: Visibility?, recipe: RecipeChange = .keep,
        album: AlbumChange = .keep, labels: ContentLabels? = nil, choices: String? = nil
    ) {
        self.caption = caption
        self.altText = altText
        self.visibility = visibility
        self.recipe = recipe
        self.album = album
        self.labels = labels
        self.choices = choices
    }
}

/// A change of a photo's recipe.
package enum RecipeChange: Sendable, Equatable {
    case keep
    /// Nil takes it away.
    case set(Recipe?)

    fileprivate var isChange: Bool { self != .keep }

    fileprivate var json: String? {
        if case .set(let recipe) = self { recipe?.json } else { nil }
    }
}

/// A change of a photo's album.
package enum AlbumChange: Sendable, Equatable {
    case keep
    /// Nil takes it out of its album.
    case set(String?)

    fileprivate var isChange: Bool { self != .keep }

    fileprivate var name: String? { if case .set(let name) = self { name } else { nil } }
}

/// A photo, and who looks at it.
struct PhotoKey: Hashable, Sendable {
    let id: PhotoID
    let viewer: UserID
}

/// The columns of a `PhotoView` but `liked`. Nothing is shown of who has left.
let viewColumns = """
    p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.taken_offset,
    p.latitude, p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
    p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
    p.edited_at, p.processing, p.part_of, p.planned_visibility::text AS planned_visibility, p.publish_at,
    p.draft::text AS draft, p.published_at, p.sensitive, p.content_warning, p.language, p.has_picture, p.focus_x, p.focus_y, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
    p.plays_from_start, u.name AS owner_name, u.display_name AS owner_display_name, u.signature, b.fault::text AS file_fault,
    \(companionsColumn)
    """

func liked(by viewer: String) -> String {
    "EXISTS (SELECT FROM likes WHERE photo_id = p.id AND user_id = \(viewer)) AS liked"
}

let viewTables = """
    photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
    LEFT JOIN blobs b ON b.sha256 = p.sha256
    """

/// The views of the photos that a query before it, called `page`, has found; as `view`.
///
/// LIMIT makes PostgreSQL look them up one by one. Left to itself it merges or hashes with all short links, because it does
/// not know how few a page has.
func viewsOfPage(liked: String = "false AS liked") -> String {
    "CROSS JOIN LATERAL (SELECT \(viewColumns), \(liked) FROM \(viewTables) WHERE p.id = page.id LIMIT 1) view"
}

extension Query where Row == (PhotoKey, PhotoView) {
    /// The photos of several requests, each as its own viewer sees it.
    static func photos(_ keys: [PhotoKey]) -> Self {
        Query(
            "photos_by_id",
            """
            SELECT k.n, \(viewColumns), \(liked(by: "k.viewer"))
              FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS k(id, viewer, n)
              JOIN photos p ON p.id = k.id
              JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
              LEFT JOIN blobs b ON b.sha256 = p.sha256
            """, [keys.map(\.id.uuid), keys.map(\.viewer.uuid)]
        ) { row throws(PostgresError) in
            let number: Int64 = try row.get("n")
            return (keys[Int(number) - 1], try PhotoView(row))
        }
    }
}

extension Query where Row == PhotoView {
    static func photo(code: ShortCode, viewer: UserID?) -> Self {
        Query(
            "photo_by_code", "SELECT \(viewColumns), \(liked(by: "$1::uuid")) FROM \(viewTables) WHERE l.code = $2",
            [viewer?.uuid, code.description], decode: { row throws(PostgresError) in try PhotoView(row) })
    }

    /// Newest first; `before` is the last identifier of the page before. Those that are part of another's post are left out, unless asked for.
    static func photos(of owner: UserID, before: PhotoID?, limit: Int, withParts: Bool) -> Self {
        Query(
            "photos_of_owner",
            """
            SELECT view.*
              FROM (SELECT c.id FROM photos c
                     WHERE c.owner_id = $1 AND c.deleted_at IS NULL AND ($4::bool OR c.part_of IS NULL)
                       AND c.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                     ORDER BY c.id DESC LIMIT $3::int) page
              \(viewsOfPage(liked: liked(by: "$1"))) ORDER BY view.id DESC
            """, [owner.uuid, before?.uuid, limit, withParts],
            decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}

extension Query where Row == Void {
    static func insertPhoto(_ photo: NewPhoto, partOf post: PhotoID? = nil) -> Self {
        Query(
            "insert_photo",
            """
            INSERT INTO photos (id, owner_id, sha256, kind, width, height, taken_at, latitude, longitude, exif, caption,
                                alt_text, visibility, recipe, sources, duration, rotation, frame_rate, picture_format,
                                sound_format, plays_from_start, album, part_of, planned_visibility, publish_at, draft,
                                sensitive, content_warning, language, taken_offset, has_picture, published_at,
                                network_like_count, processing)
            VALUES ($1, $2, $3, $4::text::photo_kind, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12,
                    $13::text::visibility, $14::text::jsonb, $15::uuid[], $16, $17::int, $18, $19, $20, $21, $22, $23,
                    $24::text::visibility, $25, $26::text::jsonb, $27, $28, $29, $30::int, $31, $32, $33,
                    CASE WHEN $31 THEN 'pending' ELSE 'done' END::processing)
            """,
            [
                photo.id.uuid, photo.owner.uuid, photo.blob.bytes, photo.kind.rawValue, photo.width.map(Int32.init),
                photo.height.map(Int32.init), photo.takenAt, photo.position?.latitude, photo.position?.longitude,
                photo.exif, photo.caption, photo.altText, photo.visibility.rawValue,
                photo.recipe?.json, photo.sources.isEmpty ? nil : photo.sources.map(\.uuid), photo.video?.duration,
                photo.video.map { Int32($0.rotation) }, photo.video?.frameRate, photo.video?.pictureFormat,
                photo.video?.soundFormat, photo.video?.playsFromStart, photo.album, post?.uuid,
                photo.plan?.visibility.rawValue, photo.plan?.publishAt, photo.plan?.choices, photo.labels.isSensitive,
                photo.labels.warning, photo.labels.language, photo.takenOffset.map(Int32.init), photo.hasPicture,
                photo.publishedAt, Int32(clamping: max(0, photo.origin?.likes ?? 0)),
            ])
    }

    static func insertShortLink(_ code: ShortCode, to photo: PhotoID) -> Self {
        Query(
            "insert_short_link", "INSERT INTO short_links (code, photo_id) VALUES ($1, $2)",
            [code.description, photo.uuid])
    }

    /// Holds the lanes that the owner's photo goes through. It comes before `editPhoto`, in one transaction.
    static func lockLanes(of photo: PhotoID, owner: UserID) -> Self {
        Query("lock_lanes", "SELECT lock_lanes($1, $2)", [photo.uuid, owner.uuid])
    }
}

extension Query where Row == PhotoID {
    /// The owner's oldest photo of one of these files.
    static func photo(ofAny blobs: [BlobID], owner: UserID) -> Self {
        Query(
            "photo_of_blobs",
            """
            SELECT p.id
              FROM unnest($1::text[]) AS file(digest)
             CROSS JOIN LATERAL (SELECT id FROM photos
                                  WHERE sha256 = decode(file.digest, 'hex') AND owner_id = $2 AND deleted_at IS NULL AND has_picture
                                  ORDER BY id LIMIT 1) p
             ORDER BY p.id LIMIT 1
            """, [blobs.map(\.description), owner.uuid]
        ) { row throws(PostgresError) in try row.id("id") }
    }

    /// Changes what is given, and the texts of submissions that have not begun; no row when the photo is not the
    /// owner's or `version` is not its version any more. A new visibility of a photo that is not published is the one that it will
    /// have; one that has a time and is made private will never be.
    static func editPhoto(
        _ id: PhotoID, owner: UserID, version: Int, edit: PhotoEdit, texts: [(SubmissionID, PlannedCaption)]
    ) -> Self {
        Query(
            "edit_photo",
            """
            WITH edited AS (
                UPDATE photos
                   SET caption = coalesce($4, caption), alt_text = coalesce($5, alt_text),
                       visibility = CASE WHEN planned_visibility IS NULL
                                         THEN coalesce($6::text::visibility, visibility) ELSE visibility END,
                       planned_visibility = CASE WHEN planned_visibility IS NULL
                                                      OR publish_at IS NOT NULL AND $6::text = 'private' THEN NULL
                                                 ELSE coalesce($6::text::visibility, planned_visibility) END,
                       publish_at = CASE WHEN $6::text = 'private' THEN NULL ELSE publish_at END,
                       draft = CASE WHEN planned_visibility IS NOT NULL AND publish_at IS NULL
                                    THEN coalesce($20::text::jsonb, draft) END,
                       sensitive = CASE WHEN $16::bool THEN $17::bool ELSE sensitive END,
                       content_warning = CASE WHEN $16::bool THEN $18 ELSE content_warning END,
                       language = CASE WHEN $16::bool THEN $19 ELSE language END,
                       recipe = CASE WHEN $12::bool THEN $13::text::jsonb ELSE recipe END,
                       album = CASE WHEN $14::bool THEN $15 ELSE album END, edited_at = now(), version = version + 1,
                       processing = CASE WHEN $12::bool AND recipe IS DISTINCT FROM $13::text::jsonb
                                         THEN 'pending' ELSE processing END,
                       processing_at = CASE WHEN $12::bool AND recipe IS DISTINCT FROM $13::text::jsonb
                                            THEN now() ELSE processing_at END
                 WHERE id = $1 AND owner_id = $2 AND version = $3 AND deleted_at IS NULL
                RETURNING id
            ), replanned AS (
                UPDATE submissions s
                   SET text = n.text, is_cut = n.is_cut, length = n.length, text_limit = n.text_limit,
                       thread = n.thread::jsonb
                  FROM unnest($7::uuid[], $8::text[], $9::bool[], $10::int[], $11::int[], $21::text[])
                       AS n(id, text, is_cut, length, text_limit, thread), edited
                 WHERE s.id = n.id AND s.photo_id = edited.id AND s.state IN ('waiting', 'paused', 'needs_login')
                   AND EXISTS (SELECT FROM jobs j
                                WHERE j.submission_id = s.id AND j.effect = 'none' AND j.state = 'ready')
            )
            SELECT id FROM edited
            """,
            [
                id.uuid, owner.uuid, Int32(version), edit.caption, edit.altText, edit.visibility?.rawValue,
                texts.map(\.0.uuid), texts.map(\.1.text), texts.map(\.1.isCut),
                texts.map { Int32(clamping: $0.1.length) },
                texts.map { $0.1.limit.map { Int32(clamping: $0) } }, edit.recipe.isChange, edit.recipe.json,
                edit.album.isChange, edit.album.name, edit.labels != nil, edit.labels?.isSensitive ?? false,
                edit.labels?.warning, edit.labels?.language, edit.choices,
                texts.map(\.1.storedThread),
            ]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

/// How often and how long changes of posts are tried.
package struct ChangePolicy: Sendable, Equatable {
    /// Submissions whose services can do it.
    package let submissions: [SubmissionID]
    package let maximumAttempts: Int
    package let maximumAge: Duration

    package init(_ submissions: [SubmissionID], maximumAttempts: Int = 12, maximumAge: Duration = .seconds(3 * 86_400))
    {
        self.submissions = submissions
        self.maximumAttempts = maximumAttempts
        self.maximumAge = maximumAge
    }
}

extension Query where Row == Void {
    /// Queues changes of a photo's posts, if it has this version.
    static func editPosts(_ posts: ChangePolicy, of photo: PhotoID, version: Int) -> Self {
        Query(
            "edit_posts",
            """
            SELECT enqueue_changes(
                ARRAY(SELECT s.id FROM submissions s JOIN photos p ON p.id = s.photo_id
                       WHERE s.id = ANY ($1::uuid[]) AND p.id = $2 AND p.version = $3),
                'edit', $4::int, $5::interval)
            """,
            [
                posts.submissions.map(\.uuid), photo.uuid, Int32(version), Int32(posts.maximumAttempts),
                posts.maximumAge,
            ])
    }

    /// Takes note that posts of `posts` get the photo's edit by jobs, and that those of `missed` stay as they were, in whole or in part.
    /// Those that have not begun go out as the photo then is. It comes after `editPosts`; the caller holds the lanes.
    static func noteEdit(_ posts: [SubmissionID], missed: [SubmissionID]) -> Self {
        Query(
            "note_edit",
            """
            UPDATE submissions s
               SET edit = CASE WHEN s.id = ANY ($2::uuid[]) OR s.edit = 'unsupported' THEN 'unsupported' ELSE 'waiting' END,
                   updated_at = now()
             WHERE s.id = ANY ($1::uuid[])
               AND (s.state IN ('done', 'unknown')
                    OR EXISTS (SELECT FROM jobs j
                                WHERE j.submission_id = s.id
                                  AND (j.state = 'running' OR j.effect = 'armed'
                                       OR s.id = ANY ($2::uuid[]) AND j.journal <> '{}')))
            """, [Array(Set(posts + missed)).map(\.uuid), missed.map(\.uuid)])
    }
}

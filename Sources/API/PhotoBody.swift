internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import Store

extension API {
    /// A photo with all that its viewer may know. The owner sees position and submissions, others do not.
    func body(_ view: PhotoView, submissions: [Submission], viewer: UserID?) -> JSONValue {
        let photo = view.photo
        let isOwner = photo.owner == viewer
        var body: JSONObject = [
            "id": .string(photo.id.description), "kind": .string(photo.kind.rawValue), "owner": .string(view.owner),
            "code": .string(photo.code.description), "short_url": .string(addresses.shortURL(photo.code)),
            "caption": .string(photo.caption), "alt_text": .string(photo.altText),
            "visibility": .string(photo.visibility.rawValue), "media_type": .string(photo.mediaType),
            "bytes": .int(photo.bytes), "sha256": isOwner ? .string(photo.blob.description) : .null,
            "width": JSONValue(photo.width), "height": JSONValue(photo.height), "taken_at": JSONValue(photo.takenAt),
            "location": isOwner ? photo.position.map(location) ?? .null : .null,
            "created_at": JSONValue(photo.createdAt),
            "likes": [
                "count": .int(Int64(photo.likeCount)), "own": .int(Int64(photo.likeCount)), "networks": 0,
                "liked": .bool(view.isLiked),
            ],
            "renditions": JSONValue(renditions(of: photo)),
        ]
        if isOwner { body["submissions"] = JSONValue(submissions.map(Self.body)) }
        return .object(body)
    }

    private func location(_ position: Position) -> JSONValue {
        ["latitude": .double(position.latitude), "longitude": .double(position.longitude)]
    }

    private func renditions(of photo: Photo) -> [JSONValue] {
        guard let width = photo.width, let height = photo.height, photo.kind == .photo else { return [] }
        return PublicRendition.allCases.map { rendition in
            let size = rendition.size(ofWidth: width, height: height)
            return [
                "name": .string(rendition.rawValue),
                "url": .string("\(addresses.base)\(rendition.path(code: photo.code))"),
                "width": .int(Int64(size.width)), "height": .int(Int64(size.height)), "media_type": "image/jpeg",
            ]
        }
    }

    /// One submission, for its owner.
    static func body(_ submission: Submission) -> JSONValue {
        [
            "id": .string(submission.id.description), "service": .string(submission.service),
            "account": .string(submission.account), "state": .string(submission.state.rawValue),
            "text": .string(submission.text), "cut": .bool(submission.isCut), "length": .int(Int64(submission.length)),
            "limit": JSONValue(submission.limit), "remote_id": JSONValue(submission.remoteID),
            "remote_url": JSONValue(submission.remoteURL), "attempts": .int(Int64(submission.attempts)),
            "next_attempt_at": JSONValue(submission.nextAttemptAt),
            "progress": ["sent": .int(submission.bytesSent), "total": .int(submission.bytesTotal)],
            "problem": JSONValue(submission.problem),
        ]
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

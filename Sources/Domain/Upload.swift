package import FoundationEssentials

/// A file that comes in parts, and becomes a photo when it is complete.
package struct Upload: Sendable, Equatable {
    package let id: UploadID
    package let owner: UserID
    /// The protocol that has made it.
    package let `protocol`: Kind
    package let part: Part
    package let state: State
    /// The bytes of the whole file; nil while the client has not said.
    package let length: Int64?
    /// A part with a checksum is coming, or was broken off: only these bytes count.
    package let checked: Int64?
    /// `Upload-Metadata` of tus as it came; empty when there was none.
    package let metadata: String
    /// `Upload-Concat` of tus as it came.
    package let concat: String?
    /// The media type that the client declared.
    package let mediaType: String?
    package let fileName: String?
    /// The SHA-256 that the client has announced; 32 bytes.
    package let sha256: [UInt8]?
    /// A JSON object of the fields of a photo; nil when the upload waits for somebody to make one of it.
    package let draft: String?
    /// Why it has failed, for people.
    package let problem: String?
    /// The photo made of it.
    package let photo: PhotoID?
    package let createdAt: Date
    package let expiresAt: Date

    package enum Kind: String, Sendable {
        /// tus 1.0.0.
        case tus
        /// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload).
        case ietf
    }

    /// The place in a concatenation of tus.
    package enum Part: String, Sendable {
        case whole
        case partial
        case final
    }

    package enum State: String, Sendable {
        case receiving
        /// All bytes are there.
        case complete
        /// It went past its length, or is not what was announced. Nothing can be added.
        case failed
    }

    package init(
        id: UploadID, owner: UserID, protocol: Kind, part: Part, state: State, length: Int64?, checked: Int64?,
        metadata: String, concat: String?, mediaType: String?, fileName: String?, sha256: [UInt8]?, draft: String?,
        problem: String?, photo: PhotoID?, createdAt: Date, expiresAt: Date
    ) {
        self.id = id
        self.owner = owner
        self.protocol = `protocol`
        self.part = part
        self.state = state
        self.length = length
        self.checked = checked
        self.metadata = metadata
        self.concat = concat
        self.mediaType = mediaType
        self.fileName = fileName
        self.sha256 = sha256
        self.draft = draft
        self.problem = problem
        self.photo = photo
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

package typealias UploadID = Identifier<Upload>

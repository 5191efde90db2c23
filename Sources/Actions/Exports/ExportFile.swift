internal import Crypto
internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters

/// The file of a photo in an export, as the list of all keeps it: a record of always the same length.
struct ExportFile: Equatable {
    let name: String
    let digest: SHA256Digest
    let bytes: Int64
    let modified: Date

    static let recordLength = 128
    private static let nameLength = 79

    init(_ photo: Photo) {
        // The day by the camera's clock, where that is known.
        let day = Timestamp(photo.moment, offset: photo.takenOffset).description.prefix(10)
        name = "photos/\(day)-\(photo.code).\(Self.fileExtension(photo.mediaType))"
        digest = photo.blob.digest
        bytes = photo.bytes
        modified = photo.moment
    }

    init?(record: [UInt8]) {
        guard record.count == Self.recordLength, let digest = SHA256Digest(bytes: Array(record[..<32])) else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64 {
            Int64(bitPattern: record[range].reduce(0) { $0 << 8 | UInt64($1) })
        }
        self.digest = digest
        bytes = number(32..<40)
        modified = Date(timeIntervalSince1970: Double(number(40..<48)))
        name = String(decoding: record[49..<(49 + Int(record[48]))], as: UTF8.self)
    }

    var record: [UInt8] {
        func bigEndian(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        let name = Array(name.utf8.prefix(Self.nameLength))
        let seconds = Int64(modified.timeIntervalSince1970.rounded(.down))
        let bytes = digest.bytes + bigEndian(self.bytes) + bigEndian(seconds) + [UInt8(name.count)] + name
        return bytes + [UInt8](repeating: 0, count: Self.recordLength - bytes.count)
    }

    func entry(checksum: UInt32) -> ZipEntry {
        ZipEntry(name: name, size: bytes, modified: modified, checksum: checksum)
    }

    private static func fileExtension(_ mediaType: String) -> String {
        switch mediaType {
        case "image/jpeg": "jpg"
        case "video/quicktime": "mov"
        default:
            String((mediaType.split(separator: "/").last ?? "bin").filter { $0.isASCII && $0.isLetter || $0.isNumber })
        }
    }
}

/// A photo in an export.
struct ExportPhoto {
    let view: PhotoView
    let submissions: [Submission]
    /// Nil when the file is missing or damaged.
    let file: String?
    let shortURL: String
    /// How many of the likes are of people who have not signed in; more is not known of them.
    let visitorLikes: Int64

    func json() -> [UInt8] {
        let photo = view.photo
        return JSONWriter.text { json in
            json.object { json in
                json.member("id", photo.id.description)
                json.member("short_url", shortURL)
                json.member("file", file)
                json.member("media_type", photo.mediaType)
                json.member("bytes", photo.bytes)
                json.member("sha256", photo.blob.description)
                json.member("width", photo.width)
                json.member("height", photo.height)
                json.member("taken_at", photo.takenAt, offset: photo.takenOffset)
                json.member("created_at", photo.createdAt)
                json.member("edited_at", photo.editedAt)
                json.member("caption", photo.caption)
                json.member("alt_text", photo.altText)
                json.member("has_picture", photo.hasPicture)
                json.member("album", photo.album)
                json.member("part_of", photo.partOf?.description)
                json.member("visibility", photo.visibility.rawValue)
                json.member("location", photo.position.map { JSONValue($0) } ?? .null)
                json.member("recipe", JSONValue(photo.recipe))
                json.object("likes") { json in
                    json.member("count", photo.likeCount + photo.networkLikeCount)
                    json.member("own", photo.likeCount)
                    json.member("visitors", visitorLikes)
                    json.member("networks", photo.networkLikeCount)
                }
                json.array("submissions", submissions) { json, submission in
                    json.object { json in
                        json.member("service", submission.service)
                        json.member("account", submission.account)
                        json.member("state", submission.state.rawValue)
                        json.member("text", submission.text)
                        json.member("remote_id", submission.remoteID)
                        json.member("remote_url", submission.remoteURL)
                        json.member("problem", JSONValue(submission.problem))
                        json.member("updated_at", submission.updatedAt)
                    }
                }
            }
        }
    }
}

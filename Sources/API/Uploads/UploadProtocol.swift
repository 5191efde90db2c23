internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer

/// The protocol in which a client speaks of an upload. Both speak of the same uploads.
enum UploadProtocol: Equatable, Sendable {
    /// tus 1.0.0 (tus.io).
    case tus
    /// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload); the number is what `Upload-Draft-Interop-Version`
    /// says, nil when it says none that is known.
    case ietf(interop: Int?)

    static let tusVersion = "1.0.0"
    static let tusExtensions =
        "creation,creation-with-upload,creation-defer-length,expiration,checksum,termination,concatenation"
    /// The drafts that differ for a server, by number: iOS 17 speaks 3, iOS 18 5 and 6, iOS 26 8.
    static let interopVersions: Set<Int> = [3, 4, 5, 6, 7, 8, 9]

    /// Finds what a request speaks. What says nothing of itself speaks as the upload was made.
    ///
    /// - Throws: 412 for another version of tus, or for none where tus needs it.
    init(_ request: HTTPRequest, madeBy maker: Upload.Kind? = nil) throws(RequestProblem) {
        if let field = request.fields["Upload-Draft-Interop-Version"] {
            let number = structuredNatural(field).map { Int($0) }
            self = .ietf(interop: number.flatMap { Self.interopVersions.contains($0) ? $0 : nil })
        } else if let version = request.fields["Tus-Resumable"] {
            guard version == Self.tusVersion else { throw .unknownTusVersion }
            self = .tus
        } else if maker == .ietf || request.fields.contains("Upload-Complete") {
            self = .ietf(interop: nil)
        } else {
            throw .unknownTusVersion
        }
    }

    /// For those who only read, who need not say what they speak.
    init(ofReader request: HTTPRequest, _ upload: Upload) {
        do throws(RequestProblem) { self = try UploadProtocol(request, madeBy: upload.protocol) } catch { self = .tus }
    }

    var kind: Upload.Kind { self == .tus ? .tus : .ietf }

    /// Whether the client can take an interim answer 104.
    var takesInterim: Bool { if case .ietf(.some) = self { true } else { false } }

    /// Before interop 4 the field said the opposite.
    private var isInverted: Bool { self == .ietf(interop: 3) }

    /// Whether the request says that its body is the last part; nil when it does not say.
    func completes(_ request: HTTPRequest) -> Bool? {
        guard self != .tus else { return nil }
        guard isInverted else { return request.fields["Upload-Complete"].flatMap(structuredBoolean) }
        return request.fields["Upload-Incomplete"].flatMap(structuredBoolean).map { !$0 }
    }

    /// Whether the body is the last part. Interop 3 means so where nothing is said; in tus the length alone tells.
    func isLast(_ request: HTTPRequest) -> Bool { completes(request) ?? (self != .tus) }

    /// Reads a count of bytes. In tus it may have any number of digits; what no `Int64` holds becomes the greatest of them, which is
    /// over every limit. In the other it is an Integer of RFC 9651, and a field of another type is none.
    func count(_ field: String) -> Int64? {
        guard self == .tus else { return structuredNatural(field) }
        guard !field.isEmpty, field.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(field) ?? .max
    }

    // MARK: Answers

    /// The fields of every response.
    var fields: HTTPFields {
        switch self {
        case .tus: ["Tus-Resumable": Self.tusVersion]
        case .ietf(let interop): interop.map { ["Upload-Draft-Interop-Version": String($0)] } ?? [:]
        }
    }

    /// The fields of a response about an upload: `offset` bytes have arrived for good, and the longest file has `limit`.
    func fields(_ upload: Upload, offset: Int64, isComplete: Bool, limit: Int64) -> HTTPFields {
        var fields = fields
        fields.add("Upload-Offset", String(offset))
        switch self {
        case .tus:
            if upload.state == .receiving { fields.add("Upload-Expires", HTTPDate(upload.expiresAt).description) }
        case .ietf:
            fields.add(isInverted ? "Upload-Incomplete" : "Upload-Complete", isComplete != isInverted ? "?1" : "?0")
            if let limits = limits(limit, until: upload.expiresAt) { fields.add("Upload-Limit", limits) }
        }
        return fields
    }

    /// The fields of a refused creation: nothing of it is there.
    var fieldsOfRefusedCreation: HTTPFields {
        guard case .ietf = self else { return fields }
        var fields = fields
        fields.add(isInverted ? "Upload-Incomplete" : "Upload-Complete", isInverted ? "?1" : "?0")
        return fields
    }

    /// The value of `Upload-Limit`, which came with interop 6 and named its age anew with 7.
    func limits(_ longest: Int64, until end: Date?) -> String? {
        guard case .ietf(let interop) = self, interop ?? 9 >= 6 else { return nil }
        let limits = "max-size=\(longest)"
        guard let end else { return limits }
        return "\(limits), \(interop == 6 ? "expires" : "max-age")=\(max(0, Int64(end.timeIntervalSinceNow)))"
    }

    /// The status of a part that was taken and is not the last.
    var statusOfPart: HTTPStatus {
        switch self {
        case .ietf(let interop?) where interop < 7: .created
        default: .noContent
        }
    }
}

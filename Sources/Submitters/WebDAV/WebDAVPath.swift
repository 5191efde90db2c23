internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// The folder of a person on a WebDAV server, and what the server is known to be.
struct WebDAVFolder: Sendable, Equatable {
    /// `https://cloud.example`.
    let origin: String
    /// `/remote.php/dav/files/alice`, percent-encoded, without a slash at its end.
    let path: String

    /// Reads what a person has entered, path and all.
    init(_ entered: String, policy: ServerPolicy) throws(SubmissionError) {
        origin = try ServerOrigin(entered, policy: policy).description
        let url = URLComponents(entered: entered)
        let segments = (url?.path ?? "").split(separator: "/").map(String.init)
        guard !segments.contains(".."), !segments.contains(".") else {
            throw .rejected(
                .valueInvalid, ProblemParameters(field: "base_url", label: "The address of the folder"))
        }
        path = segments.map { "/" + PercentEncoding.encode($0) }.joined()
    }

    /// Reads an account's settings.
    init(_ settings: JSONValue) {
        origin = settings["base_url"]?.string ?? ""
        path = settings["path"]?.string ?? ""
    }

    var settings: JSONValue { ["base_url": .string(origin), "path": .string(path)] }

    /// The address of something in the folder; `names` are not encoded.
    func path(of names: [String]) -> String { path + names.map { "/" + PercentEncoding.encode($0) }.joined() }

    /// Where Nextcloud (and ownCloud 10) puts uploads together; nil for other servers.
    var uploads: String? {
        let marker = "/remote.php/dav/files/"
        guard let range = path.firstRange(of: marker) else { return nil }
        let user = path[range.upperBound...].prefix { $0 != "/" }
        return user.isEmpty ? nil : "\(path[..<range.lowerBound])/remote.php/dav/uploads/\(user)"
    }

    /// Where Nextcloud's own interface is, and the folder as that calls it; nil for other servers.
    var share: (api: String, folder: String)? {
        let marker = "/remote.php/dav/files/"
        guard let range = path.firstRange(of: marker) else { return nil }
        let inner = path[range.upperBound...].drop { $0 != "/" }
        guard let folder = PercentEncoding.decode(inner) else { return nil }
        return ("\(path[..<range.lowerBound])/ocs/v2.php/apps/files_sharing/api/v1/shares", folder)
    }
}

internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// A WebDAV server with one person's folder, by RFC 4918, or Nextcloud with its uploads in pieces and its links.
///
/// It is as strict as the strictest that was read: it takes no name that Nextcloud forbids, and makes no folder whose
/// address lacks the slash at its end, as nginx does not.
package final class FakeWebDAV: FakeService {
    /// How the server is set up.
    package struct Options: Sendable {
        package var isNextcloud = false
        /// Bytes that still fit.
        package var space = 1 << 40
        /// The scheme of `WWW-Authenticate`; any other than Basic refuses everybody.
        package var authentication = "Basic"

        package init() {}
    }

    static let username = "alice"
    static let password = "app-password"

    private struct File {
        let content: [UInt8]
        let mediaType: String
        let createdAt: Date
    }

    private struct State {
        /// By path, decoded.
        var files: [String: File] = [:]
        var folders: Set<String>
        var links: [String: String] = [:]
    }

    private let options: Options
    private let now: @Sendable () -> Date
    private let root: String
    private let state: Lock<State>

    /// Starts with one folder, "Lakes", in the person's own.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        root = options.isNextcloud ? "/remote.php/dav/files/alice" : "/dav"
        state = Lock(State(folders: [root, "\(root)/Lakes", "/remote.php/dav/uploads/alice"]))
    }

    /// Files that everybody sees, by path.
    package var effects: [PublishedPost] {
        state.withLock { state in
            state.files.filter { $0.key.hasPrefix("\(root)/") && !Self.isHidden($0.key) }
                .sorted { $0.key < $1.key }
                .map { path, file in
                    let name = String(path.dropFirst(root.count + 1))
                    let media = PublishedMedia(
                        sha256: SHA256Digest(of: file.content).hex, bytes: file.content.count,
                        mediaType: file.mediaType, altText: "")
                    return PublishedPost(
                        id: name, url: state.links[path] ?? "", text: "", media: [media], createdAt: file.createdAt)
                }
        }
    }

    package var albumNames: [String] {
        effects.compactMap { $0.id.split(separator: "/").dropLast().last.map { String($0) } }
    }

    /// The remains of uploads: hidden files, pieces and their folders.
    package var leftovers: [String] {
        state.withLock { state in
            state.files.keys.filter(Self.isHidden).sorted()
                + state.folders.union(state.files.keys).filter { $0.hasPrefix("\(Self.uploads)/") }.sorted()
        }
    }

    /// Throws uploads away, as after a day.
    package func dropUploads() {
        state.withLock { state in
            state.folders = state.folders.filter { !$0.hasPrefix("\(Self.uploads)/") }
            state.files = state.files.filter { $0.key.hasPrefix(root) && !Self.isHidden($0.key) }
        }
    }

    /// Puts a file there, as another program would; `name` is its path in the person's folder.
    package func put(_ content: [UInt8], named name: String) {
        state.withLock {
            $0.files["\(root)/\(name)"] = File(content: content, mediaType: "image/jpeg", createdAt: now())
        }
    }

    private static let uploads = "/remote.php/dav/uploads/alice"

    private static func isHidden(_ path: String) -> Bool { path.split(separator: "/").last?.hasPrefix(".") == true }

    /// Whether Nextcloud takes no such name. Source: nextcloud/server, `lib/private/Files/FilenameValidator.php` at 19c73545:
    /// `.part` always, `.filepart` and `.htaccess` unless its administrator says otherwise, more than 250 bytes, `\`, control
    /// characters. `apps/dav/lib/Connector/Sabre/Directory.php` makes it `InvalidPath`, which is 400.
    package static func isForbidden(_ name: String) -> Bool {
        let small = name.lowercased()
        return name.isEmpty || name.utf8.count > 250 || small == ".htaccess" || small.hasSuffix(".part")
            || small.hasSuffix(".filepart") || name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }
    }

    private func isForbidden(path: String) -> Bool {
        path.hasPrefix("\(root)/")
            && path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
                .contains(where: Self.isForbidden)
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        FakeAnswer(
            HTTPStatus(code: status), fields: ["Content-Type": "application/xml"],
            body: Array(
                #"<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>No.</s:message></d:error>"#.utf8))
    }

    package var routes: [FakeRoute] {
        var routes: [FakeRoute] = []
        for base in [root, Self.uploads] {
            for depth in ["/{a}/", "/{a}/{b}/"] { routes.append(authorized("MKCOL \(base)\(depth)", makeFolder)) }
            for depth in ["/", "/{a}", "/{a}/{b}"] {
                for (method, response) in [
                    ("PROPFIND", propfind), ("MKCOL", makeFolder), ("PUT", put), ("MOVE", move), ("DELETE", delete),
                ] {
                    routes.append(authorized("\(method) \(base)\(depth)", response))
                }
            }
        }
        let shares = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
        return routes + [authorized("GET \(shares)", listLinks), authorized("POST \(shares)", createLink)]
    }

    private func authorized(_ name: String, _ response: @escaping @Sendable (FakeRequest) -> FakeAnswer) -> FakeRoute {
        FakeRoute(name) { [self] request, _ in
            let pair = Base64.encode(Array("\(Self.username):\(Self.password)".utf8))
            guard options.authentication == "Basic", request.fields["Authorization"] == "Basic \(pair)" else {
                var response = refusal(401)
                response.fields.set("WWW-Authenticate", "\(options.authentication) realm=\"files\"")
                return response
            }
            return response(request)
        }
    }

    // MARK: Methods

    private func path(_ encoded: String) -> String {
        let path = PercentEncoding.decode(encoded) ?? ""
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private func parent(_ path: String) -> String {
        String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }

    private func propfind(_ request: FakeRequest) -> FakeAnswer {
        let path = path(request.path)
        return state.withLock { state in
            var entries: [String] = []
            func add(_ path: String) {
                let file = state.files[path]
                let type = file == nil ? "<d:collection/>" : ""
                let length = file.map { "<d:getcontentlength>\($0.content.count)</d:getcontentlength>" } ?? ""
                let href = path.split(separator: "/").map { "/" + PercentEncoding.encode(String($0)) }.joined()
                entries.append(
                    """
                    <d:response><d:href>\(href)\(file == nil ? "/" : "")</d:href><d:propstat><d:prop>\
                    <d:resourcetype>\(type)</d:resourcetype>\(length)</d:prop>\
                    <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
                    """)
            }
            guard state.folders.contains(path) || state.files[path] != nil else { return refusal(404) }
            add(path)
            if request.fields["Depth"] == "1" {
                for child in (state.folders.union(state.files.keys)).sorted() where parent(child) == path { add(child) }
            }
            return FakeAnswer(
                207, fields: ["Content-Type": "application/xml; charset=utf-8"],
                body: Array(
                    "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">\(entries.joined())</d:multistatus>".utf8))
        }
    }

    private func makeFolder(_ request: FakeRequest) -> FakeAnswer {
        // nginx: "MKCOL can create a collection only" (`ngx_http_dav_module.c`, `ngx_http_dav_mkcol_handler`).
        guard request.path.hasSuffix("/") else { return refusal(409) }
        let path = path(request.path)
        guard !isForbidden(path: path) else { return refusal(400) }
        return state.withLock { state in
            if state.folders.contains(path) || state.files[path] != nil { return refusal(405) }
            guard state.folders.contains(parent(path)) else { return refusal(409) }
            state.folders.insert(path)
            return FakeAnswer(.created, body: [0x0A])
        }
    }

    private func put(_ request: FakeRequest) -> FakeAnswer {
        let path = path(request.path)
        guard !isForbidden(path: path) else { return refusal(400) }
        return state.withLock { state in
            guard state.folders.contains(parent(path)) else { return refusal(409) }
            guard request.body.count <= options.space else { return refusal(507) }
            if parent(path).hasPrefix("/remote.php/dav/uploads/"), request.fields["Destination"] == nil {
                return refusal(400)
            }
            let isNew = state.files[path] == nil
            state.files[path] = File(
                content: request.body, mediaType: request.contentType ?? "", createdAt: now())
            return FakeAnswer(isNew ? .created : .ok, body: [0x0A])
        }
    }

    private func move(_ request: FakeRequest) -> FakeAnswer {
        let source = path(request.path)
        guard let destination = request.fields["Destination"], destination.hasPrefix("\(request.origin)/") else {
            return refusal(400)
        }
        let target = path(String(destination.dropFirst(request.origin.count)))
        guard !isForbidden(path: target) else { return refusal(400) }
        return state.withLock { state in
            var content = state.files[source]?.content
            // Nextcloud's pieces, in the order of their names.
            let folder = parent(source)
            if source.hasSuffix("/.file"), folder.hasPrefix("/remote.php/dav/uploads/"), state.folders.contains(folder)
            {
                content = state.files.filter { parent($0.key) == folder }.sorted { $0.key < $1.key }
                    .flatMap(\.value.content)
            }
            guard let content else { return refusal(404) }
            guard state.folders.contains(parent(target)) else { return refusal(409) }
            guard state.files[target] == nil || request.fields["Overwrite"] != "F" else { return refusal(412) }
            state.files[target] = File(
                content: content, mediaType: target.hasSuffix(".mp4") ? "video/mp4" : "image/jpeg", createdAt: now())
            state.files[source] = nil
            if source.hasSuffix("/.file") {
                state.files = state.files.filter { parent($0.key) != folder }
                state.folders.remove(folder)
            }
            return FakeAnswer(.created, body: [0x0A])
        }
    }

    private func delete(_ request: FakeRequest) -> FakeAnswer {
        let path = path(request.path)
        return state.withLock { state in
            guard state.files[path] != nil || state.folders.contains(path) else { return refusal(404) }
            state.files = state.files.filter { $0.key != path && !$0.key.hasPrefix("\(path)/") }
            state.folders = state.folders.filter { $0 != path && !$0.hasPrefix("\(path)/") }
            return FakeAnswer(.noContent)
        }
    }

    private func listLinks(_ request: FakeRequest) -> FakeAnswer {
        let name = FormFields(request.query)?["path"] ?? ""
        return state.withLock { state in
            let shares = state.links[root + name].map { link -> [JSONValue] in
                [["share_type": 3, "url": .string(link)]]
            }
            return .json(["ocs": ["data": JSONValue(shares ?? [])]])
        }
    }

    private func createLink(_ request: FakeRequest) -> FakeAnswer {
        let form = FormFields(request.body) ?? [:]
        guard request.fields["OCS-APIRequest"] == "true", form["shareType"] == "3" else { return refusal(400) }
        return state.withLock { state in
            let path = root + (form["path"] ?? "")
            guard state.files[path] != nil else { return refusal(404) }
            let link = "\(request.origin)/s/token\(state.links.count)"
            state.links[path] = link
            return .json(["ocs": ["meta": ["statuscode": 200], "data": ["url": .string(link)]]])
        }
    }
}

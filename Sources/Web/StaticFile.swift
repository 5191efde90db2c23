internal import HTTP
package import HTTPServer

/// A file of `Assets/`, embedded in the program. Its path holds a hash of its content, so it may be cached for ever.
struct StaticFile: Sendable {
    let path: String
    private let mediaType: String
    let bytes: [UInt8]

    private init(_ name: String, _ fileExtension: String, _ mediaType: String, _ bytes: [UInt8]) {
        self.bytes = bytes
        path = "/assets/\(name).\(ContentHash.of(bytes)).\(fileExtension)"
        self.mediaType = mediaType
    }

    /// Later files win over earlier ones.
    static let stylesheet = StaticFile(
        "pics", "css", "text/css; charset=utf-8",
        Array(
            [
                PackageResources.base_css, PackageResources.forms_css, PackageResources.caption_css,
                PackageResources.connections_css, PackageResources.gallery_css, PackageResources.status_css,
            ].joined(separator: "\n".utf8)))
    static let captionScript = script("caption", PackageResources.caption_js)
    static let statusScript = script("status", PackageResources.status_js)

    private static func script(_ name: String, _ bytes: [UInt8]) -> StaticFile {
        StaticFile(name, "js", "text/javascript; charset=utf-8", bytes)
    }

    /// A new file has to be in this list to be served.
    private static let all = [stylesheet, captionScript, statusScript]
    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The file that is served at a path.
    static func at(_ path: String) -> StaticFile? { byPath[path] }

    var response: HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                "Content-Type": mediaType, "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
            ], body: .bytes(bytes))
    }
}

extension PageHandlers {
    /// `GET /assets/{file}`: a file that comes with the program.
    package func asset(_ request: HTTPRequest) -> HTTPResponse {
        if let file = StaticFile.at(request.path) { return file.response }
        return problemPage(
            ProblemDetails(type: "/problems/not-found", status: .notFound, title: "No such thing here"),
            in: Language(request))
    }
}

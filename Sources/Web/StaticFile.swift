internal import HTTP
package import HTTPServer

/// A file that comes with the program. Its path holds a hash of its content, so it may be cached for ever.
struct StaticFile: Sendable {
    let path: String
    private let mediaType: String
    private let bytes: [UInt8]

    private init(_ name: String, _ fileExtension: String, _ mediaType: String, _ text: String) {
        bytes = Array(text.utf8)
        path = "/assets/\(name).\(ContentHash.of(bytes)).\(fileExtension)"
        self.mediaType = mediaType
    }

    static let stylesheet = StaticFile("pics", "css", "text/css; charset=utf-8", Stylesheet.text)
    static let captionScript = StaticFile("caption", "js", "text/javascript; charset=utf-8", Script.caption)

    static let statusScript = StaticFile("status", "js", "text/javascript; charset=utf-8", Script.status)

    /// A new file has to be in this list to be served.
    private static let all = [stylesheet, captionScript, statusScript]
    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The file that is served at a path.
    static func at(_ path: String) -> StaticFile? { byPath[path] }

    var response: Response {
        Response(
            .ok,
            fields: [
                "Content-Type": mediaType, "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
            ], body: .bytes(bytes))
    }
}

extension Web {
    /// `GET /assets/{file}`: a file that comes with the program.
    package func asset(_ request: Request) -> Response {
        if let file = StaticFile.at(request.path) { return file.response }
        return problemPage(
            ProblemDetails(type: "/problems/not-found", status: .notFound, title: "No such thing here"),
            in: Language(request))
    }
}

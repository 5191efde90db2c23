internal import HTTP
internal import HTTPServer

/// The files that make Pics an app of the browser: manifest, service worker, and what it shows when offline.
extension PageHandlers {
    /// `GET /manifest.webmanifest` (W3C Web Application Manifest).
    func manifest(_ request: HTTPRequest) -> HTTPResponse {
        let say = Language(request)
        let icons = AppIcon.all.map { icon -> JSONValue in
            [
                "src": .string(icon.file.path), "type": "image/png", "sizes": .string("\(icon.side)x\(icon.side)"),
                "purpose": .string(icon.isMaskable ? "maskable" : "any"),
            ]
        }
        let manifest: JSONValue = [
            "id": "/", "name": "Pics", "short_name": "Pics", "lang": .string(say.rawValue), "start_url": "/",
            "scope": "/", "display": "standalone", "background_color": "#fbfaf8", "theme_color": "#fbfaf8",
            "icons": JSONValue(icons),
            "shortcuts": [["name": .string(say(.newPhotoTitle)), "url": "/new"]],
            "share_target": [
                "action": "/share", "method": "POST", "enctype": "multipart/form-data",
                "params": [
                    "title": "title", "text": "text", "url": "url",
                    "files": [["name": "photo", "accept": ["image/*", "video/mp4", "video/quicktime", ".heic"]]],
                ],
            ],
        ]
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600",
                "Vary": "Accept-Language", "X-Content-Type-Options": "nosniff",
            ], body: .bytes(manifest.serialized))
    }

    /// `GET /worker.js`: the service worker. Browsers ask for it again and again: with any other shell it is another.
    func serviceWorker(_ request: HTTPRequest) -> HTTPResponse {
        let bytes = Self.workerScript
        return .representation(
            of: request,
            fields: [
                "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache",
                "X-Content-Type-Options": "nosniff",
            ], etag: EntityTag(ContentHash.of(bytes)), body: .bytes(bytes))
    }

    private static let workerScript: [UInt8] = {
        let paths = StaticFile.shell.map { JSONValue.string($0.path) }
        let shell = JSONValue(paths).serialized
        let page = Array(offlinePage(.english).html.markup.utf8)
        let version = ContentHash.of(shell + page + StaticFile.workerSource)
        let icon = JSONValue.string(StaticFile.icon192.path).serialized
        return Array("const version = \"pics-\(version)\";\nconst shell = ".utf8) + shell
            + Array(";\nconst icon = ".utf8) + icon + Array(";\n".utf8) + StaticFile.workerSource
    }()

    /// `GET /offline`: the page that the service worker shows where the server cannot be reached.
    func offlinePage(_ request: HTTPRequest) -> HTTPResponse {
        Self.offlinePage(Language(request)).response(cache: "no-cache")
    }

    /// It takes photos too, which wait on the device. It says nothing of anybody: who has signed in is not known.
    private static func offlinePage(_ say: Language) -> Page {
        Page(
            language: say, title: "\(say(.offline)) · Pics",
            head: "\(Page.app)\(PostForm.scripts)", showsChosenFiles: true,
            content: """
                <h1>\(say(.offline))</h1>
                <p>\(say(.offlineExplained)) <span data-known hidden>\(say.marked(.sentAsOwner))</span>\
                <span data-nobody hidden>\(say(.nobodyIsSignedIn))</span></p>
                <p><a class="button" href="">\(say(.retryLoading))</a></p>
                \(PostForm(key: "", say: say).html())
                """)
    }
}

/// A picture of Pics on the home screen of a phone.
struct AppIcon: Sendable {
    /// In pixels.
    let side: Int
    /// Whether the system cuts its edges to its own shape.
    let isMaskable: Bool
    let file: StaticFile

    static let all = [
        AppIcon(side: 192, isMaskable: false, file: .icon192), AppIcon(side: 512, isMaskable: false, file: .icon512),
        AppIcon(side: 512, isMaskable: true, file: .maskableIcon),
    ]
}

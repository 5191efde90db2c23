internal import Crypto
internal import HTTP
package import HTTPServer

/// A file of `Assets/`, embedded in the program. Its path holds a hash of its content, so it may be cached for ever.
struct StaticFile: Sendable {
    let path: String
    let bytes: [UInt8]
    let response: HTTPResponse

    private init(_ name: String, _ fileExtension: String, _ mediaType: String, _ bytes: [UInt8]) {
        self.bytes = bytes
        path = "/assets/\(name).\(ContentHash.of(bytes)).\(fileExtension)"
        response = HTTPResponse(
            .ok,
            fields: [
                "Content-Type": mediaType, "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
            ], body: .bytes(bytes)
        ).keepingGzip()
    }

    /// Of all pages.
    static let stylesheet = styles(
        "pics",
        [
            PackageResources.base_css, PackageResources.forms_css, PackageResources.caption_css,
            PackageResources.gallery_css, PackageResources.shots_css, PackageResources.profile_css,
        ])
    /// Besides, of pages on which people do something: of those who have signed in, of the outbox and of the status.
    static let appStylesheet = styles(
        "app",
        [
            PackageResources.connections_css, PackageResources.photos_css, PackageResources.picture_css,
            PackageResources.status_css,
        ])
    static let captionScript = script("caption", PackageResources.caption_js)
    static let outboxScript = script("outbox", PackageResources.outbox_js)
    static let newScript = script("new", PackageResources.new_js)
    static let photosScript = script("photos", PackageResources.photos_js)
    static let pictureScript = script("picture", PackageResources.picture_js)
    static let passkeysScript = script("passkeys", PackageResources.passkeys_js)
    static let pushScript = script("push", PackageResources.push_js)
    static let statusScript = script("status", PackageResources.status_js)
    static let textsScript = script("texts", PackageResources.texts_js)

    static let toolsScript = script("tools", PackageResources.tools_js)
    static let zoneScript = script("zone", PackageResources.zone_js)
    static let appScript = script("app", PackageResources.app_js)
    static let appleIcon = icon("icon-180", PackageResources.icon_180_png)
    static let icon192 = icon("icon-192", PackageResources.icon_192_png)
    static let icon512 = icon("icon-512", PackageResources.icon_512_png)
    static let maskableIcon = icon("icon-maskable-512", PackageResources.icon_maskable_512_png)

    /// The service worker, which is served at a path of its own, with the outbox before it.
    static let workerSource = PackageResources.outbox_js + PackageResources.worker_js

    /// Where there is no photo to welcome strangers with.
    static let welcomeDrawing = StaticFile("welcome", "svg", "image/svg+xml", PackageResources.welcome_svg)

    private static func icon(_ name: String, _ bytes: [UInt8]) -> StaticFile {
        StaticFile(name, "png", "image/png", bytes)
    }

    /// Later files win over earlier ones.
    private static func styles(_ name: String, _ files: [[UInt8]]) -> StaticFile {
        StaticFile(name, "css", "text/css; charset=utf-8", Array(files.joined(separator: "\n".utf8)))
    }

    private static func script(_ name: String, _ bytes: [UInt8]) -> StaticFile {
        StaticFile(name, "js", "text/javascript; charset=utf-8", bytes)
    }

    /// A new file has to be in this list to be served.
    private static let all = shell + [passkeysScript, appleIcon, icon192, icon512, maskableIcon, welcomeDrawing]
    /// Those that pages of people who have signed in need.
    static let shell = [
        stylesheet, appStylesheet, appScript, captionScript, newScript, outboxScript, photosScript, pictureScript,
        pushScript, statusScript, textsScript, toolsScript, zoneScript,
    ]
    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The file that is served at a path.
    static func at(_ path: String) -> StaticFile? { byPath[path] }
}

extension PageHandlers {
    /// `GET /assets/{file}`: a file that comes with the program.
    package func asset(_ request: HTTPRequest) -> HTTPResponse {
        if let file = StaticFile.at(request.path) { return file.response }
        return problemPage(
            ProblemDetails(type: "/problems/not-found", status: .notFound, title: "Not found"),
            in: Language(request))
    }
}

/// A short hash that names content: FNV-1a, 64 bits. It guards against stale caches, not against people.
enum ContentHash {
    static func of(_ bytes: [UInt8]) -> String { String(number(of: bytes), radix: 36) }

    static func number(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

/// The mark of Pics: a frame with hills and a sun in it.
enum Icon {
    private static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">\
        <rect width="64" height="64" rx="14" fill="#1f4f8f"/><circle cx="44" cy="21" r="7" fill="#ffd166"/>\
        <path d="M8 50 25 26 37 42 43 35 56 50Z" fill="#fff" stroke="#fff" stroke-width="4" stroke-linejoin="round"/></svg>
        """

    /// An address that holds the picture itself: it costs no request.
    static let address = "data:image/svg+xml;base64,\(Base64.encode(Array(svg.utf8)))"

    /// The same as a PNG of 32 pixels, for who asks for `/favicon.ico` as ever.
    static let png: [UInt8] = Base64.decode(pngText) ?? []

    private static let pngText = """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAABC1BMVEVHcEweT44eTo8fT48iUYsfTo4eT48eT48fT44eTo4ZTIwe\
        To4eTpAfT44fTo8kVZEfTY8eT44fT48fT44eTo8fT4//////0WboxGstV4whUJDa4u3K1uVFbaLPtW9gdYP3+PthdYMiUI6lnXYv\
        W5f4+vwjUY/p7vTU3elQdqhzkbm4x9uGoML8/P3i6PFjhLEuWIzT3OlPdaemnXf9/f46ZJ3F0eIjUpFGbaIqWJWrvdXv8/ecsc3M\
        1+ZpibRvjrc4Ypvg5/D3+ft+mr49Zp709vnz9vmDiX0qV5QpV5TpxWptjLaPp8exwti0xNohUI+lnXd/mr/O2ObOtG/P2ecoVpMn\
        VZOEiX3Ks3CaQSULAAAAFXRSTlMA8fD0FvPO8v5UFM9VgYIVUoTNg9BLQ74JAAAACXBIWXMAAAsTAAALEwEAmpwYAAABE0lEQVQ4\
        y52T13LCMBBFl2AwDqFHi6kJJY2WQjqQDumBNML/fwmSDOOACjOcB1nyHsvSzF4AACMW9BIBrz9hAGfNJApMi9cDREmAGoZJNHgi\
        ECNawrCuF/zg0wsmSF4eNF/sUmqykAjb+SQlX1QKhSRnQyn8OcLjEju8dq/Zoz9i9W/xDA893MyxSapk2wPxFmcdRMw8z//QFd6Q\
        8a4U9upcwAqdlz/LgnBx69TZMYZf+PM7L1zilMzTBx2r6VnhCl0afGzPCDctFLj/J6RPxToe77tCDWXcHU2F8y2pgDsnE2EXFRwy\
        gTZ1ViVkaVtDcFHTJvRCaEFwVlYBLF30oiyclkf5fdSJdyQcl8THFw/R/WEM66ZZ7TV+WVsAAAAASUVORK5CYII=
        """
}

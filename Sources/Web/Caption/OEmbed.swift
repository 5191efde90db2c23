internal import Domain
internal import HTTP
package import HTTPServer
internal import Store

extension PageHandlers {
    /// `GET /oembed?url=…`: what another site needs to show a photo (oEmbed 1.0).
    ///
    /// - Returns: 200; 404 for an address that is no photo everybody may see, 501 for another format.
    package func oEmbed(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.query
        let format = query["format"] ?? "json"
        guard ["json", "xml"].contains(format) else { return Self.plain(.notImplemented, "There is json and xml.") }
        guard let code = code(of: query["url"] ?? "") else { return Self.plain(.notFound, "That is no photo of ours.") }
        let view: PhotoView
        do {
            view = try await store.photo(code: code)
        } catch {
            switch error {
            // A private photo is not there for viewers who may not see it.
            case .notFound, .gone: return Self.plain(.notFound, "That is no photo of ours.")
            default: throw error
            }
        }
        func bound(_ name: String) -> Int { query[name].flatMap { Int($0) }.map { max(0, $0) } ?? .max }
        let embedding = OEmbedPhoto(
            view: view, addresses: addresses, language: Language(request), maxWidth: bound("maxwidth"),
            maxHeight: bound("maxheight"))
        var fields: HTTPFields = [
            "Cache-Control": "public, max-age=300", "Vary": "Accept-Language", "Access-Control-Allow-Origin": "*",
            "X-Content-Type-Options": "nosniff",
        ]
        if format == "xml" {
            fields.add("Content-Type", "text/xml; charset=utf-8")
            return HTTPResponse(.ok, fields: fields, body: .bytes(Array(embedding.xml.utf8)))
        }
        return .json(.object(embedding.object), fields: fields)
    }

    /// The code in the address of one of our pages, whatever its query says.
    func code(of address: String) -> ShortCode? { addresses.code(at: address.prefix { $0 != "?" && $0 != "#" }) }

    private static func plain(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        .text(text + "\n", status: status, fields: ["Cache-Control": "no-store"])
    }
}

/// One photo as oEmbed describes it.
struct OEmbedPhoto {
    let view: PhotoView
    let addresses: Addresses
    let language: Language
    let maxWidth: Int
    let maxHeight: Int

    private var photo: Photo { view.photo }

    var object: JSONObject {
        let document = CaptionDocument(
            shown: CaptionPageView(view: view, posts: [], context: CaptionPageContext(timeZone: "UTC")),
            language: language, isLiked: false, addresses: addresses, serviceName: { $0 })
        var object: JSONObject = [
            "type": "link", "version": "1.0", "title": .string(document.title), "author_name": .string(view.author),
            "provider_name": "Pics", "provider_url": .string("\(addresses.base)/"), "cache_age": 300,
        ]
        if let picture = largest([.large, .medium, .small]) {
            if let path = PublicVideo.path(of: photo) {
                let html: HTML = """
                    <video controls preload="metadata" src="\(addresses.mediaBase(of: photo))\(path)" poster="\(picture.url)" \
                    width="\(picture.width)" height="\(picture.height)"></video>
                    """
                object["type"] = "video"
                object["html"] = .string(html.markup)
            } else {
                object["type"] = "photo"
                object["url"] = .string(picture.url)
            }
            object["width"] = .int(Int64(picture.width))
            object["height"] = .int(Int64(picture.height))
        }
        if let thumbnail = largest([.thumb]) {
            object["thumbnail_url"] = .string(thumbnail.url)
            object["thumbnail_width"] = .int(Int64(thumbnail.width))
            object["thumbnail_height"] = .int(Int64(thumbnail.height))
        }
        return object
    }

    /// The first of these that is not larger than the site has room for.
    private func largest(_ renditions: [PublicRendition]) -> (url: String, width: Int, height: Int)? {
        guard let (width, height) = photo.previewSize else { return nil }
        for rendition in renditions {
            let size = rendition.size(ofWidth: width, height: height, recipe: photo.recipe)
            guard size.width <= maxWidth, size.height <= maxHeight else { continue }
            let path = rendition.path(code: photo.code, recipe: photo.recipe)
            return ("\(addresses.mediaBase(of: photo))\(path)", size.width, size.height)
        }
        return nil
    }

    /// The same members as elements.
    var xml: String {
        let elements = object.map { member -> HTML in
            let text = member.value.string ?? member.value.int.map(String.init) ?? ""
            let name = HTML.text(member.name)
            return "<\(name)>\(text)</\(name)>\n"
        }
        let document: HTML = """
            <?xml version="1.0" encoding="utf-8" standalone="yes"?>
            <oembed>
            \(HTML.join(elements))</oembed>

            """
        return document.markup
    }
}

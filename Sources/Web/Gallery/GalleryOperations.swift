internal import HTTP
internal import HTTPServer

/// What `/openapi.json` says of galleries, and the operations of their settings.
extension Operation {
    static func gallery(_ id: String, _ summary: String) -> Operation {
        Operation(id, summary, tags: ["gallery"], responses: [Response(.ok, "A page.", .binary("text/html"))])
    }

    static func feed(_ format: FeedFormat) -> Operation {
        Operation(
            "\(format.rawValue)Feed", "The newest photos of a gallery, as \(format.name).", tags: ["gallery"],
            responses: [Response(.ok, "The feed.", .binary(format.mediaType))])
    }

    static let gallerySettings = Operation(
        "gallerySettings", "Whether one's gallery is open.", tags: ["people"],
        responses: [Response(.ok, "A page.", Content(["text/html": [:]]))])
    static let setGallery = Operation(
        "setGallery", "Opens or closes one's gallery.", tags: ["people"],
        body: Content(["application/x-www-form-urlencoded": [:]]),
        responses: [Response(.seeOther, "It was done; the next page.", fields: ["Location": "The next page."])])
}

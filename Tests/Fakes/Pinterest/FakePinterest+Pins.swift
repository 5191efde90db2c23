internal import Crypto
internal import Foundation
internal import HTTP
internal import System

/// Pins, and the videos that they show.
extension FakePinterest {
    // MARK: Making a pin

    func createPin(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard !options.isTrial else {
            return error(
                403, 29,
                "Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead."
            )
        }
        guard let json = request.json, let board = json["board_id"]?.string else {
            return error(400, 1, "Invalid request: 'board_id' is a required property")
        }
        guard board.wholeMatch(of: /\d+/) != nil else {
            return error(400, 1, "Invalid request: '\(board)' does not match '^\\d+$'")
        }
        if let problem = Self.problem(json) { return error(400, 1, problem) }
        let now = now()
        return state.withLock { state in
            guard state.boards.contains(where: { $0.id == board }) else { return error(404, 40, "Board not found.") }
            guard let media = media(json["media_source"], json["alt_text"]?.string ?? "", state) else {
                return error(400, 1, "Invalid request: the media source cannot be used")
            }
            let id = state.nextID()
            let pin = Pin(
                post: PublishedPost(
                    id: id, url: Self.url(id), text: json["description"]?.string ?? "", media: media, createdAt: now),
                board: board, title: json["title"]?.string ?? "",
                link: options.dropsLinks ? nil : json["link"]?.string, visibleAt: now + options.listDelay)
            state.pins.append(pin)
            return .json(Self.entity(pin, withMetrics: false), .created)
        }
    }

    /// What the words of a pin have against the specification; nil: nothing.
    private static func problem(_ json: JSONValue) -> String? {
        for (name, limit) in [("title", 100), ("description", 800), ("alt_text", 500), ("link", 2048)] {
            guard let value = json[name], !value.isNull else { continue }
            guard let text = value.string else { return "Invalid request: \(name) is not of type 'string'" }
            guard text.unicodeScalars.count <= limit else { return "Invalid request: \(name) is too long" }
        }
        if let link = json["link"]?.string, link.wholeMatch(of: /https?:\/\/[^\s]+/) == nil {
            return "Invalid request: the link is no URL"
        }
        return nil
    }

    /// What a pin shows; nil when it cannot.
    private func media(_ source: JSONValue?, _ altText: String, _ state: State) -> [PublishedMedia]? {
        switch source?["source_type"]?.string {
        case "image_base64":
            return source.flatMap { Self.picture($0, altText) }.map { [$0] }
        case "multiple_image_base64":
            guard let items = source?["items"]?.array, 2...5 ~= items.count else { return nil }
            let pictures = items.enumerated().compactMap { Self.picture($1, $0 == 0 ? altText : "") }
            return pictures.count == items.count ? pictures : nil
        case "video_id":
            // "cover_image_url or cover_image_content_type …" is required.
            let hasCover =
                source?["cover_image_url"]?.string != nil || source?["cover_image_data"]?.string != nil
                || source?["cover_image_key_frame_time"]?.int.map { $0 >= 0 } == true
            guard hasCover, let id = source?["media_id"]?.string, let media = state.media[id],
                status(of: media) == "succeeded", let file = media.file
            else { return nil }
            return [Self.published(file.bytes, file.mediaType, altText)]
        default: return nil
        }
    }

    private static func picture(_ json: JSONValue, _ altText: String) -> PublishedMedia? {
        guard let type = json["content_type"]?.string, ["image/jpeg", "image/png"].contains(type),
            let text = json["data"]?.string, text.utf8.count <= 27_000_000,
            text.utf8.allSatisfy({
                "+/=".utf8.contains($0) || Character(UnicodeScalar($0)).isLetter || 0x30...0x39 ~= $0
            }),
            let bytes = Base64.decode(text), !bytes.isEmpty
        else { return nil }
        return published(bytes, type, altText)
    }

    private static func published(_ bytes: [UInt8], _ type: String, _ altText: String) -> PublishedMedia {
        PublishedMedia(
            sha256: SHA256Digest(of: bytes).hex, bytes: bytes.count, mediaType: type, altText: altText)
    }

    // MARK: Pins that are there

    /// The newest first.
    func listPins(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let pins: [Pin]? = state.withLock { state in
            guard state.boards.contains(where: { $0.id == parameters["board"] }) else { return nil }
            return state.pins.filter { $0.board == parameters["board"] && $0.visibleAt <= now() }.reversed()
        }
        guard let pins else { return error(404, 404, "Board not found.") }
        return page(request, pins.map { Self.entity($0, withMetrics: false) })
    }

    func showPin(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let pin = state.withLock({ $0.pins.first { $0.post.id == parameters["pin"] } }) else {
            return error(404, 50, "Pin not found.")
        }
        return .json(Self.entity(pin, withMetrics: FormFields(request.query)?["pin_metrics"] == "true"))
    }

    func changePin(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard options.letsEdit else { return refusal(403) }
        guard let json = request.json, Self.problem(json) == nil else { return error(400, 1, "Invalid request") }
        return state.withLock { state in
            guard let index = state.pins.firstIndex(where: { $0.post.id == parameters["pin"] }) else {
                return error(404, 50, "Pin not found.")
            }
            let post = state.pins[index].post
            let altText = json["alt_text"]?.string
            let media = post.media.enumerated().map { place, media in
                PublishedMedia(
                    sha256: media.sha256, bytes: media.bytes, mediaType: media.mediaType,
                    altText: place == 0 ? altText ?? media.altText : media.altText)
            }
            state.pins[index].post = PublishedPost(
                id: post.id, url: post.url, text: json["description"]?.string ?? post.text, media: media,
                createdAt: post.createdAt)
            if let title = json["title"]?.string { state.pins[index].title = title }
            return .json(Self.entity(state.pins[index], withMetrics: false))
        }
    }

    func deletePin(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let index = state.pins.firstIndex(where: { $0.post.id == parameters["pin"] }) else {
                return error(404, 50, "Pin not found.")
            }
            state.pins.remove(at: index)
            return FakeAnswer(.noContent)
        }
    }

    /// A time without a zone, as live answers have it (pinterest/api-quickstart issue 78).
    private static func entity(_ pin: Pin, withMetrics: Bool) -> JSONValue {
        var json: JSONObject = [
            "id": .string(pin.post.id), "board_id": .string(pin.board), "board_section_id": .null,
            "board_owner": ["username": .string(user.name)], "title": .string(pin.title),
            "description": .string(pin.post.text), "link": JSONValue(pin.link),
            "alt_text": JSONValue(pin.post.media.first?.altText), "creative_type": "REGULAR",
            "created_at": .string(String(pin.post.createdAt.formatted(.iso8601).dropLast())),
        ]
        if withMetrics {
            json["pin_metrics"] = [
                "90d": ["pin_click": 7, "impression": 2, "clickthrough": 3],
                "lifetime_metrics": [
                    "pin_click": 7, "impression": 2, "clickthrough": 3, "reaction": 10, "comment": 2, "save": 4,
                ],
            ]
        }
        return .object(json)
    }

    // MARK: Videos

    func registerMedia(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard request.json?["media_type"]?.string == "video" else {
            return error(400, 1, "Invalid request: 'media_type' has to be 'video'")
        }
        return state.withLock { state in
            let id = state.nextID()
            let key = "uploads/11/aa/22/3:video:\(id)"
            state.media[id] = Media(key: key)
            var fields = Self.fields
            fields["key"] = .string(key)
            return .json(
                [
                    "media_id": .string(id), "media_type": "video",
                    "upload_url": .string("\(request.origin)/pinterest-media-upload"),
                    "upload_parameters": .object(fields),
                ], .created)
        }
    }

    /// As the specification's example has them, besides the key.
    private static let fields: JSONObject = [
        "Content-Type": "multipart/form-data", "policy": "eyJleHBpcmF0aW9uIjoiMj..==",
        "x-amz-algorithm": "AWS4-HMAC-SHA256",
        "x-amz-credential": "ASIA6QZJ64OPIKV7FRVX/20220127/us-east-1/s3/aws4_request",
        "x-amz-date": "20220127T185143Z", "x-amz-security-token": "IQoJb3JpZ2luX2VjEJr...==",
        "x-amz-signature": "fcd6309a6aaee213348666a72abed8b44552a43acb6b340e8e1b288d21a5fe92",
    ]

    /// Amazon S3, "POST Object": the file is the last field, and `Authorization` is another way to sign.
    func storeMedia(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard request.fields["Authorization"] == nil, let form = request.form, let file = form["file"],
            file.filename != nil
        else { return store(400, "InvalidArgument") }
        let names = String(decoding: request.body, as: UTF8.self).matches(
            of: /Content-Disposition: form-data; name="([^"]+)"/
        )
        .map { String($0.1) }
        guard names.last == "file", Self.fields.allSatisfy({ form[$0.name]?.text == $0.value.string }) else {
            return store(403, "AccessDenied")
        }
        return state.withLock { state in
            guard let id = state.media.first(where: { $0.value.key == form["key"]?.text })?.key else {
                return store(403, "AccessDenied")
            }
            state.media[id]?.file = (file.bytes, file.mediaType ?? "")
            state.media[id]?.storedAt = now()
            return FakeAnswer(.noContent)
        }
    }

    func showMedia(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let id = parameters["media"]
        guard let media = state.withLock({ $0.media[id] }) else { return error(404, 404, "Media not found.") }
        return .json(["media_id": .string(id), "media_type": "video", "status": .string(status(of: media))])
    }

    private func status(of media: Media) -> String {
        guard let storedAt = media.storedAt else { return "registered" }
        guard now() >= storedAt + options.processing else { return "processing" }
        return options.failsVideos ? "failed" : "succeeded"
    }
}

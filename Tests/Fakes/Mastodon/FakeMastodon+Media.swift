internal import Crypto
internal import Foundation
internal import HTTP
internal import System

extension FakeMastodon {
    /// `POST /api/v2/media`, or version 1, which waits until the file is processed.
    func upload(_ request: FakeRequest, waits: Bool) -> FakeAnswer {
        guard let form = request.form, let file = form["file"], file.filename != nil, let type = file.mediaType else {
            return invalid("Validation failed: File can't be blank")
        }
        guard Self.types.contains(type) else { return refusal(422) }
        let isVideo = type.hasPrefix("video/")
        guard file.bytes.count <= (isVideo ? options.videoSizeLimit : options.imageSizeLimit) else {
            return options.software == .mastodon ? refusal(422) : refusal(413)
        }
        let description = form["description"]?.text ?? ""
        guard description.unicodeScalars.count <= options.descriptionLimit else {
            return invalid("Validation failed: Description is too long")
        }
        let standard = isVideo && options.software == .mastodon ? 2 : 0
        let looks = waits ? 0 : options.processingLooks ?? standard
        return state.withLock { state in
            let media = Media(
                id: state.nextID(),
                published: PublishedMedia(
                    sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: type,
                    altText: description),
                uploadedAt: now(), looksLeft: looks)
            state.media[media.id] = media
            let isAccepted = looks > 0 || options.software == .pixelfed && !waits
            return response(media, status: isAccepted ? .accepted : .ok)
        }
    }

    /// `GET /api/v1/media/ID`.
    func mediaState(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        state.withLock { state in
            guard let media = state.media[parameters["id"]], !isExpired(media),
                media.status == nil || options.software == .gotosocial || options.software == .akkoma
            else { return refusal(404) }
            if options.failsProcessing { return invalid("Validation failed: File could not be processed") }
            guard media.looksLeft > 0 else { return response(media, status: .ok) }
            state.media[media.id]?.looksLeft -= 1
            return response(media, status: .partialContent)
        }
    }

    func isExpired(_ media: Media) -> Bool {
        media.status == nil && now() > media.uploadedAt + Self.unattachedLife
    }

    /// A validation that failed, with the status that the software gives it.
    func invalid(_ words: String) -> FakeAnswer {
        .json(["error": .string(words)], options.software == .gotosocial ? 400 : 422)
    }

    private func response(_ media: Media, status: HTTPStatus) -> FakeAnswer {
        .json(attachment(media, isReady: status == .ok), status)
    }

    /// The entity `MediaAttachment`.
    func attachment(_ media: Media, isReady: Bool = true) -> JSONValue {
        [
            "id": .string(media.id), "type": media.isVideo ? "video" : "image",
            "url": isReady ? .string("https://files.example/\(media.id)") : .null,
            "description": .string(media.published.altText),
        ]
    }
}

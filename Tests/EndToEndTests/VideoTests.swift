import Curl
import Foundation
import HTTP
import TestPics
import Testing

/// A video from the phone to the browser.
struct VideoTests {
    @Test(.timeLimit(.minutes(10)), arguments: [("video.mp4", "video/mp4"), ("video.mov", "video/quicktime")])
    func `a video is stored with its facts, shown with a poster, and played in parts without its position`(
        name: String, mediaType: String
    ) async throws {
        try await withPics { pics in
            let film = try await Film.make(name, in: pics.folder)

            let response = try await pics.post(
                film, caption: "A film", ["alt_text": "Bars \"moving\"", "services": "none"])

            let photo = try JSONValue(parsing: response.body)
            #expect(response.status == .created)
            #expect(photo["kind"]?.string == "video" && photo["media_type"]?.string == mediaType)
            #expect(photo["width"]?.int == 180 && photo["height"]?.int == 320)
            #expect(abs((photo["duration"]?.double ?? 0) - 2) < 0.1)
            #expect(photo["taken_at"]?.string == "2026-11-20T09:11:12.000Z")
            #expect(abs((photo["location"]?["latitude"]?.double ?? 0) - 59.3293) < 1e-4)
            let video = try #require(photo["video"])
            #expect(video["rotation"]?.int == 90 && video["frame_rate"]?.double == 25)
            #expect(video["picture_format"]?.string == "avc1" && video["sound_format"]?.string == "mp4a")
            #expect(video["plays_from_start"]?.bool == false)
            let code = try #require(photo["code"]?.string)
            #expect(video["url"]?.string == "\(pics.base)/m/\(code)/\(name)")

            try await expectPosters(pics, photo["renditions"]?.array ?? [])
            try await expectVideo(pics, "/m/\(code)/\(name)", mediaType, film)
            try await expectPage(pics, code: code, name: name)

            let other = name == "video.mp4" ? "video.mov" : "video.mp4"
            #expect(try await pics.send(.get, "/m/\(code)/\(other)", isAnonymous: true).status == .notFound)
            let id = try #require(photo["id"]?.string)
            #expect(try await pics.send(.delete, "/v1/photos/\(id)").status == .noContent)
            #expect(try await pics.send(.get, "/m/\(code)/\(name)", isAnonymous: true).status.code == 410)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a video that is cut off is refused, and one that nobody can decode has no poster`() async throws {
        try await withPics { pics in
            let film = try await Film.make("video.mp4", in: pics.folder)
            let start = try #require(film.firstRange(of: Array("mdat".utf8))).upperBound
            let end = try #require(film.firstRange(of: Array("moov".utf8))).lowerBound - 4
            var noise = film
            for place in start..<end { noise[place] = UInt8(truncatingIfNeeded: place &* 167) }

            let half = try await pics.post(Array(film.prefix(film.count / 2)), caption: "", ["services": "none"])
            let noisy = try await pics.post(noise, caption: "", ["services": "none"])

            #expect(half.status.code == 422)
            #expect(noisy.status == .created)
            let code = try #require(try JSONValue(parsing: noisy.body)["code"]?.string)
            #expect(try await pics.send(.get, "/m/\(code)/small.jpg", isAnonymous: true).status.code == 422)
            #expect(try await pics.send(.get, "/readyz", isAnonymous: true).status == .ok)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a photo has no video, and a private video is shown to nobody`() async throws {
        try await withPics { pics in
            let photo = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(), caption: "", ["services": "none"]).body)
            let film = try await Film.make("video.mp4", in: pics.folder)
            let secret = try JSONValue(
                parsing: try await pics.post(film, caption: "", ["services": "none", "visibility": "private"]).body)

            #expect(photo["video"] == nil && photo["duration"]?.isNull == true)
            for code in [photo["code"]?.string, secret["code"]?.string].compactMap({ $0 }) {
                let response = try await pics.send(.get, "/m/\(code)/video.mp4", isAnonymous: true)
                #expect(response.status == .notFound)
            }
        }
    }

    private func expectPosters(_ pics: Pics, _ renditions: [JSONValue]) async throws {
        let pictures = renditions.filter { $0["media_type"] == "image/jpeg" }
        #expect(pictures.compactMap { $0["name"]?.string } == ["thumb", "small", "medium", "large"])
        for rendition in pictures {
            let poster = try await pics.send(.get, try #require(rendition["url"]?.string), isAnonymous: true)
            #expect(poster.status == .ok && poster.fields["Content-Type"] == "image/jpeg")
            #expect(poster.body.starts(with: [0xFF, 0xD8, 0xFF]))
        }
    }

    private func expectVideo(_ pics: Pics, _ path: String, _ mediaType: String, _ original: [UInt8]) async throws {
        let whole = try await pics.send(.get, path, isAnonymous: true)
        #expect(whole.status == .ok)
        #expect(whole.fields["Content-Type"] == mediaType)
        #expect(whole.fields["Accept-Ranges"] == "bytes")
        #expect(whole.body != original)
        #expect(whole.body.firstRange(of: Array("+59.3293".utf8)) == nil)
        let tables = try #require(whole.body.firstRange(of: Array("moov".utf8))).lowerBound
        #expect(tables < (try #require(whole.body.firstRange(of: Array("mdat".utf8))).lowerBound))
        try await Film.play(whole.body, in: pics.folder)

        let tag = try #require(whole.fields["ETag"])
        let part = try await pics.send(.get, path, fields: ["Range": "bytes=100-299"])
        #expect(part.status.code == 206)
        #expect(part.body == Array(whole.body[100..<300]))
        #expect(part.fields["Content-Range"] == "bytes 100-299/\(whole.body.count)")
        let same = try await pics.send(.get, path, fields: ["If-None-Match": tag])
        #expect(same.status == .notModified)
        let changed = try await pics.send(.get, path, fields: ["Range": "bytes=0-9", "If-Range": "\"other\""])
        #expect(changed.status == .ok)
        let beyond = try await pics.send(.get, path, fields: ["Range": "bytes=99999999-"])
        #expect(beyond.status.code == 416)
    }

    private func expectPage(_ pics: Pics, code: String, name: String) async throws {
        let page = try await pics.send(.get, "/\(code)", accept: "text/html", isAnonymous: true)
        let text = String(decoding: page.body, as: UTF8.self)
        let player =
            "<video class=\"u-video\" controls preload=\"metadata\" playsinline src=\"/m/\(code)/\(name)\" "
            + "poster=\"/m/\(code)/medium.jpg\" width=\"180\" height=\"320\" aria-label=\"Bars &quot;moving&quot;\">"
        #expect(text.contains(player))
        #expect(text.contains("<meta property=\"og:video\" content=\"\(pics.base)/m/\(code)/\(name)\">"))
        #expect(text.contains("<meta property=\"og:image\" content=\"\(pics.base)/m/\(code)/medium.jpg\">"))
    }
}

extension Pics {
    /// Asks as somebody who has no token, with fields of one's own.
    fileprivate func send(_ method: HTTPMethod, _ path: String, fields: HTTPFields) async throws -> IncomingResponse {
        try await send(
            OutgoingRequest(method: method, url: base + path, fields: fields, body: .none, addressPolicy: .any))
    }
}

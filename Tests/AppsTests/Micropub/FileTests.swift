import Foundation
import HTTP
import MediaSamples
import TestPics
import Testing

/// `POST /micropub/media` and `GET /files/{id}`.
@Suite(.timeLimit(.minutes(5)))
struct FileTests {
    private static let samples = [
        "image/jpeg": CameraPhoto.jpeg(), "image/png": PixelGrid.flag.png(), "image/gif": Samples.animatedGIF,
    ]

    @Test(arguments: samples.keys)
    func `an uploaded file is shown under its address in its own type`(type: String) async throws {
        let bytes = try #require(Self.samples[type])
        try await withInProcessPics { pics in
            let token = try await pics.appToken("media")
            let answer = try await pics.app("/micropub/media", files: ["file": bytes], token: token)
            #expect(answer.status == .created)
            let place = try #require(answer.fields["Location"])
            #expect(place.hasPrefix("\(pics.base)/files/"))
            let file = try await pics.app(.get, place)
            #expect(file.status == .ok && file.fields["Content-Type"] == type)
            #expect(file.fields["Cache-Control"]?.hasPrefix("private") == true)
            #expect(file.fields["Content-Security-Policy"] == "default-src 'none'; sandbox")
        }
    }

    @Test func `the picture under the address has no position, no names and no serial number`() async throws {
        try await withInProcessPics { pics in
            let place = try await pics.upload(CameraPhoto.jpeg())
            let file = try await pics.app(.get, place)
            let text = String(decoding: file.body, as: Unicode.ASCII.self)
            #expect(file.body.starts(with: [0xFF, 0xD8]))
            for secret in ["Jane Doe", "1234567"] { #expect(!text.contains(secret), "\(secret)") }
            let original = try await pics.post(CameraPhoto.jpeg(), caption: "", ["services": "none"])
            #expect(original.value["location"]?.object != nil)
            let shown = try await pics.post(file.body, caption: "", ["services": "none"])
            #expect(shown.status == .created && shown.value["location"] == .null)
        }
    }

    @Test func `a full storage is refused with a clear word`() async throws {
        try await withInProcessPics { pics in
            let photo = try await pics.upload(CameraPhoto.jpeg())
            try await pics.change("UPDATE users SET storage_quota = 1")
            let answer = try await pics.entry(["photo": [.string(photo)]], try await pics.appToken("create"))
            #expect(answer.status == .contentTooLarge && answer.value["error"] == "invalid_request")
            let words = answer.value["error_description"]?.string ?? ""
            #expect(words.hasPrefix("Not enough storage left. Delete photos"), "\(words)")
        }
    }

    @Test func `a picture in HEIC is shown as a JPEG, and of a video nothing is shown`() async throws {
        try await withInProcessPics { pics in
            let heic = try await pics.app(.get, try await pics.upload(Samples.heic))
            #expect(heic.status == .ok && heic.fields["Content-Type"] == "image/jpeg")
            #expect(heic.body.starts(with: [0xFF, 0xD8]))
            let video = Samples.mp4(width: 64, height: 48, matrix: [1, 0, 0, 1], milliseconds: 100, created: 0)
            #expect(try await pics.app(.get, try await pics.upload(video)).status == .notFound)
        }
    }

    @Test func `a client that has the picture is told so without work`() async throws {
        try await withInProcessPics(settings: ["PICS_PICTURE_RATE": "1"]) { pics in
            let place = try await pics.upload(CameraPhoto.jpeg())
            let tag = try #require(try await pics.app(.get, place).fields["ETag"])
            #expect(try await pics.app(.get, place, ["If-None-Match": tag]).status == .notModified)
            #expect(try await pics.app(.get, place).status == .tooManyRequests)
        }
    }

    @Test func `once the file is a photo, its address leads to the public picture, and nowhere for a private one`()
        async throws
    {
        try await withInProcessPics { pics in
            for (visibility, status) in [("public", HTTPStatus.seeOther), ("private", .notFound)] {
                let place = try await pics.upload(CameraPhoto.jpeg(visibility.count))
                let id = try #require(place.split(separator: "/").last.map { String($0) })
                let photo = try await pics.ask(
                    .post, "/v1/photos",
                    json: ["upload": .string(id), "visibility": .string(visibility), "services": []])
                let code = try #require(photo.value["code"]?.string)
                let answer = try await pics.app(.get, place)
                #expect(answer.status == status)
                #expect(
                    answer.fields["Location"] == (status == .seeOther ? "\(pics.base)/m/\(code)/large.jpg" : nil))
            }
        }
    }

    @Test func `what is no picture, nothing, or more than one file is refused, and nothing of it is kept`() async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("media")
            let refused: [(KeyValuePairs<String, [UInt8]>, Int)] = [
                (["file": Array("%PDF-1.7".utf8)], 415), (["file": Array("<svg/>".utf8)], 415),
                (["file": []], 400), ([:], 400), (["other": CameraPhoto.jpeg()], 400),
                (["file": CameraPhoto.jpeg(), "file": CameraPhoto.jpeg(1)], 400),
                (["file": Array(CameraPhoto.jpeg().prefix(600))], 422),
            ]
            for (files, status) in refused {
                let answer = try await pics.app("/micropub/media", files: files, token: token)
                #expect(answer.status.code == status)
                #expect(answer.value["error"] == "invalid_request")
            }
            #expect(try await pics.json("/v1/uploads")["items"] == [])
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(pics.folder)/data/blobs/uploads")
            #expect(left.isEmpty)
        }
    }

    @Test func `a part without a file name and a type is a file by its name, and its type is that of its content`()
        async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("create")
            let body =
                Array("----b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n".utf8) + CameraPhoto.jpeg()
                + Array("\r\n----b--\r\n".utf8)
            let answer = try await pics.app(
                .post, "/micropub/media", ["Content-Type": "multipart/form-data; boundary=--b"], body: .bytes(body),
                token: token)
            #expect(answer.status == .created)
            #expect(try await pics.json("/v1/uploads")["items"]?[0]?["media_type"] == "image/jpeg")
        }
    }

    @Test func `files and posts count as uploads of their user, and a file that is too large is refused`() async throws
    {
        try await withInProcessPics(settings: ["PICS_UPLOAD_RATE": "2", "PICS_UPLOAD_LIMIT": "4KiB"]) { pics in
            let token = try await pics.appToken("create")
            let large = CameraPhoto.jpeg() + [UInt8](repeating: 0, count: 8192)
            let refused = try await pics.app("/micropub/media", files: ["file": large], token: token)
            #expect(refused.status == .contentTooLarge)
            let place = try await pics.upload(CameraPhoto.jpeg())
            let post = try await pics.entry(["photo": [.string(place)]], token)
            #expect(post.status == .tooManyRequests && post.fields.contains("Retry-After"))
            #expect(try await pics.json("/v1/uploads")["items"]?.array?.count == 1)
        }
    }

    @Test func `a file that nobody has uploaded is not there`() async throws {
        try await withInProcessPics { pics in
            for name in ["0199aaaa-0000-7000-8000-000000000000", "x"] {
                let answer = try await pics.app(.get, "/files/\(name)")
                #expect(answer.status == .notFound)
            }
        }
    }
}

extension InProcessPics {
    /// Uploads a file as an app does; its address.
    func upload(_ bytes: [UInt8], of name: String = "admin") async throws -> String {
        let answer = try await app(
            "/micropub/media", files: ["file": bytes], token: try await appToken("media", of: name))
        return try #require(answer.fields["Location"])
    }
}

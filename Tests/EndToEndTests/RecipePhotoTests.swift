import Curl
import Foundation
import HTTP
import TestPics
import Testing

/// Photos that are shown by a recipe, and photos made of photos, over HTTP.
struct RecipePhotoTests {
    private static let crop = #"{"crop":{"x":0,"y":0,"width":0.5,"height":0.5},"filter":"greyscale"}"#

    @Test(.timeLimit(.minutes(10)))
    func `a photo's pictures are shown by its recipe, and at once by the next one`() async throws {
        try await withPics { pics in
            let response = try await pics.post(CameraPhoto.jpeg(), caption: "Edited", ["recipe": Self.crop])
            var photo = try JSONValue(parsing: response.body)
            let id = try #require(photo["id"]?.string)

            #expect(response.status == .created)
            #expect(photo["recipe"]?["filter"]?["name"]?.string == "greyscale")
            #expect(photo["width"]?.int == 48 && photo["height"]?.int == 64)
            let first = try await size(of: "small", in: photo, pics)
            #expect(first.width == 24 && first.height == 32)
            #expect(try await size(of: "thumb", in: photo, pics) == Size(width: 24, height: 24))

            photo = try await patch(pics, id, #"{"recipe":{"crop":null,"rotate":90}}"#)

            #expect(photo["recipe"]?["crop"] == nil)
            #expect(photo["recipe"]?["filter"]?["name"]?.string == "greyscale")
            let second = try await size(of: "small", in: photo, pics)
            #expect(second.width == 64 && second.height == 48)
            #expect(second.url != first.url)
            let page = String(
                decoding: try await pics.send(.get, "/\(photo["code"]?.string ?? "")", accept: "text/html").body,
                as: UTF8.self)
            #expect(page.contains(second.url.replacing(pics.base, with: "")))

            photo = try await patch(pics, id, #"{"recipe":null}"#)

            #expect(photo["recipe"]?.isNull == true)
            #expect(try await size(of: "small", in: photo, pics) == Size(width: 48, height: 64))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a wrong recipe is refused with a pointer, and a preview keeps nothing`() async throws {
        try await withPics { pics in
            for (recipe, pointer) in [
                (#"{"saturation":3}"#, "#/recipe/saturation"), (#"{"crop":{"x":0.5,"width":0.6}}"#, "#/recipe/crop"),
                (#"{"filter":{"name":"sepia","size":1}}"#, "#/recipe/filter/size"), (#"{"blur":1}"#, "#/recipe/blur"),
                (#"{"adjustment":"<x/>"}"#, "#/recipe/adjustment"), (#"{"fit":1.5}"#, "#/recipe/fit"),
                ("[]", "#/recipe"),
            ] {
                let response = try await pics.post(CameraPhoto.jpeg(), caption: "", ["recipe": recipe])
                let problem = try JSONValue(parsing: response.body)
                #expect(response.status == .badRequest)
                #expect(problem["errors"]?[0]?["pointer"]?.string == pointer)
            }
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Plain").body)
            let id = try #require(photo["id"]?.string)

            let preview = try await pics.send(
                .post, "/v1/photos/\(id)/renditions/preview",
                body: .bytes(Array(#"{"recipe":{"rotate":90,"frame":"white"},"side":32}"#.utf8)),
                type: "application/json")

            #expect(preview.status == .ok)
            #expect(preview.fields["Content-Type"] == "image/jpeg")
            #expect(try Size(jpeg: preview.body) == Size(width: 32, height: 25))
            #expect(try await pics.json("/v1/photos/\(id)")["recipe"]?.isNull == true)
            let leftovers = try FileManager.default.contentsOfDirectory(atPath: "\(pics.folder)/data/copies")
            #expect(!leftovers.contains { $0.hasPrefix("preview") })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a photo comes as JPEG, WebP and AVIF in all sizes`() async throws {
        try await withPics { pics in
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Formats").body)
            let renditions = try #require(photo["renditions"]?.array)

            #expect(renditions.count == 12)
            try await expectEarlyPictures(pics, photo)
            for rendition in renditions {
                let picture = try await pics.send(.get, try #require(rendition["url"]?.string), isAnonymous: true)
                #expect(picture.status == .ok)
                #expect(picture.fields["Content-Type"] == rendition["media_type"]?.string)
            }
            let code = try #require(photo["code"]?.string)
            for file in ["small.png", "small", "huge.jpg", "small.jpg.webp", ".jpg"] {
                #expect(try await pics.send(.get, "/m/\(code)/\(file)", isAnonymous: true).status == .notFound)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `photos and a colour are interlaced to a photo that names its sources`() async throws {
        try await withPics { pics in
            let first = try #require(
                try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(1), caption: "One").body)["id"]?.string)
            let second = try #require(
                try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(2), caption: "Two").body)["id"]?.string)
            let body = """
                {"sources":["\(first)","#ff8000","\(second)"],"line_height":2,"caption":"Lines","services":["file"]}
                """

            let response = try await pics.send(
                .post, "/v1/photos/interlace", body: .bytes(Array(body.utf8)), type: "application/json")

            let photo = try JSONValue(parsing: response.body)
            #expect(response.status == .created)
            #expect(photo["caption"]?.string == "Lines")
            #expect(photo["width"]?.int == 48 && photo["height"]?.int == 64)
            #expect(photo["sources"]?.array?.compactMap(\.string) == [first, second])
            #expect(photo["submissions"]?.array?.compactMap { $0["service"]?.string } == ["file"])
            _ = try await pics.ended(try #require(photo["id"]?.string))
            let code = try #require(photo["code"]?.string)
            let archived = try #require(
                try files(below: "\(pics.folder)/data/archive").first { $0.hasSuffix("\(code).jpg") })
            let metadata = [UInt8](try Data(contentsOf: URL(filePath: archived)))
            let firstURL = try #require(try await pics.json("/v1/photos/\(first)")["short_url"]?.string)
            #expect(metadata.firstRange(of: Array("stRef:documentID=\"\(firstURL)\"".utf8)) != nil)
            for sources in ["[\"#ff8000\",\"#000000\"]", "[\"\(first)\"]", "[\"\(first)\",\"blue\"]"] {
                let refused = try await pics.send(
                    .post, "/v1/photos/interlace", body: .bytes(Array("{\"sources\":\(sources)}".utf8)),
                    type: "application/json")
                #expect(refused.status == .badRequest)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `what leaves is shown by the recipe, and the original stays`() async throws {
        let services = try await ForeignServices()
        try await withPics { pics in
            try await services.connect(to: pics)
            let response = try await pics.post(CameraPhoto.jpeg(), caption: "Sent", ["recipe": Self.crop])
            let photo = try JSONValue(parsing: response.body)
            let ended = try await pics.ended(try #require(photo["id"]?.string))

            #expect(ended.allSatisfy { $0["state"]?.string == "done" }, "\(ended)")
            let code = try #require(photo["code"]?.string)
            let archive = "\(pics.folder)/data/archive/admin/2026/2026-11-20_101112_\(code).jpg"
            let kept = [UInt8](try Data(contentsOf: URL(filePath: archive)))
            #expect(try Size(jpeg: kept) == Size(width: 24, height: 32))
            #expect(photo["bytes"]?.int == Int64(CameraPhoto.jpeg().count))
            #expect(photo["width"]?.int == 48)
        }
        await services.stop()
    }

    // MARK: Parts

    /// Waits for the pictures that nobody has asked for; medium and small have the same bytes here. The test's time limit bounds it.
    private func expectEarlyPictures(_ pics: Pics, _ photo: JSONValue) async throws {
        let id = try #require(photo["id"]?.string)
        while try files(below: "\(pics.folder)/data/blobs").count < 1 + 4 {
            _ = try await pics.json("/v1/photos/\(id)")
        }
    }

    private func files(below folder: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    private func patch(_ pics: Pics, _ id: String, _ patch: String) async throws -> JSONValue {
        var request = OutgoingRequest(
            method: .patch, url: "\(pics.base)/v1/photos/\(id)",
            fields: [
                "Authorization": "Bearer \(try pics.token)", "If-Match": "*",
                "Content-Type": "application/merge-patch+json",
            ], body: .bytes(Array(patch.utf8)), addressPolicy: .any)
        request.fields.add("Accept", "application/json")
        let response = try await pics.send(request)
        #expect(response.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONValue(parsing: response.body)
    }

    /// The size and pixels of a rendition's JPEG.
    private func size(of name: String, in photo: JSONValue, _ pics: Pics) async throws -> Size {
        let rendition = try #require(
            photo["renditions"]?.array?.first {
                $0["name"]?.string == name && $0["media_type"]?.string == "image/jpeg"
            })
        let url = try #require(rendition["url"]?.string)
        var size = try Size(jpeg: try await pics.send(.get, url, isAnonymous: true).body)
        #expect(rendition["width"]?.int == Int64(size.width))
        #expect(rendition["height"]?.int == Int64(size.height))
        size.url = url
        return size
    }
}

/// A picture's size in pixels, and where it was found.
private struct Size: Equatable {
    let width: Int
    let height: Int
    var url = ""

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// From the frame header (ITU-T T.81, B.2.2).
    init(jpeg bytes: [UInt8]) throws {
        var offset = 2
        while offset + 9 < bytes.count, bytes[offset] == 0xFF {
            if bytes[offset + 1] == 0xC0 || bytes[offset + 1] == 0xC2 {
                self.init(
                    width: Int(bytes[offset + 7]) << 8 | Int(bytes[offset + 8]),
                    height: Int(bytes[offset + 5]) << 8 | Int(bytes[offset + 6]))
                return
            }
            offset += 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
        }
        throw CocoaError(.coderInvalidValue)
    }

    static func == (one: Self, other: Self) -> Bool { one.width == other.width && one.height == other.height }
}

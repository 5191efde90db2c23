import Foundation
import HTTP
import MediaSamples
import TestPics
import Testing

/// Files that come to the media endpoint in parts.
@Suite(.timeLimit(.minutes(5)))
struct FileInPartsTests {
    private static let picture = CameraPhoto.jpeg()
    private static let middle = picture.count / 2
    private static let part = "application/partial-upload"

    /// Begins a file with its first half; the place of the rest.
    private func begin(_ pics: InProcessPics, _ token: String, _ bytes: [UInt8] = picture) async throws -> String {
        let begun = try await pics.app(
            .post, "/micropub/media", ["Upload-Complete": "?0", "Content-Type": "image/jpeg"],
            body: .bytes(Array(bytes.prefix(Self.middle))), token: token)
        #expect(begun.status == .created && begun.fields["Upload-Offset"] == "\(Self.middle)")
        let place = try #require(begun.fields["Location"])
        #expect(place.hasPrefix("\(pics.base)/micropub/media/"))
        return place
    }

    private func goOn(
        _ pics: InProcessPics, _ place: String, _ token: String, _ bytes: [UInt8] = picture
    ) async throws -> IncomingResponse {
        try await pics.app(
            .patch, place,
            ["Upload-Complete": "?1", "Upload-Offset": "\(Self.middle)", "Content-Type": Self.part],
            body: .bytes(Array(bytes.dropFirst(Self.middle))), token: token)
    }

    @Test func `a file that comes in parts is answered as one that comes whole, and can be posted`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("create media")
            let place = try await begin(pics, token)
            let head = try await pics.app(.head, place, token: token)
            #expect(head.status == .noContent && head.fields["Upload-Offset"] == "\(Self.middle)")

            let whole = try await goOn(pics, place, token)

            #expect(whole.status == .created && whole.fields["Upload-Complete"] == "?1")
            let file = try #require(whole.fields["Location"])
            #expect(file.hasPrefix("\(pics.base)/files/") && whole.value["url"]?.string == file)
            #expect(try await pics.app(.get, file).fields["Content-Type"] == "image/jpeg")
            #expect(try await pics.form(["h": "entry", "photo": file], token).status == .created)
        }
    }

    @Test func `a file that fits in one part is done with it`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("media")
            let whole = try await pics.app(
                .post, "/micropub/media", ["Upload-Complete": "?1", "Content-Type": "image/jpeg"],
                body: .bytes(Self.picture), token: token)
            #expect(whole.status == .created)
            #expect(whole.fields["Location"]?.hasPrefix("\(pics.base)/files/") == true)
        }
    }

    @Test func `tus names the file in Link`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("media")
            let offered = try await pics.app(.options, "/micropub/media")
            #expect(offered.fields["Tus-Version"] == "1.0.0")
            let begun = try await pics.app(
                .post, "/micropub/media",
                [
                    "Tus-Resumable": "1.0.0", "Upload-Length": "\(Self.picture.count)",
                    "Upload-Metadata": "caption Zm9v",
                ],
                token: token)
            let place = try #require(begun.fields["Location"])
            let whole = try await pics.app(
                .patch, place,
                [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "0",
                    "Content-Type": "application/offset+octet-stream",
                ], body: .bytes(Self.picture), token: token)
            #expect(whole.status == .noContent)
            let link = try #require(whole.fields["Link"])
            #expect(link.hasPrefix("<\(pics.base)/files/") && link.hasSuffix(">; rel=\"item\""))
            #expect(try await pics.json("/v1/photos")["items"]?.array?.isEmpty == true)
        }
    }

    @Test func `what is no picture is refused at its last part, and nothing of it is left`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("media")
            let text = Array(repeating: UInt8(ascii: "x"), count: Self.picture.count)
            let place = try await begin(pics, token, text)
            #expect(try await goOn(pics, place, token, text).status == .unsupportedMediaType)
            #expect(try await pics.app(.head, place, token: token).status == .notFound)
        }
    }

    @Test func `the right to upload files begins no photo, and reaches no upload that becomes one`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("media")
            let upload = try await pics.ask(
                .post, "/v1/uploads?caption=Private", ["Upload-Complete": "?0"], Array(Self.picture[..<Self.middle]))
            let id = try #require(upload.fields["Location"]?.split(separator: "/").last)
            let place = "\(pics.base)/micropub/media/\(id)"
            #expect(try await pics.app(.head, place, token: token).status == .notFound)
            #expect(try await goOn(pics, place, token).status == .notFound)
            #expect(try await pics.app(.delete, place, token: token).status == .notFound)
            #expect(try await pics.app(.head, "/v1/uploads/\(id)", token: token).status == .forbidden)

            let readers = try await pics.appToken("read")
            let refused = try await pics.app(
                .post, "/micropub/media", ["Upload-Complete": "?0"], body: .bytes([1]), token: readers)
            #expect(refused.status == .unauthorized)
            #expect(
                try await pics.app(.post, "/micropub/media", ["Upload-Complete": "?0"], body: .bytes([1])).status
                    == .unauthorized)
        }
    }
}

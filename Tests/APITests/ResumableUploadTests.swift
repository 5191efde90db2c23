import Crypto
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload), as iOS and others speak it.
@Suite(.timeLimit(.minutes(5)))
struct ResumableUploadTests {
    private let content = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) })
    private let part: HTTPFields = ["Content-Type": "application/partial-upload"]

    private func fields(_ interop: Int?, _ others: HTTPFields) -> HTTPFields {
        var fields = others
        if let interop { fields.add("Upload-Draft-Interop-Version", String(interop)) }
        return fields
    }

    /// Begins an upload with its first bytes; its URL.
    private func begin(
        on pics: InProcessPics, _ bytes: [UInt8]? = nil, length: Int? = nil
    ) async throws -> String {
        var begin = fields(8, ["Upload-Complete": "?0"])
        if let length { begin.add("Upload-Length", String(length)) }
        let begun = try await pics.ask(.post, "/v1/uploads", begin, bytes)
        return try #require(begun.fields["Location"])
    }

    /// Whether the last part comes, in the words of each version.
    private func completes(_ isLast: Bool, _ interop: Int?) -> HTTPFields {
        interop == 3 ? ["Upload-Incomplete": isLast ? "?0" : "?1"] : ["Upload-Complete": isLast ? "?1" : "?0"]
    }

    @Test(arguments: [3, 5, 6, 8, 9, nil] as [Int?])
    func `a file in three parts arrives in every version`(interop: Int?) async throws {
        try await withInProcessPics { pics in
            let field = interop == 3 ? "Upload-Incomplete" : "Upload-Complete"
            let begun = try await pics.ask(
                .post, "/v1/uploads", fields(interop, completes(false, interop)), Array(content[..<20_000]))
            #expect(begun.status == .created)
            #expect(begun.fields[field] == (interop == 3 ? "?1" : "?0"))
            #expect(begun.fields["Upload-Offset"] == "20000")
            let url = try #require(begun.fields["Location"])

            let head = try await pics.ask(.head, url, fields(interop, [:]))
            #expect(head.status == .noContent)
            #expect(head.fields["Upload-Offset"] == "20000")
            #expect(head.fields[field] == (interop == 3 ? "?1" : "?0"))
            #expect(head.fields["Cache-Control"] == "no-store")
            #expect(head.fields["Tus-Resumable"] == nil)
            #expect((head.fields["Upload-Limit"] != nil) == ((interop ?? 9) >= 6))

            var second = fields(interop, completes(false, interop))
            second.add(part)
            second.add("Upload-Offset", "20000")
            let appended = try await pics.ask(.patch, url, second, Array(content[20_000..<70_000]))
            #expect(appended.status == ((interop ?? 9) < 7 ? .created : .noContent))
            #expect(appended.fields["Upload-Offset"] == "70000")
            var last = fields(interop, completes(true, interop))
            last.add(part)
            last.add("Upload-Offset", "70000")
            let done = try await pics.ask(.patch, url, last, Array(content[70_000...]))
            #expect(done.status == .ok)
            #expect(done.fields[field] == (interop == 3 ? "?0" : "?1"))
            #expect(try pics.file(ofUpload: url) == content)
        }
    }

    @Test func `GET says where to go on, too`() async throws {
        try await withInProcessPics { pics in
            let begun = try await pics.ask(
                .post, "/v1/uploads", ["Upload-Complete": "?0", "Upload-Length": "100"], Array(content[..<20]))

            let response = try await pics.ask(.get, try #require(begun.fields["Location"]))

            #expect(response.status == .ok && response.fields["Content-Type"] == "application/json")
            #expect(response.fields["Upload-Offset"] == "20" && response.fields["Upload-Length"] == "100")
            #expect(response.fields["Upload-Complete"] == "?0" && response.fields["Cache-Control"] == "no-store")
            #expect(response.fields["Upload-Limit"]?.contains("max-size=") == true)
        }
    }

    @Test(arguments: [3, 6, nil] as [Int?])
    func `a refused beginning says that nothing is complete`(interop: Int?) async throws {
        try await withInProcessPics { pics in
            var contradicting = fields(interop, completes(true, interop))
            contradicting.add("Upload-Length", "100")

            let response = try await pics.ask(.post, "/v1/uploads", contradicting, Array(content[..<5]))

            #expect(response.status == .badRequest)
            #expect(
                response.fields[interop == 3 ? "Upload-Incomplete" : "Upload-Complete"] == (interop == 3 ? "?1" : "?0"))
        }
    }

    @Test func `the answer to the last part of a photo is the photo's, and can be had again`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let begun = try await pics.ask(
                .post, "/v1/photos?caption=boats&services=none",
                fields(6, ["Upload-Complete": "?0", "Content-Type": "image/jpeg"]), Array(photo[..<500]))
            let url = try #require(begun.fields["Location"])
            var last = fields(6, ["Upload-Complete": "?1", "Upload-Offset": "500"])
            last.add(part)
            let done = try await pics.ask(.patch, url, last, Array(photo[500...]))
            #expect(done.status == .created)
            #expect(done.fields["Upload-Complete"] == "?1")
            #expect(try JSONValue(parsing: done.body)["caption"] == "boats")
            #expect(done.fields["Repr-Digest"] == nil)

            last.add("Want-Repr-Digest", "sha-512=5, sha-256=10")
            last.set("Upload-Offset", "\(photo.count)")
            let again = try await pics.ask(.patch, url, last, [])
            #expect(again.status == .created)
            #expect(again.fields["Location"] == done.fields["Location"])
            #expect(again.fields["Repr-Digest"] == "sha-256=:\(SHA256Digest(of: photo).base64):")
        }
    }

    @Test func `OPTIONS of photos tells the limit, and the description what uploads take and answer`() async throws {
        try await withInProcessPics { pics in
            let options = try await pics.ask(.options, "/v1/photos")
            #expect(options.status == .noContent)
            #expect(options.fields["Upload-Limit"]?.hasPrefix("max-size=") == true)
            #expect(options.fields["Allow"] == "GET, HEAD, OPTIONS, POST")

            let paths = try await pics.json("/openapi.json")["paths"]
            let creation = paths?["/v1/uploads"]?["post"]
            let names = creation?["parameters"]?.array?.compactMap { $0["name"]?.string } ?? []
            for name in ["Idempotency-Key", "Upload-Length", "Upload-Metadata"] { #expect(names.contains(name)) }
            #expect(creation?["responses"]?["201"]?["headers"]?["Upload-Offset"] != nil)
            let append = paths?["/v1/uploads/{id}"]?["patch"]?["responses"]
            for status in [200, 201, 204, 400, 403, 409, 410, 412, 413, 415, 423, 460] {
                #expect(append?["\(status)"] != nil, "\(status)")
            }
        }
    }

    @Test func `another offset is refused with the right one`() async throws {
        try await withInProcessPics { pics in
            let url = try await begin(on: pics, [1, 2, 3])
            var wrong = fields(8, ["Upload-Complete": "?1", "Upload-Offset": "1"])
            wrong.add(part)
            let refused = try await pics.ask(.patch, url, wrong, [2, 3])
            #expect(refused.status == .conflict)
            #expect(refused.fields["Upload-Offset"] == "3")
            #expect(refused.fields["Upload-Complete"] == "?0")
            let problem = try JSONValue(parsing: refused.body)
            #expect(problem["type"]?.string?.hasSuffix("#mismatching-upload-offset") == true)
            #expect(problem["expected-offset"] == 3)
            #expect(problem["provided-offset"] == 1)
        }
    }

    @Test func `lengths that contradict each other are refused`() async throws {
        try await withInProcessPics { pics in
            let url = try await begin(on: pics, [1, 2, 3], length: 10)
            var last = fields(8, ["Upload-Complete": "?1", "Upload-Offset": "3"])
            last.add(part)
            let refused = try await pics.ask(.patch, url, last, [4, 5])
            #expect(refused.status == .badRequest)
            #expect(
                try JSONValue(parsing: refused.body)["type"]?.string?.hasSuffix("#inconsistent-upload-length") == true)
            let contradiction = try await pics.ask(
                .post, "/v1/uploads", fields(8, ["Upload-Complete": "?1", "Upload-Length": "10"]), [1, 2, 3])
            #expect(contradiction.status == .badRequest)
        }
    }

    @Test func `a last part that ends before the announced length is refused, and can be followed`() async throws {
        try await withInProcessPics { pics in
            func chunked(_ method: String, _ path: String, _ fields: String, _ body: String) throws -> String {
                let head = """
                    \(method) \(path) HTTP/1.1\r\nHost: pics\r\nAuthorization: Bearer \(pics.token)\r\n\
                    Upload-Complete: ?1\r\n\(fields)Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n
                    """
                return try pics.sendAndRead(Array("\(head)\(body.utf8.count)\r\n\(body)\r\n0\r\n\r\n".utf8))
            }
            let begun = try chunked("POST", "/v1/uploads", "Upload-Length: 9\r\n", "boa")
            #expect(begun.hasPrefix("HTTP/1.1 400 "))
            #expect(begun.contains("#inconsistent-upload-length"))
            let uploads = try await pics.json("/v1/uploads")["items"]?.array
            let url = try #require(uploads?.first?["url"]?.string)
            let path = String(url.dropFirst(pics.base.count))
            let type = "Content-Type: application/partial-upload\r\n"
            let appended = try chunked("PATCH", path, "Upload-Offset: 3\r\n\(type)", "ts")
            #expect(appended.hasPrefix("HTTP/1.1 400 "))
            let head = try await pics.ask(.head, url, fields(8, [:]))
            #expect(head.fields["Upload-Offset"] == "5")
            #expect(head.fields["Upload-Complete"] == "?0")
            #expect(try chunked("PATCH", path, "Upload-Offset: 5\r\n\(type)", "4ev!").hasPrefix("HTTP/1.1 200 "))
            #expect(try pics.file(ofUpload: url) == Array("boats4ev!".utf8))
        }
    }

    @Test func `an upload that goes past its length is dead`() async throws {
        try await withInProcessPics { pics in
            let url = try await begin(on: pics, [1, 2, 3], length: 4)
            var more = fields(8, ["Upload-Complete": "?0", "Upload-Offset": "3"])
            more.add(part)
            #expect(try await pics.ask(.patch, url, more, [4, 5]).status == .contentTooLarge)
            #expect(try await pics.ask(.head, url, fields(8, [:])).status == .gone)
        }
    }

    @Test func `a digest that does not fit keeps the bytes out`() async throws {
        try await withInProcessPics { pics in
            let url = try await begin(on: pics)
            var wrong = fields(8, ["Upload-Complete": "?0", "Upload-Offset": "0"])
            wrong.add(part)
            wrong.add("Content-Digest", "sha-256=:\(SHA256Digest(of: [9]).base64):")
            #expect(try await pics.ask(.patch, url, wrong, [1, 2]).status == .badRequest)
            #expect(try pics.file(ofUpload: url).isEmpty)

            let photo = try await pics.ask(
                .post, "/v1/photos",
                fields(
                    8,
                    [
                        "Upload-Complete": "?1", "Content-Type": "image/jpeg",
                        "Repr-Digest": "sha-256=:\(SHA256Digest(of: [9]).base64):",
                    ]), CameraPhoto.jpeg())
            #expect(photo.status == .badRequest)
            #expect(try await pics.json("/v1/photos")["items"]?.array?.isEmpty == true)
        }
    }

    @Test func `a file whose sender vanishes two hundred times arrives whole`() async throws {
        try await withInProcessPics { pics in
            var numbers = SplitMix64(seed: 3)
            let content = numbers.bytes(6_000_000)
            let url = try await begin(on: pics)
            let path = url.dropFirst(pics.base.count)
            var offset = 0
            for _ in 0..<200 {
                let head = """
                    PATCH \(path) HTTP/1.1\r\nHost: pics\r\nAuthorization: Bearer \(pics.token)\r\n\
                    Upload-Draft-Interop-Version: 8\r\nUpload-Complete: ?1\r\nUpload-Offset: \(offset)\r\n\
                    Content-Type: application/partial-upload\r\nContent-Length: \(content.count - offset)\r\n\r\n
                    """
                let end = min(content.count - 1, offset + Int.random(in: 0...60_000, using: &numbers))
                try pics.sendAndVanish(Array(head.utf8) + content[offset..<end])
                let told = try await pics.ask(.head, url, fields(8, [:])).fields["Upload-Offset"].flatMap { Int($0) }
                let next = try #require(told)
                // A request that was still on its way may go on after this answer: the offset never goes down.
                #expect(next >= offset && next < content.count)
                offset = next
            }
            // Earlier requests may still be on their way after HEAD has answered: a client asks again and goes on.
            var status = HTTPStatus.conflict
            for _ in 0..<200 where status == .conflict {
                let told = try await pics.ask(.head, url, fields(8, [:])).fields["Upload-Offset"].flatMap { Int($0) }
                let next = try #require(told)
                #expect(next >= offset)
                offset = next
                var last = fields(8, ["Upload-Complete": "?1", "Upload-Offset": "\(offset)"])
                last.add(part)
                status = try await pics.ask(.patch, url, last, Array(content[offset...])).status
            }
            #expect(status == .ok)
            #expect(try pics.file(ofUpload: url) == content)
        }
    }

    @Test func `an upload's address is where the client has come, also behind a trusted proxy`() async throws {
        try await withInProcessPics(settings: ["PICS_TRUSTED_PROXIES": "127.0.0.1"]) { pics in
            var careful = fields(8, ["Upload-Complete": "?0"])
            let direct = try await pics.ask(.post, "/v1/uploads", careful)
            #expect(direct.fields["Location"]?.hasPrefix("\(pics.base)/v1/uploads/") == true)
            careful.add("Forwarded", "for=192.0.2.7;proto=https;host=pics.example")
            let proxied = try await pics.ask(.post, "/v1/uploads", careful)
            #expect(proxied.fields["Location"]?.hasPrefix("https://pics.example/v1/uploads/") == true)
        }
    }
}

import Crypto
import Formats
import HTTP
import TestPics
import Testing

/// tus 1.0.0 (tus.io/protocols/resumable-upload), as its clients speak it.
@Suite(.timeLimit(.minutes(5)))
struct TusTests {
    private let content = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) })

    @Test func `OPTIONS says what is spoken`() async throws {
        try await withInProcessPics { pics in
            let response = try await pics.ask(.options, "/v1/uploads")
            #expect(response.status == .noContent)
            #expect(response.fields["Tus-Version"] == "1.0.0")
            #expect(response.fields["Tus-Checksum-Algorithm"] == "sha1,sha256,crc32")
            #expect(response.fields["Tus-Extension"]?.contains("concatenation") == true)
            #expect(response.fields["Upload-Limit"]?.hasPrefix("max-size=") == true)
        }
    }

    @Test(arguments: ["1125899906842624", "9223372036854775807", "99999999999999999999999"])
    func `a length beyond what is taken is too large, however many digits it has`(length: String) async throws {
        try await withInProcessPics { pics in
            let response = try await pics.ask(
                .post, "/v1/uploads", ["Tus-Resumable": "1.0.0", "Upload-Length": length])

            #expect(response.status == .contentTooLarge)
            let url = try await pics.beginTus(["Upload-Defer-Length": "1"])
            #expect(try await pics.patchTus(url, at: 0, [1], ["Upload-Length": length]).status == .contentTooLarge)
        }
    }

    @Test func `GET says where to go on, too`() async throws {
        try await withInProcessPics { pics in
            let url = try await pics.beginTus(["Upload-Length": "100000", "Upload-Metadata": "filename Ym9hdC5qcGc="])
            _ = try await pics.patchTus(url, at: 0, Array(content[..<30_000]))

            let response = try await pics.ask(.get, url)

            #expect(response.status == .ok && response.fields["Content-Type"] == "application/json")
            #expect(response.fields["Upload-Offset"] == "30000" && response.fields["Upload-Length"] == "100000")
            #expect(response.fields["Upload-Metadata"] == "filename Ym9hdC5qcGc=")
        }
    }

    @Test func `a file in two parts arrives, and HEAD says how far it is`() async throws {
        try await withInProcessPics { pics in
            let metadata = "filename Ym9hdC5qcGc=,filetype aW1hZ2UvanBlZw=="
            let url = try await pics.beginTus(["Upload-Length": "100000", "Upload-Metadata": metadata])
            #expect(url.hasPrefix("\(pics.base)/v1/uploads/"))

            let first = try await pics.patchTus(url, at: 0, Array(content[..<30_000]))
            #expect(first.status == .noContent)
            #expect(first.fields["Upload-Offset"] == "30000")
            #expect(first.fields["Upload-Expires"] != nil)
            let head = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"])
            #expect(head.status == .ok)
            #expect(head.fields["Upload-Offset"] == "30000")
            #expect(head.fields["Upload-Length"] == "100000")
            #expect(head.fields["Upload-Metadata"] == metadata)
            #expect(head.fields["Cache-Control"] == "no-store")
            #expect(head.fields["Tus-Resumable"] == "1.0.0")
            let wrong = try await pics.patchTus(url, at: 20_000, Array(content[20_000...]))
            #expect(wrong.status == .conflict)
            #expect(wrong.fields["Upload-Offset"] == "30000")

            let last = try await pics.patchTus(url, at: 30_000, Array(content[30_000...]))
            #expect(last.status == .noContent)
            #expect(last.fields["Upload-Offset"] == "100000")
            #expect(try pics.file(ofUpload: url) == content)
            let repeated = try await pics.patchTus(url, at: 100_000, [])
            #expect(repeated.status == .noContent)
        }
    }

    @Test func `what is not tus 1.0.0 is refused with 412 and the version`() async throws {
        try await withInProcessPics { pics in
            let url = try await pics.beginTus(["Upload-Length": "3"])
            for (method, path, fields) in [
                (HTTPMethod.post, "/v1/uploads", ["Upload-Length": "3"] as HTTPFields),
                (.post, "/v1/uploads", ["Upload-Length": "3", "Tus-Resumable": "0.2.2"]), (.head, url, [:]),
                (.delete, url, [:]),
            ] {
                let response = try await pics.ask(method, path, fields)
                #expect(response.status == .preconditionFailed, "\(method) \(path)")
                #expect(response.fields["Tus-Version"] == "1.0.0")
            }
        }
    }

    @Test(
        arguments: [
            (["Upload-Length": "-1"], 400), (["Upload-Length": "many"], 400), ([:], 400),
            (["Upload-Length": "5", "Upload-Defer-Length": "1"], 400), (["Upload-Defer-Length": "2"], 400),
            (["Upload-Length": "999999999999"], 413), (["Upload-Length": "5", "Upload-Metadata": "a !"], 400),
            (["Upload-Length": "5", "Upload-Metadata": "a YQ==,a YQ=="], 400),
            (["Upload-Concat": "final;/v1/uploads/none"], 400), (["Upload-Concat": "whole"], 400),
        ] as [([String: String], Int)])
    func `a creation that makes no sense is refused`(fields: [String: String], status: Int) async throws {
        try await withInProcessPics { pics in
            var all: HTTPFields = ["Tus-Resumable": "1.0.0"]
            for (name, value) in fields { all.add(name, value) }
            let response = try await pics.ask(.post, "/v1/uploads", all)
            #expect(response.status.code == status)
            #expect(response.fields["Tus-Resumable"] == "1.0.0")
        }
    }

    @Test func `a creation may bring the first part, and a length that comes later`() async throws {
        try await withInProcessPics { pics in
            let part: HTTPFields = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]
            var fields = part
            fields.add("Upload-Defer-Length", "1")
            let begun = try await pics.ask(.post, "/v1/uploads", fields, Array(content[..<10_000]))
            #expect(begun.status == .created)
            #expect(begun.fields["Upload-Offset"] == "10000")
            let url = try #require(begun.fields["Location"])
            let head = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"])
            #expect(head.fields["Upload-Defer-Length"] == "1")
            #expect(head.fields["Upload-Length"] == nil)

            let last = try await pics.patchTus(
                url, at: 10_000, Array(content[10_000...]), ["Upload-Length": "100000"])
            #expect(last.status == .noContent)
            #expect(try pics.file(ofUpload: url) == content)
            fields = part
            fields.add("Upload-Length", "5")
            fields.set("Content-Type", "text/plain")
            #expect(try await pics.ask(.post, "/v1/uploads", fields, [1]).status == .unsupportedMediaType)
        }
    }

    @Test func `a part whose checksum does not fit is dropped`() async throws {
        try await withInProcessPics { pics in
            let url = try await pics.beginTus(["Upload-Length": "100000"])
            let first = Array(content[..<50_000])
            let wrong = "sha256 \(SHA256Digest(of: content).base64)"
            let refused = try await pics.patchTus(url, at: 0, first, ["Upload-Checksum": wrong])
            #expect(refused.status.code == 460)
            #expect(try pics.file(ofUpload: url).isEmpty)
            let unknown = try await pics.patchTus(url, at: 0, first, ["Upload-Checksum": "md4 AAAA"])
            #expect(unknown.status == .badRequest)

            let right = "sha256 \(SHA256Digest(of: first).base64)"
            #expect(try await pics.patchTus(url, at: 0, first, ["Upload-Checksum": right]).status == .noContent)
            var crc = CRC32()
            crc.update(content[50_000...])
            let last = try await pics.patchTus(
                url, at: 50_000, Array(content[50_000...]), ["Upload-Checksum": "crc32 \(Base64.encode(crc.bytes))"])
            #expect(last.status == .noContent)
            #expect(try pics.file(ofUpload: url) == content)
        }
    }

    @Test func `bytes past the length are refused and not kept`() async throws {
        try await withInProcessPics { pics in
            let url = try await pics.beginTus(["Upload-Length": "10"])
            #expect(try await pics.patchTus(url, at: 0, Array(content[..<11])).status == .contentTooLarge)
            #expect(try pics.file(ofUpload: url).isEmpty)
        }
    }

    @Test func `finished parts are joined, and a final upload takes no parts`() async throws {
        try await withInProcessPics { pics in
            var urls: [String] = []
            for range in [0..<40_000, 40_000..<100_000] {
                let url = try await pics.beginTus(["Upload-Length": "\(range.count)", "Upload-Concat": "partial"])
                #expect(try await pics.patchTus(url, at: 0, Array(content[range])).status == .noContent)
                urls.append(url)
            }
            let concat = "final;\(urls[0]) /v1/uploads/\(urls[1].split(separator: "/").last ?? "")"
            let url = try await pics.beginTus(["Upload-Concat": concat])
            let head = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"])
            #expect(head.fields["Upload-Offset"] == "100000")
            #expect(head.fields["Upload-Length"] == "100000")
            #expect(head.fields["Upload-Concat"] == concat)
            #expect(try pics.file(ofUpload: url) == content)
            #expect(try await pics.patchTus(url, at: 100_000, [1]).status == .forbidden)
            let open = try await pics.beginTus(["Upload-Length": "5", "Upload-Concat": "partial"])
            #expect(try await pics.beginTus(["Upload-Concat": "final;\(open)"]) == "400")
        }
    }

    @Test func `an upload that was given up is gone, and another user's was never there`() async throws {
        try await withInProcessPics { pics in
            let url = try await pics.beginTus(["Upload-Length": "10"])
            let alice = try await pics.addUser("alice")
            for method in [HTTPMethod.head, .get, .delete] {
                let response = try await pics.ask(method, url, ["Tus-Resumable": "1.0.0"], token: alice)
                #expect(response.status == .notFound)
            }
            #expect(try await pics.ask(.delete, url, ["Tus-Resumable": "1.0.0"]).status == .noContent)
            #expect(try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"]).status == .notFound)
            #expect(throws: (any Error).self) { _ = try pics.file(ofUpload: url) }
        }
    }

    @Test func `fields of a photo in the metadata make one of the finished upload`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let url = try await pics.beginTus([
                "Upload-Length": "\(photo.count)",
                "Upload-Metadata": "caption \(Base64.encode(Array("boats".utf8))),services bm9uZQ==",
            ])
            let last = try await pics.patchTus(url, at: 0, photo)
            #expect(last.status == .noContent)
            #expect(last.fields["Link"]?.contains("/v1/photos/") == true)
            let upload = try JSONValue(parsing: try await pics.ask(.get, url).body)
            let id = try #require(upload["photo"]?.string)
            #expect(try await pics.json("/v1/photos/\(id)")["caption"] == "boats")
        }
    }

    @Test func `metadata that means something else to the client is left alone`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            func begin(_ metadata: String) async throws -> String {
                try await pics.beginTus(["Upload-Length": "\(photo.count)", "Upload-Metadata": metadata])
            }
            let attic = Base64.encode(Array("the attic".utf8))
            let plain = try await begin("thumbnail \(Base64.encode([0xFF, 0])),location \(attic),name \(attic)")
            #expect(try JSONValue(parsing: try await pics.ask(.get, plain).body)["file_name"] == "the attic")
            _ = try await pics.patchTus(plain, at: 0, photo)
            #expect(try JSONValue(parsing: try await pics.ask(.get, plain).body)["photo"]?.string == nil)

            let url = try await begin("services bm9uZQ==,location \(attic),recipe \(attic),thumbnail /w==")
            _ = try await pics.patchTus(url, at: 0, photo)
            #expect(try JSONValue(parsing: try await pics.ask(.get, url).body)["photo"]?.string != nil)

            for key in ["caption", "alt_text", "services", "visibility"] {
                #expect(try await begin("\(key) /w==") == "400")
            }
        }
    }

    @Test func `HEAD right behind the last part finds the photo made`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            for _ in 0..<5 {
                let url = try await pics.beginTus([
                    "Upload-Length": "\(photo.count)", "Upload-Metadata": "services bm9uZQ==",
                ])
                async let last = pics.patchTus(url, at: 0, photo)
                var offset = ""
                while offset != "\(photo.count)" {
                    offset = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"]).fields["Upload-Offset"] ?? ""
                    guard offset == "0" else { continue }
                    // HEAD was faster than the part, or has cut it off.
                    _ = try await pics.patchTus(url, at: 0, photo)
                }
                _ = try await last
                #expect(try JSONValue(parsing: try await pics.ask(.get, url).body)["photo"]?.string != nil)
            }
        }
    }

    /// Begins an upload of a photo to nobody and sends all its bytes, but not the last chunk of the request; `fields` are whole
    /// lines. The upload's URL.
    private func sendWithoutEnd(
        _ photo: [UInt8], to pics: InProcessPics, _ fields: String = ""
    ) async throws -> String {
        let url = try await pics.beginTus([
            "Upload-Length": "\(photo.count)", "Upload-Metadata": "services bm9uZQ==",
        ])
        let head = """
            PATCH \(url.dropFirst(pics.base.count)) HTTP/1.1\r\nHost: pics\r\nAuthorization: Bearer \(pics.token)\r\n\
            Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n\
            \(fields)Transfer-Encoding: chunked\r\n\r\n\(String(photo.count, radix: 16))\r\n
            """
        try pics.sendAndVanish(Array(head.utf8) + photo + Array("\r\n".utf8))
        return url
    }

    @Test func `an upload whose bytes are all there is complete, even if nobody heard its end`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let url = try await sendWithoutEnd(photo, to: pics)
            var offset = "0"
            while offset == "0" {
                offset = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"]).fields["Upload-Offset"] ?? ""
                if offset == "0" { _ = try await pics.patchTus(url, at: 0, photo) }
            }
            #expect(offset == "\(photo.count)")
            #expect(try JSONValue(parsing: try await pics.ask(.get, url).body)["photo"]?.string != nil)
        }
    }

    @Test func `bytes whose checksum nobody has compared are never a photo, even if all are there`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let url = try await sendWithoutEnd(
                photo, to: pics, "Upload-Checksum: sha256 \(SHA256Digest(of: [1]).base64)\r\n")
            // Until the server has read them; nothing else asks for this upload meanwhile.
            var upload = try JSONValue(parsing: try await pics.ask(.get, url).body)
            while upload["state"] == "receiving", try pics.file(ofUpload: url).count < photo.count {
                upload = try JSONValue(parsing: try await pics.ask(.get, url).body)
            }
            for _ in 0..<20 {
                let response = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"])
                #expect(response.fields["Upload-Offset"] == "0")
                upload = try JSONValue(parsing: try await pics.ask(.get, url).body)
                #expect(upload["state"] == "receiving" && upload["photo"]?.string == nil)
            }
        }
    }

    @Test func `a file that can be no photo fails its upload and frees the quota`() async throws {
        try await withInProcessPics(settings: ["PICS_UPLOADS_PER_USER": "1"]) { pics in
            for _ in 0..<3 {
                let url = try await pics.beginTus(["Upload-Length": "3", "Upload-Metadata": "services bm9uZQ=="])
                #expect(url.hasPrefix("http"))
                let last = try await pics.patchTus(url, at: 0, [1, 2, 3])
                #expect(last.status == .unsupportedMediaType)
            }
        }
    }

    @Test func `a method may come in X-HTTP-Method-Override`() async throws {
        try await withInProcessPics { pics in
            let url = try await pics.beginTus(["Upload-Length": "3"])
            let part = try await pics.ask(
                .post, url,
                [
                    "Tus-Resumable": "1.0.0", "X-HTTP-Method-Override": "PATCH", "Upload-Offset": "0",
                    "Content-Type": "application/offset+octet-stream",
                ], [1, 2, 3])
            #expect(part.status == .noContent)
            #expect(try pics.file(ofUpload: url) == [1, 2, 3])
            let end = try await pics.ask(
                .post, url, ["Tus-Resumable": "1.0.0", "X-HTTP-Method-Override": "DELETE"])
            #expect(end.status == .noContent)
        }
    }

    @Test func `a user's quota bounds what is under way`() async throws {
        try await withInProcessPics(settings: ["PICS_UPLOADS_PER_USER": "2", "PICS_UPLOAD_QUOTA": "1MiB"]) { pics in
            var begun: [String] = []
            for length in ["1048577", "10", "10", "10"] {
                begun.append(try await pics.beginTus(["Upload-Length": length]))
            }
            #expect(begun.map { $0.hasPrefix("http") } == [false, true, true, false])
            #expect([begun[0], begun[3]] == ["413", "413"])
        }
    }
}

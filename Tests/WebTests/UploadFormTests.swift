import Foundation
import HTTP
import TestPics
import Testing

/// Files that a page sends in parts.
@Suite(.timeLimit(.minutes(5)))
struct UploadFormTests {
    private func begin(_ browser: inout Browser, _ length: Int) async throws -> String {
        let page = try await browser.submit(["length": "\(length)"], to: "/new/uploads", from: "/new")
        try #require(page.status == 201)
        return try JSONValue(parsing: Array(page.text.utf8))["upload"]?.string ?? ""
    }

    private func offset(_ page: Browser.Page) throws -> Int64? {
        try JSONValue(parsing: Array(page.text.utf8))["offset"]?.int
    }

    @Test func `a file in parts goes on where the server says, and becomes a post once`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let bytes = CameraPhoto.jpeg(7)
            let id = try await begin(&browser, bytes.count)
            let path = "/new/uploads/\(id)"

            #expect(try offset(try await browser.patch(path, at: 0, bytes[..<1000])) == 1000)
            let behind = try await browser.patch(path, at: 500, bytes[500...])
            #expect(try behind.status == 409 && offset(behind) == 1000)
            #expect(try offset(try await browser.open(path)) == 1000)
            let last = try await browser.patch(path, at: 1000, bytes[1000...], isLast: true)
            #expect(try last.status == 200 && offset(last) == Int64(bytes.count))

            var form = MultipartForm()
            form.add("form_token", try await browser.open("/new").formToken ?? "")
            form.add("key", UUID().uuidString)
            form.add("upload", id)
            form.add("caption", "in parts")
            form.add("services", "none")
            for _ in 0..<2 {
                let posted = try await browser.post(form, to: "/new", with: ["Accept": "application/json"])
                #expect(posted.status == 200 && posted.text.contains("?done=stored#tools"))
            }
            let items = try #require(try await pics.json("/v1/photos")["items"]?.array)
            #expect(items.map { $0["caption"] } == ["in parts"] && items[0]["bytes"]?.int == Int64(bytes.count))
        }
    }

    @Test func `uploads are their owner's, and taken from pages of ours alone`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let id = try await begin(&browser, 2000)
            let path = "/new/uploads/\(id)"
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            var stranger = Browser(pics)

            #expect(try await bob.open(path).status == 404)
            #expect(try await bob.patch(path, at: 0, [1]).status == 404)
            #expect(try await stranger.open(path).status == 401)
            #expect(try await stranger.patch(path, at: 0, [1]).status == 401)
            for fields in [
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
            ] as [HTTPFields] {
                #expect(try await browser.open(path, with: fields).status == 403, "\(fields)")
                #expect(try await browser.patch(path, at: 0, [1], with: fields).status == 403, "\(fields)")
            }
            #expect(try await browser.post(["length": "5"], to: "/new/uploads").status == 403)
            #expect(try offset(try await browser.open(path)) == 0)
        }
    }

    @Test func `a post of uploads needs the token of the page, and uploads that are there, alone`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let bytes = CameraPhoto.jpeg(7)
            let id = try await begin(&browser, bytes.count)
            _ = try await browser.patch("/new/uploads/\(id)", at: 0, bytes[...], isLast: true)
            let token = try await browser.open("/new").formToken ?? ""
            func form(_ token: String?, uploads: [String], photo: Bool = false) -> MultipartForm {
                var form = MultipartForm()
                if let token { form.add("form_token", token) }
                for upload in uploads { form.add("upload", upload) }
                form.add("services", "none")
                if photo { form.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg())) }
                return form
            }

            for wrong in [nil, "", "AAAA"] as [String?] {
                #expect(try await browser.post(form(wrong, uploads: [id]), to: "/new").status == 403)
            }
            for uploads in [["nothing"], [id, id], [UUID().uuidString], [id, "nothing"]] {
                let answer = try await browser.post(form(token, uploads: uploads), to: "/new")
                #expect(answer.status == 422, "\(uploads)")
            }
            #expect(try await browser.post(form(token, uploads: [id], photo: true), to: "/new").status == 422)
            #expect(try await pics.json("/v1/photos")["items"] == [])
            #expect(
                try await browser.post(form(token, uploads: [id]), to: "/new").location?.hasSuffix("?done=stored#tools")
                    == true)
        }
    }

    @Test func `what cannot be begun or gone on with is refused`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            for length in ["", "-1", "0", "many"] {
                let page = try await browser.submit(["length": length], to: "/new/uploads", from: "/new")
                #expect(page.status == 400, "\(length)")
            }
            let large = try await browser.submit(["length": "\(1 << 50)"], to: "/new/uploads", from: "/new")
            #expect(large.status == 413 && large.text.contains("problem"))
            let id = try await begin(&browser, 10)
            #expect(try await browser.patch("/new/uploads/\(id)", at: -1, [1]).status == 400)
            let more = try await browser.patch("/new/uploads/\(id)", at: 0, ArraySlice(repeating: 1, count: 11))
            #expect((400..<500).contains(more.status))
            #expect(try await browser.patch("/new/uploads/\(UUID().uuidString)", at: 0, [1]).status == 404)
        }
    }
}

extension Browser {
    fileprivate mutating func patch(
        _ path: String, at offset: Int, _ bytes: ArraySlice<UInt8>, isLast: Bool = false, with others: HTTPFields = [:]
    ) async throws -> Page {
        var fields = others
        fields.add("Upload-Offset", String(offset))
        fields.add("Upload-Complete", isLast ? "?1" : "?0")
        fields.add("Content-Type", "application/partial-upload")
        return try await patch(path, Array(bytes), fields)
    }
}

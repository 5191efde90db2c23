import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NewPhotoPageTests {
    /// A filled form as a browser sends it, the hidden fields of the page first.
    private func form(
        _ page: Browser.Page, _ photo: [UInt8]?, _ fields: [(String, String)] = [("caption", "boats")]
    ) -> MultipartForm {
        var form = MultipartForm()
        form.add("form_token", page.formToken ?? "")
        form.add("key", page.text.firstMatch(of: #/name="key" value="([^"]+)"/#).map { String($0.1) } ?? "")
        form.add("photo", filename: photo == nil ? "" : "a.jpg", mediaType: .octetStream, .bytes(photo ?? []))
        form.add("services", "none")
        for (name, value) in fields { form.add(name, value) }
        return form
    }

    @Test func `a photo is posted with its words to the accounts that are chosen, once for one page`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let page = try await browser.open("/new")
            let account = try #require(
                page.text.firstMatch(of: #/name="services" value="([0-9a-f-]{36})" checked/#).map { String($0.1) })
            let filled = form(
                page, CameraPhoto.jpeg(),
                [
                    ("caption", "夕焼け"), ("alt_text", "The sun"), ("album", " Sea "), ("visibility", "unlisted"),
                    ("services", account), ("scheduled_at", ""),
                ])

            let posted = try await browser.post(filled, to: "/new")
            let again = try await browser.post(filled, to: "/new")

            #expect(posted.status == 303)
            #expect(again.location == posted.location)
            let photos = try #require(try await pics.json("/v1/photos")["items"]?.array)
            #expect(photos.count == 1)
            #expect(photos[0]["caption"] == "夕焼け" && photos[0]["alt_text"] == "The sun")
            #expect(photos[0]["album"] == "Sea" && photos[0]["visibility"] == "unlisted")
            #expect(photos[0]["submissions"]?.array?.count == 1 && photos[0]["state"] == "sending")
            let code = try #require(photos[0]["code"]?.string)
            #expect(posted.location == "/\(code)?done=posted#tools")
            #expect(try await browser.open("/\(code)?done=posted").text.contains("Photo saved. It is on its way"))
        }
    }

    @Test func `several photos are one post, in their order, each with its own words, and one page shows them`()
        async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let page = try await browser.open("/new")
            var filled = MultipartForm()
            filled.add("form_token", page.formToken ?? "")
            for number in 1...3 {
                filled.add(
                    "photo", filename: "\(number).jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(number)))
                filled.add("alt_text", "Photo \(number)")
            }
            filled.add("caption", "Three boats")
            filled.add("services", "none")

            #expect(try await browser.post(filled, to: "/new").location?.hasSuffix("?done=stored#tools") == true)

            let photos = try #require(try await pics.json("/v1/photos")["items"]?.array)
            #expect(photos.map { $0["caption"] } == ["Three boats"])
            let parts = photos[0]["with"]?.array?.compactMap(\.string) ?? []
            try #require(parts.count == 2)
            let second = try await pics.json("/v1/photos/\(parts[0])")
            #expect(second["alt_text"] == "Photo 2" && second["part_of"] == photos[0]["id"])
            let (code, part) = (photos[0]["code"]?.string ?? "", second["code"]?.string ?? "")
            let shown = try await browser.open("/\(code)").text
            for number in 1...3 { #expect(shown.contains("alt=\"Photo \(number)\"")) }
            #expect(try await browser.open("/\(part)").location == "/\(code)#\(part)")
            var stranger = Browser(pics)
            #expect(try await stranger.open("/\(part)").location == "/\(code)#\(part)")

            _ = try await browser.submit(
                ["version": "1", "caption": "Boats", "alt_text": "First", "alt_text_\(part)": "Another"],
                to: "/\(code)/edit", from: "/\(code)")
            #expect(try await pics.json("/v1/photos/\(parts[0])")["alt_text"] == "Another")
            #expect(try await pics.json("/v1/photos/\(parts[1])")["alt_text"] == "Photo 3")
        }
    }

    @Test func `while a caption is written each account's exact text is told, with its count`() async throws {
        try await withInProcessPics { pics in
            try await pics.change(
                """
                INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
                SELECT gen_random_uuid(), id, 'twitter', '1', 'ann', '' FROM users WHERE name = 'admin'
                """)
            var browser = try await pics.browser()
            func texts(_ caption: String) async throws -> [JSONValue] {
                let page = try await browser.submit(["caption": caption], to: "/new/texts", from: "/new")
                #expect(page.status == 200 && page.fields["Cache-Control"] == "no-store")
                return try JSONValue(parsing: Array(page.text.utf8))["texts"]?.array ?? []
            }

            let short = try await texts("boats")
            let long = try await texts(String(repeating: "boat ", count: 100))

            #expect(short.compactMap { $0["text"]?.string } == ["boats", "boats"])
            #expect(short.contains { $0["count"]?.string?.hasPrefix("5 of ") == true && $0["cut"] == false })
            let cut = try #require(long.first { $0["cut"] == true })
            #expect(cut["text"]?.string?.contains("\(pics.base)/") == true)
            #expect(long.contains { $0["cut"] == false })
            #expect(try await browser.post(["caption": "x"], to: "/new/texts").status == 403)
        }
    }

    @Test func `a place that is entered is the photo's, and only its owner is told`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            for (place, status) in [
                ("", 303), ("59.3293, 18.0686", 303), ("-33.86,151.2", 303), ("Stockholm", 422), ("91,0", 422),
            ] {
                let filled = form(try await browser.open("/new"), CameraPhoto.jpeg(), [("location", place)])
                #expect(try await browser.post(filled, to: "/new").status == status, "\(place)")
            }

            let photos = try #require(try await pics.json("/v1/photos")["items"]?.array)
            #expect(
                photos.prefix(2).map { $0["location"] } == [
                    ["latitude": -33.86, "longitude": 151.2], ["latitude": 59.3293, "longitude": 18.0686],
                ])
            #expect(photos.count == 3)
            var stranger = Browser(pics)
            let code = photos[1]["code"]?.string ?? ""
            #expect(try await !stranger.open("/\(code)").text.contains("59.3"))
        }
    }

    @Test func `without an account the photo is stored, and goes nowhere`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let response = try await browser.post(form(try await browser.open("/new"), CameraPhoto.jpeg()), to: "/new")
            #expect(response.location?.hasSuffix("?done=stored#tools") == true)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["submissions"] == [])
        }
    }

    @Test func `a form that cannot be taken comes back with its words and says why, and stores nothing`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let page = try await browser.open("/new")
            for (photo, fields, sentence) in [
                (nil, [("caption", "my <words>")], "Choose a photo or video."),
                (Array("no photo".utf8), [("caption", "my <words>")], "class=\"notice failed\""),
                (CameraPhoto.jpeg(), [("caption", "my <words>"), ("scheduled_at", "soon")], "class=\"notice failed\""),
                (CameraPhoto.jpeg(), [("caption", "my <words>"), ("scheduled_at", "2020-01-01T00:00")], "in the past"),
                (CameraPhoto.jpeg(), [("caption", "my <words>"), ("services", UUID().uuidString)], "notice failed"),
                (CameraPhoto.jpeg(), [("caption", "my <words>"), ("nothing", "1")], "There is no such field"),
            ] as [([UInt8]?, [(String, String)], String)] {
                let answer = try await browser.post(form(page, photo, fields), to: "/new")
                #expect(answer.status == 422, "\(fields)")
                #expect(answer.text.contains(sentence), "\(fields)")
                #expect(answer.text.contains("my &lt;words&gt;") && !answer.text.contains("<words>"), "\(fields)")
            }
            #expect(try await pics.json("/v1/photos")["items"] == [])
        }
    }

    @Test func `a photo from another site, without the token of the page, or without a session is refused`()
        async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let page = try await browser.open("/new")
            let good = form(page, CameraPhoto.jpeg())
            for fields in [
                ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ] as [HTTPFields] {
                #expect(try await browser.post(good, to: "/new", with: fields).status == 403, "\(fields)")
            }
            var late = MultipartForm()
            late.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg()))
            late.add("form_token", page.formToken ?? "")
            #expect(try await browser.post(late, to: "/new").status == 403)
            var stranger = Browser(pics)
            #expect(try await stranger.post(good, to: "/new").location == "/login?next=%2Fnew")
            #expect(try await stranger.open("/new").location == "/login?next=%2Fnew")
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(try await bob.post(good, to: "/new").status == 403)

            #expect(try await pics.json("/v1/photos")["items"] == [])
            #expect(
                try FileManager.default.subpathsOfDirectory(atPath: "\(pics.folder)/data/blobs").allSatisfy {
                    !$0.hasSuffix(".jpg")
                })
        }
    }
}

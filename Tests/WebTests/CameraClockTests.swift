import HTTP
import TestPics
import Testing

/// Photos show the time of their camera.
@Suite(.timeLimit(.minutes(5)))
struct CameraClockTests {
    @Test
    func `a photo taken in Tokyo has Tokyo's day and time on its page, in JSON, in the gallery and in the export`()
        async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            try await pics.openGallery(&browser)
            #expect(try await pics.change("UPDATE users SET time_zone = 'Europe/Berlin'") == 1)
            let bytes = CameraPhoto.jpeg(at: "2026:11:25 00:30:05", offset: "+09:00")
            let answer = try await pics.post(bytes, caption: "Shibuya", ["services": "none"])
            let photo = try JSONValue(parsing: answer.body)
            let code = photo["code"]?.string ?? ""

            #expect(photo["taken_at"] == "2026-11-25T00:30:05.000+09:00")
            let page = try await browser.open("/\(code)").text
            #expect(
                page.contains(
                    "<time class=\"taken\" datetime=\"2026-11-25T00:30:05+09:00\">25 November 2026, 00:30 (UTC+9)"))
            #expect(page.contains("\"dateCreated\":\"2026-11-25T00:30:05.000+09:00\""))
            let day = try await browser.open("/u/admin/day/2026-11-25")
            #expect(day.status == 200 && day.text.contains(code))
            #expect(try await browser.open("/u/admin/day/2026-11-24").status == 404)
            #expect(try await browser.open("/u/admin/days/2026").text.contains("25 November 2026"))
            #expect(try await browser.open("/u/admin").text.contains("25 November 2026"))
            let export = try await pics.send(.get, "/v1/export").body
            let text = String(decoding: export, as: UTF8.self)
            #expect(
                text.contains("photos/2026-11-25-\(code)")
                    && text.contains("\"taken_at\":\"2026-11-25T00:30:05.000+09:00\""))
        }
    }

    @Test func `a photo whose camera does not know its offset is shown by its owner's clock`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            try await pics.openGallery(&browser)
            #expect(try await pics.change("UPDATE users SET time_zone = 'Europe/Berlin'") == 1)
            let bytes = CameraPhoto.jpeg(at: "2026:11:25 00:30:05", offset: "unkown")
            let photo = try JSONValue(parsing: try await pics.post(bytes, caption: "Here", ["services": "none"]).body)

            #expect(photo["taken_at"] == "2026-11-24T23:30:05.000Z")
            #expect(
                try await browser.open("/\(photo["code"]?.string ?? "")").text.contains(
                    "25 November 2026, 00:30 (UTC+1)"))
            #expect(try await browser.open("/u/admin/day/2026-11-25").status == 200)
        }
    }
}

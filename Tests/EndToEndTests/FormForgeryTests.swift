import Fakes
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FormForgeryTests {
    private static let form: FormFields = ["time_zone": "Asia/Tokyo"]
    private static let path = "/settings/time-zone"

    private func expectRefusal(_ page: Browser.Page) {
        #expect(page.status == 403)
        #expect(page.text.contains("Form sent from another site"))
        #expect(page.fields["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test func `a form without the token of its own browser changes nothing`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var browser = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")
            var again = try await pics.browser(of: "admin")
            let foreign = try #require(try await alice.open("/settings").formToken)
            let otherSession = try #require(try await again.open("/settings").formToken)

            expectRefusal(try await browser.post(Self.form, to: Self.path))
            for token in [foreign, otherSession, "", "AAAA", String(repeating: "A", count: 86)] {
                expectRefusal(try await browser.post(["time_zone": "Asia/Tokyo", "form_token": token], to: Self.path))
            }

            #expect(try await !browser.open("/settings").text.contains("<option selected>Asia/Tokyo"))
            #expect(try await browser.submit(Self.form, to: Self.path, from: "/settings").status == 303)
            #expect(try await browser.open("/settings").text.contains("<option selected>Asia/Tokyo"))
        }
    }

    @Test func `no form of any page of the settings is taken without its token`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var browser = try await pics.browser(of: "admin")
            let account = "/settings/connections/\(try await pics.connectMastodon(services.mastodon))"
            _ = try await browser.submit(["name": ""], to: "/settings/people/invite", from: "/settings/people")

            // Every page that a link of a page leads to, and the forms on all.
            var (seen, waiting, forms): (Set<String>, [String], Set<String>) = ([], ["/settings", account], [])
            while let path = waiting.popLast() {
                guard seen.insert(path).inserted else { continue }
                let text = try await browser.open(path).text
                waiting += text.matches(of: #/href="(\/settings[a-z\/0-9-]*|\/logout)"/#).map { String($0.1) }
                for form in text.matches(of: #/<form[^>]* method="post"[^>]* action="([^"]+)"/#) {
                    forms.insert(String(form.1))
                }
            }
            #expect(seen.count > 30 && forms.count > 30, "\(seen.count) pages, \(forms.count) forms")

            let asked = services.mastodon.host.requests.count
            for form in forms.sorted() {
                let answer = try await browser.post(
                    ["name": "x", "open": "yes", "password": testPassword, "form_token": "AAAA"], to: form)
                #expect(answer.status == 403, "\(form)")
            }

            #expect(try await browser.isSignedIn())
            #expect(try await browser.open(account).status == 200)
            #expect(services.mastodon.host.requests.count == asked)
        }
    }

    @Test func `a form that a browser calls foreign is refused, even with the right token`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let foreign: [HTTPFields] = [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site"], ["Origin": pics.base, "Sec-Fetch-Site": "cross-site"],
                ["Origin": pics.base.replacing("http://", with: "https://")], ["Origin": "\(pics.base).evil.example"],
            ]
            for fields in foreign {
                expectRefusal(try await browser.submit(Self.form, to: Self.path, from: "/settings", with: fields))
            }

            let own = try await browser.submit(
                Self.form, to: Self.path, from: "/settings",
                with: ["Origin": pics.base, "Sec-Fetch-Site": "same-origin"])
            #expect(own.status == 303)
        }
    }

    @Test func `the origin of base_url is ours, also when a proxy does not tell it`() async throws {
        let settings = ["PICS_BASE_URL": "https://pics.example", "PICS_HOSTS": "127.0.0.1"]
        try await withPics(settings: settings) { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            let own = try await browser.submit(
                Self.form, to: Self.path, from: "/settings", with: ["Origin": "https://pics.example"])

            #expect(own.status == 303)
        }
    }

    @Test func `a form under a host that is not served changes nothing`() async throws {
        try await withPics(settings: ["PICS_BASE_URL": "https://pics.example"]) { pics in
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Boat").body)
            let like = "\(try #require(photo["code"]?.string))/like"
            var browser = Browser(pics)

            // As every name below `localhost`, the second leads to this machine.
            for base in [pics.base, pics.base.replacing("127.0.0.1", with: "evil.localhost")] {
                let page = try await browser.post([:], to: "\(base)/\(like)", with: ["Origin": base])

                #expect(page.status == 421)
                #expect(page.fields["Content-Type"] == "text/html; charset=utf-8")
                #expect(page.text.contains("This address is not served here"))
            }
            #expect(try await pics.json("/v1/photos/\(try #require(photo["id"]?.string))")["likes"]?["count"] == 0)
        }
    }

    @Test(arguments: ["/login", "/join"])
    func `the forms of those who have not signed in are bound to their browser too`(path: String) async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var other = Browser(pics)
            let foreign = try #require(try await other.open("/login").formToken)
            var browser = Browser(pics)
            let form: FormFields = ["name": "admin", "password": testPassword, "form_token": foreign]

            expectRefusal(try await browser.post(form, to: path))
            _ = try await browser.open("/login")
            expectRefusal(try await browser.post(form, to: path))
            expectRefusal(try await other.post(form, to: path, with: ["Origin": "https://evil.example"]))

            #expect(browser.cookies["pics_session"] == nil && other.cookies["pics_session"] == nil)
        }
    }

    @Test func `a cookie alone opens nothing of the API`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            #expect(try await browser.open("/v1/photos").status == 401)
        }
    }

    @Test func `a form in another form than a form's is not read`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            let response = try await browser.submit(
                Self.form, to: Self.path, from: "/settings", with: ["Content-Type": "text/plain"])

            #expect(response.status == 400)
        }
    }
}

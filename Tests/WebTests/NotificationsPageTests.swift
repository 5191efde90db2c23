import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// The settings of notifications. Messages and their words: `PushTests`.
@Suite(.timeLimit(.minutes(5)))
struct NotificationsPageTests {
    private static let path = "/settings/notifications"

    /// Runs `body` with an operator who allows the push service.
    private func withPush(
        _ status: Int = 201, _ body: (InProcessPics, FakePushService) async throws -> Void
    ) async throws {
        let service = try await FakePushService(on: try EventLoop(name: "push")) { _, _ in (status, [:]) }
        let settings = ["PICS_PRIVATE_SERVERS": "true", "PICS_PUSH_HOSTS": "127.0.0.1"]
        try await withInProcessPics(settings: settings) { try await body($0, service) }
        await service.stop()
    }

    private func form(_ service: FakePushService) -> FormFields {
        ["endpoint": service.endpoint, "p256dh": service.p256dh, "auth": service.auth]
    }

    private func subscribe(_ browser: inout Browser, _ service: FakePushService) async throws -> Browser.Page {
        try await browser.submit(
            form(service), to: "\(Self.path)/here", from: Self.path, with: ["Accept": "application/json"])
    }

    /// What the page's script is told.
    private func attribute(_ name: String, of page: Browser.Page) throws -> String {
        let found = try Regex("data-\(name)=\"([^\"]*)\"").firstMatch(in: page.text)
        return String(try #require(found?[1].substring))
    }

    @Test func `a browser subscribes, is tested, chooses and is removed`() async throws {
        try await withPush { pics, service in
            var browser = try await pics.browser()
            let before = try await browser.open(Self.path)
            #expect(try attribute("known", of: before) == "")
            service.subscribe(try attribute("key", of: before))
            #expect(before.text.contains("None yet.") && before.text.contains("/assets/push."))

            let made = try await subscribe(&browser, service)

            #expect(made.status == 201 && made.text == "{}")
            let page = try await browser.open(Self.path)
            #expect(try attribute("known", of: page).count == 64)
            #expect(page.text.contains("through 127.0.0.1") && !page.text.contains(service.endpoint))
            let device = try #require(
                page.text.firstMatch(of: #/\/settings\/notifications\/[0-9a-f-]{36}/#).map { String($0.output) })

            let test = try await browser.submit([:], to: "\(device)/test", from: Self.path)
            #expect(test.location == "\(Self.path)?done=tested")
            #expect(service.messages[0].isSigned)
            #expect(service.messages[0].notification["navigate"]?.string == "\(pics.base)\(Self.path)")

            let chosen = try await browser.submit(
                ["kinds": "logins", "kinds": "anything"], to: "\(device)/choose", from: Self.path)
            #expect(chosen.location == "\(Self.path)?done=saved")
            let checked = try await browser.open(Self.path).text.matches(of: #/value="(\w+)" checked/#)
            #expect(checked.map { $0.1 } == ["logins"])

            let removed = try await browser.submit([:], to: "\(device)/remove", from: Self.path)
            #expect(removed.location == "\(Self.path)?done=removed")
            #expect(try await browser.open("\(Self.path)?done=removed").text.contains("Browser removed."))
            #expect(try attribute("known", of: try await browser.open(Self.path)) == "")
        }
    }

    @Test func `signing out ends the browser's notifications, and so does turning them off`() async throws {
        try await withPush { pics, service in
            try await pics.letIn("admin")
            var (one, other) = (try await pics.browser(of: "admin"), try await pics.browser(of: "admin"))
            _ = try await subscribe(&one, service)
            #expect(try await other.open(Self.path).text.contains("through 127.0.0.1"))

            let off = try await one.submit(
                [:], to: "\(Self.path)/here/remove", from: Self.path, with: ["Accept": "application/json"])
            #expect(off.status == 200)
            #expect(try await other.open(Self.path).text.contains("None yet."))

            _ = try await subscribe(&one, service)
            #expect(try await other.open(Self.path).text.contains("through 127.0.0.1"))
            _ = try await one.submit([:], to: "/logout", from: Self.path)
            #expect(try await other.open(Self.path).text.contains("None yet."))
        }
    }

    @Test func `what is no browser of an allowed push service is refused with a sentence`() async throws {
        try await withPush { pics, service in
            var browser = try await pics.browser()
            let wrong: [(FormFields, String)] = [
                (["endpoint": "https://evil.example/", "p256dh": service.p256dh, "auth": service.auth], "push_hosts"),
                (["endpoint": service.endpoint, "p256dh": "x", "auth": service.auth], "keys"), ([:], "push_hosts"),
            ]
            for (form, word) in wrong {
                let page = try await browser.submit(
                    form, to: "\(Self.path)/here", from: Self.path, with: ["Accept": "application/json"])
                let problem = try JSONValue(parsing: Array(page.text.utf8))["problem"]?.string ?? ""
                #expect(page.status == 422 && problem.contains(word), "\(problem)")
            }
            #expect(try await browser.open(Self.path).text.contains("None yet."))
        }
    }

    @Test func `nobody reaches the browsers of others, and no other site subscribes one`() async throws {
        try await withPush { pics, service in
            var browser = try await pics.browser()
            _ = try await subscribe(&browser, service)
            let text = try await browser.open(Self.path).text
            let device = try #require(
                text.firstMatch(of: #/\/settings\/notifications\/[0-9a-f-]{36}/#).map { String($0.output) })
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")

            for action in ["test", "choose", "remove"] {
                #expect(try await bob.submit([:], to: "\(device)/\(action)", from: Self.path).status == 404)
            }
            for fields in [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"]] as [HTTPFields] {
                let page = try await bob.submit(form(service), to: "\(Self.path)/here", from: Self.path, with: fields)
                #expect(page.status == 403)
            }
            #expect(try await bob.post(form(service), to: "\(Self.path)/here").status == 403)
            #expect(service.messages.isEmpty)
            #expect(try await browser.open(Self.path).text.contains("through 127.0.0.1"))
        }
    }

    @Test func `a test that the push service refuses says so`() async throws {
        try await withPush(403) { pics, service in
            var browser = try await pics.browser()
            _ = try await subscribe(&browser, service)
            let text = try await browser.open(Self.path).text
            let device = try #require(
                text.firstMatch(of: #/\/settings\/notifications\/[0-9a-f-]{36}/#).map { String($0.output) })

            let page = try await browser.submit([:], to: "\(device)/test", from: Self.path)

            #expect(page.status == 422 && page.text.contains("refused the message (HTTP 403)"))
        }
    }

    @Test func `the worker shows what is pushed, and opens pages of Pics alone`() async throws {
        try await withInProcessPics { pics in
            var browser = Browser(pics)
            let worker = try await browser.open("/worker.js").text

            #expect(worker.contains("addEventListener(\"push\"") && worker.contains("showNotification"))
            #expect(worker.contains("addEventListener(\"notificationclick\""))
            #expect(worker.contains("const icon = \"/assets/icon-192."))
        }
    }
}

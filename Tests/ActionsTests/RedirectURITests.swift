import HTTP
import Testing

@testable import Actions

struct RedirectURITests {
    @Test(
        arguments: [
            ("https://app.example/callback", .host("app.example")),
            ("https://App.Example:8443/cb?a=b", .host("app.example")),
            ("https://elk.zone/api/pics.example/oauth/https%3A%2F%2Felk.zone", .host("elk.zone")),
            ("icecubesapp://", .device),
            ("com.tapbots.Ivory.10217:/request_token", .device),
            ("oauth2redirect://com.keylesspalace.tusky/", .device),
            ("org.joinmastodon.android-auth://callback", .device),
            ("http://127.0.0.1:53412/cb", .device),
            ("http://[::1]/cb", .device),
            ("http://localhost:8080/cb", .device),
            ("https://localhost/cb", .device),
            ("urn:ietf:wg:oauth:2.0:oob", .screen),
        ] as [(String, RedirectURI.Place)])
    func `an address of an app is taken as it is`(text: String, place: RedirectURI.Place) throws {
        let redirect = try #require(RedirectURI(text))

        #expect(redirect.text == text)
        #expect(redirect.place == place)
        #expect(redirect.matches(text))
    }

    @Test(arguments: [
        "", "callback", "/callback", "//app.example/cb", "https:", "https://", "https:///cb", "https:app.example",
        "http://app.example/cb", "http://127.0.0.1.evil.example/cb", "http://127.0.0.1@evil.example/",
        "http://localhost.evil.example/", "http://127.0.0.2/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/",
        "https://user@app.example/cb", "https://user:password@app.example/cb", "https://app.example/cb#",
        "https://app.example/cb#x", "https://app.example\\@evil.example/", "https://app.example/a b",
        "https://app.example/\ta", "https://app.example/\r\nLocation: https://evil.example/", "https://app.example/é",
        "https://app.example:99999/", "https://app.example/\u{0}", "https://%61pp.example/",
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
        "blob:https://a/", "about:blank", "ftp://a/", "ws://a/", "wss://a/", "mailto:a@b.example", "tel:1", "sms:1",
        "intent://scan/#Intent;end", "intent:x", "chrome://settings", "chrome-extension://abc/x",
        "chrome-untrusted://x",
        "moz-extension://abc/x", "safari-web-extension://abc/", "edge://settings", "opera://about", "brave://x",
        "devtools://x", "view-source:https://a/", "filesystem:https://a/", "resource://a/", "jar:https://a!/b",
        "ms-msdt:/id", "ms-settings:x", "search-ms:query=x", "android-app://a/b", "content://a", "market://details",
        "itms-services://?action=download", "urn:ietf:wg:oauth:2.0:oob:auto", "URN:ietf:wg:oauth:2.0:oob", "urn:x:y",
        "javascript\t:alert(1)", "1app://x", "-app://x", "ap_p://x", "://x", ":x", "a\"b://c", "app://<x>",
    ])
    func `where nobody may be sent is no address`(text: String) {
        #expect(RedirectURI(text) == nil)
    }

    @Test func `an address has two thousand bytes at most`() {
        let start = "https://app.example/"

        #expect(RedirectURI(start + String(repeating: "a", count: 2000 - start.utf8.count)) != nil)
        #expect(RedirectURI(start + String(repeating: "a", count: 2001 - start.utf8.count)) == nil)
    }

    private static let registered = "https://app.example/callback"

    @Test(arguments: [
        "https://app.example.evil/callback", "https://app.example/callback/../x", "https://app.example/callback/",
        "https://app.example/callback?x", "https://app.example/callback?", "https://app.example/%63allback",
        "https://app.example/%2e%2e/callback", "https://APP.example/callback", "https://app.example:443/callback",
        "HTTPS://app.example/callback", "https://app.example//callback", "https://app.example/Callback",
        "https://app.example./callback", "https://app.example/callback;x", "app.example:/callback",
        "https://app.example", "https://evil.example/https://app.example/callback",
    ])
    func `an address that looks like a registered one is another`(text: String) {
        #expect(RedirectURI(text)?.matches(Self.registered) != true)
    }

    @Test func `escapes are compared as they are written`() throws {
        let written = "https://elk.zone/api/pics.example/oauth/https%3A%2F%2Felk.zone"
        let redirect = try #require(RedirectURI(written))

        for other in [
            "https://elk.zone/api/pics.example/oauth/https%3a%2f%2felk.zone",
            "https://elk.zone/api/pics.example/oauth/https://elk.zone",
            "https://elk.zone/api/pics.example/oauth/https%253A%252F%252Felk.zone",
        ] {
            #expect(!redirect.matches(other))
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:53412/cb", "http://127.0.0.1/cb"),
        ("http://127.0.0.1:1/cb?a=b", "http://127.0.0.1:65535/cb?a=b"),
        ("http://[::1]:8000/cb", "http://[::1]/cb"), ("http://127.0.0.1:9", "http://127.0.0.1"),
    ])
    func `the port of an address on this machine is free`(asked: String, registered: String) throws {
        #expect(try #require(RedirectURI(asked)).matches(registered))
    }

    @Test(arguments: [
        ("http://127.0.0.1:53412/cb", "http://127.0.0.1/other"), ("http://127.0.0.1:53412/cb", "http://[::1]/cb"),
        ("http://localhost:53412/cb", "http://localhost/cb"), ("https://127.0.0.1:1/cb", "https://127.0.0.1:2/cb"),
        ("https://app.example:1/cb", "https://app.example/cb"),
        ("http://127.0.0.1:1/cb", "https://127.0.0.1:1/cb"), ("http://127.0.0.1:1/cb?x", "http://127.0.0.1:1/cb"),
    ])
    func `nothing but that port is free`(asked: String, registered: String) throws {
        #expect(try !#require(RedirectURI(asked)).matches(registered))
    }

    @Test(arguments: [
        ("https://app.example/cb", "https://app.example/cb?code=a%26b"),
        ("https://app.example/cb?a=b%20c", "https://app.example/cb?a=b%20c&code=a%26b"),
        ("icecubesapp://", "icecubesapp://?code=a%26b"),
        ("com.tapbots.Ivory.10217:/request_token", "com.tapbots.Ivory.10217:/request_token?code=a%26b"),
    ])
    func `parameters go behind what is there, which stays as it is`(text: String, whole: String) throws {
        #expect(try #require(RedirectURI(text)).adding([("code", "a&b")]) == whole)
    }
}

import Testing

@testable import Settings

struct SettingValueTests {
    enum Level: String, CaseIterable, SettingValue { case low, high }

    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)), ("2 h", .seconds(7200)),
            ("1d", .seconds(86400)), ("0s", .zero), ("90s", .seconds(90)),
        ] as [(String, Duration)])
    func `a duration is a number and a unit`(text: String, expected: Duration) {
        #expect(Duration(setting: text) == expected)
        #expect(Duration(setting: expected.settingText) == expected)
    }

    @Test(arguments: ["", "30", "s", "-1s", "1.5s", "1week", "99999999999999999d", "1h30m", "٣s"])
    func `what is not a duration is refused`(text: String) {
        #expect(Duration(setting: text) == nil)
    }

    @Test(arguments: [
        ("512B", 512), ("64KiB", 65536), ("20MB", 20_000_000), ("1gib", 1 << 30), ("7", 7), ("3 KB", 3000), ("0B", 0),
        ("2TiB", 2 << 40), ("1TB", 1_000_000_000_000),
    ])
    func `a byte count is a number and a unit`(text: String, expected: Int) throws {
        let count = try #require(ByteCount(setting: text))

        #expect(count.bytes == expected)
        #expect(ByteCount(setting: count.settingText) == count)
    }

    @Test(arguments: ["", "KiB", "-1B", "1.5MB", "20Mb/s", "9999999999TiB"])
    func `what is not a byte count is refused`(text: String) {
        #expect(ByteCount(setting: text) == nil)
    }

    @Test func `a byte count shows its shortest text`() {
        #expect(ByteCount.kibibytes(64).settingText == "64KiB")
        #expect(ByteCount.mebibytes(2048).settingText == "2GiB")
        #expect(ByteCount(bytes: 20_000_000).settingText == "20MB")
        #expect(ByteCount(bytes: 1025).settingText == "1025B")
    }

    @Test(arguments: [
        "https://pics.example", "http://localhost:8080/pics", "http://[::1]:8080", "https://pics.example/",
    ])
    func `a web address is kept without a slash at its end`(text: String) {
        #expect(WebAddress(setting: text)?.text == (text.hasSuffix("/") ? String(text.dropLast()) : text))
    }

    @Test(arguments: [
        "", "pics.example", "ftp://pics.example", "https://", "https://me@pics.example", "https://pics.example/?a=b",
        "https://pics.example/#a", "https://pics example", "http://pics.example:99999",
    ])
    func `what is not a web address is refused`(text: String) {
        #expect(WebAddress(setting: text) == nil)
    }

    @Test(arguments: [
        ("https://app.example", ["https://app.example"]), ("*", []),
        (" HTTPS://App.Example/ ", ["https://app.example"]),
        (
            "https://a.example:443 http://b.example:80  http://localhost:5173",
            ["https://a.example", "http://b.example", "http://localhost:5173"]
        ),
        ("capacitor://localhost", ["capacitor://localhost"]), ("http://[::1]:8080", ["http://[::1]:8080"]),
    ])
    func `origins are kept as browsers write them`(text: String, expected: [String]) throws {
        let origins = try #require(WebOrigins(setting: text))

        #expect(origins.texts == expected)
        #expect(origins.isAny == (text == "*"))
        #expect(WebOrigins(setting: origins.settingText) == origins)
    }

    @Test(arguments: [
        "", " ", "app.example", "https://app.example/pics", "https://app.example?a", "https://", "null",
        "* https://a.example",
        "https://me@app.example", "https://a.example,https://b.example", "https://*.example", "https://a.example:0",
        "https://a.example\nhttps://b.example",
    ])
    func `what are not origins is refused`(text: String) {
        #expect(WebOrigins(setting: text) == nil)
    }

    @Test func `truth has several words`() {
        #expect(["true", "Yes", "on", "1"].allSatisfy { Bool(setting: $0) == true })
        #expect(["false", "NO", "off", "0"].allSatisfy { Bool(setting: $0) == false })
        #expect(Bool(setting: "maybe") == nil)
    }

    @Test func `a list has commas`() {
        #expect([String](setting: " a, b ,,c") == ["a", "b", "c"])
        #expect([String](setting: "") == [])
        #expect([Int](setting: "1, x") == nil)
        #expect([Int](setting: "1, 2")?.settingText == "1, 2")
    }

    @Test func `empty text is an absent value`() {
        #expect(Int?(setting: "") == .some(.none))
        #expect(Int?(setting: "4") == .some(.some(4)))
        #expect(Int?(setting: "four") == nil)
    }

    @Test func `an enumeration takes its names`() {
        #expect(Level(setting: "high") == .high)
        #expect(Level(setting: "higher") == nil)
        #expect(Level.settingKind == "one of low, high")
    }

    @Test func `a path is not empty and holds no zero byte`() {
        #expect(SettingPath(setting: "data/blobs")?.text == "data/blobs")
        #expect(SettingPath(setting: "") == nil)
        #expect(SettingPath(setting: "a\0b") == nil)
    }
}

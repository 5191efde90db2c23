import Domain
import Testing

struct ProfileTests {
    @Test func `a profile is taken without spaces around it, and links get a scheme`() throws {
        let profile = try Profile.read(
            displayName: "  Ada Lovelace ", about: "Lakes.\r\nTrains. ",
            links: ["", " https://example.org/ada ", "example.com", "https://example.org/ada"])

        #expect(profile.displayName == "Ada Lovelace")
        #expect(profile.about == "Lakes.\nTrains.")
        #expect(profile.links == ["https://example.org/ada", "https://example.com"])
        #expect(try Profile.read(displayName: " ", about: "\n", links: []) == Profile())
    }

    @Test(
        arguments: [
            (String(repeating: "a", count: 101), "", "", .displayName), ("a\nb", "", "", .displayName),
            ("ada\u{202E}nimda", "", "", .displayName), ("\u{2066}ada", "", "", .displayName),
            ("\u{200B}\u{3164}\u{2800}", "", "", .displayName),
            ("", String(repeating: "あ", count: 501), "", .about), ("", "a\u{0}b", "", .about),
            ("", "", "javascript://example.org/%0aalert(1)", .link("javascript://example.org/%0aalert(1)")),
            ("", "", "https://alice:secret@example.org", .link("https://alice:secret@example.org")),
            ("", "", "nothing", .link("nothing")), ("", "", "https://exa mple.org", .link("https://exa mple.org")),
        ] as [(String, String, String, Profile.Mistake)])
    func `what a profile cannot have is refused`(name: String, about: String, link: String, mistake: Profile.Mistake) {
        #expect(throws: mistake) { try Profile.read(displayName: name, about: about, links: [link]) }
    }

    @Test func `a sixth link is refused`() {
        #expect(throws: Profile.Mistake.tooManyLinks) {
            try Profile.read(displayName: "", about: "", links: (1...6).map { "https://example.org/\($0)" })
        }
    }
}

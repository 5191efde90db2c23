import Testing

@testable import Actions

struct AppNameTests {
    @Test(arguments: [
        ("Ice Cubes", "Ice Cubes"), ("  Tusky\n ", "Tusky"), ("写真  アプリ", "写真 アプリ"), ("<b>Bold</b>", "<b>Bold</b>"),
        ("Epics", "Epics"), ("Pics Uploader", "Pics Uploader"), ("📷", "📷"),
    ])
    func `a name is shown on one line`(text: String, name: String) {
        #expect(AppName.read(text) == name)
    }

    @Test(arguments: [
        "Pics", "PICS", " pics ", "p i c s", "P.i.c.s", "pics!!", "Рісѕ", "ріcs", "Píćs", "P\u{301}ics", "ｐｉｃｓ", "ᵖⁱᶜˢ",
        "p！cs", "pic＄", "p｜cs", "pⅼcs", "𝛒ics", "ϱics", "🅟🅘🅒🅢", "ℙⅈℂs", "p１cs",
        "𝐏𝐢𝐜𝐬",
        "p1cs",
        "Plcs", "ᴘɪᴄꜱ", "Pi\u{200B}cs", "P\u{200D}ics", "\u{200F}Pics", "ρics", "p!cs", "pic$", "Ⓟⓘⓒⓢ",
    ])
    func `an app is not called as this server is, however it is written`(text: String) {
        #expect(AppName.read(text) == nil)
    }

    @Test(arguments: [
        "", "   ", "\u{200B}", "\u{2800}", "Photos \u{202E}sciP", "a\u{2066}b", "a\u{7}b", "a\u{0}b", "a\u{1B}[31m",
    ])
    func `a name that nobody sees, that turns text or acts on terminals is none`(text: String) {
        #expect(AppName.read(text) == nil)
    }

    @Test func `a name has a hundred characters at most`() {
        #expect(AppName.read(String(repeating: "a", count: 100)) != nil)
        #expect(AppName.read(String(repeating: "a", count: 101)) == nil)
        #expect(AppName.read(String(repeating: "a", count: 10_000)) == nil)
        #expect(AppName.read("a" + String(repeating: "\u{301}", count: 10_000)) == nil)
    }
}

internal import Actions
internal import Testing

struct ReturnAddressTests {
    @Test(arguments: ["myapp://connected", "myapp:/done", "com.example.app:done?x=1", "MyApp://connected"])
    func `an address of an app's own scheme is taken`(text: String) {
        #expect(AppRedirect(text) != nil)
    }

    @Test(arguments: [
        "https://evil.example/", "http://127.0.0.1/", "javascript:alert(1)", "JavaScript://x/%0aalert(1)",
        "data:text/html,x", "file:///etc/passwd", "blob:x", "//evil.example", "/path", "", "myapp", "1app://x",
        "myapp://x\r\nSet-Cookie: a=b", "myapp://us er", "myapp://user:secret@host", "intent://x#Intent;end",
    ])
    func `a page, a script, a file and what is no address are not`(text: String) {
        #expect(AppRedirect(text) == nil)
    }

    @Test func `parameters are added to those that are there`() {
        let address = AppRedirect("myapp://done?a=1")

        #expect(address?.adding([("connection", "x&y")]) == "myapp://done?a=1&connection=x%26y")
    }
}

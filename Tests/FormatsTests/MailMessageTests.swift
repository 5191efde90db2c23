import Testing

@testable import Formats

struct MailMessageTests {
    private static let alice = MailAddress("Alice Föhn <alice@Example.com>")
    private static let ann = MailAddress("ann@example.org")

    private static func message(
        subject: String = "Föhn", text: String = "Föhn\n.", html: String? = nil, files: [MailMessage.File] = [],
        to: [MailAddress?] = [ann], isAutomatic: Bool = false
    ) throws -> MailMessage {
        MailMessage(
            from: try #require(alice), to: to.compactMap { $0 }, subject: subject, date: 1_795_290_120,
            key: "0198 c2b0", text: text, html: html, files: files, isAutomatic: isAutomatic)
    }

    private static func written(_ message: MailMessage, _ files: [[UInt8]] = []) -> String {
        let bytes = message.pieces.flatMap { piece in
            switch piece {
            case .text(let bytes): bytes
            case .file(let place): MailBody.base64Lines(files[place])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `words alone are one part`() throws {
        let message = try Self.message(isAutomatic: true)

        #expect(
            Self.written(message)
                == """
                Date: Sat, 21 Nov 2026 19:42:00 +0000
                From: =?UTF-8?B?QWxpY2UgRsO2aG4=?= <alice@example.com>
                To: <ann@example.org>
                Subject: =?UTF-8?B?RsO2aG4=?=
                Message-ID: <0198-c2b0.pics@example.com>
                Auto-Submitted: auto-generated
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                F=C3=B6hn
                =2E

                """.replacing("\n", with: "\r\n"))
        #expect(message.size == Int64(Self.written(message).utf8.count))
    }

    @Test func `pictures are shown among the words, and files alone are attached`() throws {
        let picture = MailMessage.File(
            name: "a.jpg", mediaType: "image/jpeg", bytes: 3, summary: "A lake", isInline: true)
        let film = MailMessage.File(
            name: "Föhn \"1\".mp4", mediaType: "video/mp4", bytes: 3, summary: "", isInline: false)

        let shown = try Self.message(html: "<p>Föhn</p>", files: [picture, picture])
        let attached = try Self.message(html: "<p>Föhn</p>", files: [film])

        #expect(
            Self.written(shown, [[1, 2, 3], [4, 5, 6]]).contains(
                """
                MIME-Version: 1.0
                Content-Type: multipart/related; type="multipart/alternative";
                 boundary="=_files_0198-c2b0"

                --=_files_0198-c2b0
                Content-Type: multipart/alternative; boundary="=_words_0198-c2b0"

                --=_words_0198-c2b0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                F=C3=B6hn
                =2E

                --=_words_0198-c2b0
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                <p>F=C3=B6hn</p>

                --=_words_0198-c2b0--

                --=_files_0198-c2b0
                Content-Type: image/jpeg; name="a.jpg"
                Content-Transfer-Encoding: base64
                Content-Disposition: inline; filename="a.jpg"
                Content-ID: <1.0198-c2b0.pics@example.com>
                Content-Description: A lake

                AQID

                --=_files_0198-c2b0
                """.replacing("\n", with: "\r\n")))
        let text = Self.written(attached, [[1, 2, 3]])
        #expect(text.contains("Content-Type: multipart/mixed; boundary="))
        #expect(text.contains("Content-Disposition: attachment; filename*=UTF-8''F%C3%B6hn%20%221%22.mp4\r\n"))
        #expect(attached.size == Int64(text.utf8.count))
    }

    @Test func `several recipients are not told of each other`() throws {
        let text = Self.written(try Self.message(to: [Self.ann, MailAddress("bob@example.org")]))

        #expect(text.contains("To: undisclosed-recipients:;\r\n"))
        #expect(!text.contains("ann@") && !text.contains("bob@"))
    }

    @Test(arguments: [
        "", ".", "..", "Föhn\r\nBcc: eve@example.com", "a\u{0}b\u{7F}\u{85}c\tD", String(repeating: "🏔️", count: 300),
        String(repeating: "a", count: 5000), "=?UTF-8?B?QQ==?=", String(repeating: ". ", count: 200), "a \n b \r c\t",
        "--=_files_0198-c2b0--", "From x", String(repeating: "a", count: 75) + ".", String(repeating: "=", count: 200),
    ])
    func `whatever people write, lines are short, in ASCII and of their own field`(words: String) throws {
        let file = MailMessage.File(name: words, mediaType: "image/jpeg", bytes: 200, summary: words, isInline: true)
        var message = try Self.message(subject: words, text: words, html: words, files: [file])
        message.sender = try #require(MailAddress(address: "alice@example.com", name: words))

        let text = Self.written(message, [[UInt8](repeating: 255, count: 200)])

        #expect(text.utf8.allSatisfy { 0x20...0x7E ~= $0 || [0x09, 0x0A, 0x0D].contains($0) })
        #expect(text.replacing("\r\n", with: "").utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A })
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 || $0.contains("name") && words.utf8.count > 50 })
        #expect(!lines.contains { $0.hasPrefix(".") } && !lines.prefix { !$0.isEmpty }.contains { $0.hasPrefix("Bcc") })
        #expect(lines.filter { $0.hasPrefix("--=_files_0198-c2b0") }.count == 3)
        #expect(lines.count { $0.hasPrefix("Subject:") } == 1)
        #expect(message.size == Int64(text.utf8.count))
    }

    @Test(arguments: [0, 1, 2, 3, 56, 57, 58, 113, 114, 115, 1_000_000])
    func `the length in base64 is known before`(count: Int) {
        let length = MailBody.length(ofBase64: Int64(count))

        #expect(Int64(MailBody.base64Lines([UInt8](repeating: 7, count: count)).count) == length)
        let most = MailBody.bytes(inBase64: length)
        #expect(most >= count && MailBody.length(ofBase64: most) <= length)
    }

    @Test(
        arguments: [
            ("alice@example.com", "alice@example.com", nil), (" a.b+c@Example.COM ", "a.b+c@example.com", nil),
            ("Alice <alice@example.com>", "alice@example.com", "Alice"), ("<a@b>", "a@b", nil),
            ("\"Lake, A\" <a@b.example>", "a@b.example", "Lake, A"),
        ] as [(String, String, String?)])
    func `an address is read`(text: String, address: String, name: String?) {
        let read = MailAddress(text)

        #expect(read?.address == address && read?.name == name)
    }

    @Test(arguments: [
        "", "alice", "@example.com", "alice@", "a@b@c", "a b@c", "a@b c", "a..b@c", ".a@b", "a.@b", "a@-b", "a@b..c",
        "a@b\r\nRCPT TO:<eve@example.com>", "a@b> SIZE=1", "<a@b", "\"a b\"@c", "a@[127.0.0.1]", "äl@example.com",
        "a@mäil.example", "a@b\u{0}", "x <a@b> y", String(repeating: "a", count: 65) + "@b",
        "a@" + String(repeating: "b.", count: 130) + "c",
    ])
    func `what is no address is none`(text: String) {
        #expect(MailAddress(text) == nil)
    }
}

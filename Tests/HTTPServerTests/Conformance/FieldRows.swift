extension Row {
    static let fieldValues = asked(
        by: "RFC 9110, 5.5; RFC 9112, 5",
        [
            ok("no space after the colon", field("A:b")).says("b"),
            ok("spaces and tabs around a value", field("A: \t b \t")).says("b"),
            ok("an empty value", field("A:")).says(""),
            ok("a value of spaces", field("A:   ")).says(""),
            ok("a value of a colon", field("A::")).says(":"),
            ok("a tab within a value", field("A: b\tc")).says("b\tc"),
            ok("several spaces within a value", field("A: b  c")).says("b  c"),
            ok("bytes beyond ASCII in a value", field("A: é")).says("é"),
            ok(
                "bytes in a value that are no UTF-8",
                bytes: Array("GET / HTTP/1.1\r\nHost: h\r\nA: ".utf8) + [0x80, 0xFF, 0xC0] + Array("\r\n\r\n".utf8)),
            ok("punctuation in a value", field("A: ()<>@,;:\\\"/[]?={}")).says("()<>@,;:\\\"/[]?={}"),
            ok("a name twice", field("A: b", "A: c")).says("b, c"),
            ok("a name twice with others between", field("A: b", "B: x", "a: c")).says("b, c"),
            ok("an empty value and another", field("A:", "A: c")).says(", c"),
            refused("NUL in a value", field("A: b\0c")),
            refused("NUL for a value", field("A: \0")),
            refused("a start of heading in a value", field("A: b\u{1}")),
            refused("a bell in a value", field("A: \u{7}")),
            refused("a backspace in a value", field("A: b\u{8}c")),
            refused("a vertical tab in a value", field("A: \u{B}")),
            refused("a form feed in a value", field("A: b\u{C}")),
            refused("an escape character in a value", field("A: \u{1B}[31m")),
            refused("the last control character in a value", field("A: \u{1F}")),
            refused("DEL in a value", field("A: \u{7F}")),
        ])

    static let fieldNames = asked(
        by: "RFC 9110, 5.1; RFC 9112, 5.1",
        [
            ok("a name in small letters", field("a: b")).says("b"),
            ok("odd characters in a name", field("!#$%&'*+-.^_`|~1: x", "A: b")).says("b"),
            ok("a digit for a name", field("1: x")).says("none"),
            ok("a name like a request line's", field("GET: x")).says("none"),
            refused("a space before the colon", field("A : b")),
            refused("a tab before the colon", field("A\t: b")),
            refused("a space within a name", field("A b: c")),
            refused("no colon", field("A")),
            refused("no colon in the last line", field("A: b", "C")),
            refused("an empty name", field(": b")),
            refused("only a colon", field(":")),
            refused("NUL in a name", field("A\0: b")),
            refused("a control character in a name", field("A\u{1}: b")),
            refused("a name beyond ASCII", field("é: b")),
            refused(
                "a name beyond ASCII in Latin-1",
                bytes: Array("GET / HTTP/1.1\r\nHost: h\r\n".utf8) + [0xE9, 0x3A]
                    + Array(" b\r\n\r\n".utf8)),
        ] + "(),/;<=>?@[\\]{}\"".map { refused("a name with \($0)", field("A\($0)b: c")) })

    static let foldedLines = asked(
        by: "RFC 9112, 5.2 and 2.2",
        [
            refused("a folded line", field("A: b", " c")),
            refused("a folded line with a tab", field("A: b", "\tc")),
            refused("a folded line after an empty value", field("A:", " b")),
            refused("a folded line of nothing", field("A: b", " ")),
            refused("a folded line that looks like a field", field("A: b", " C: d")),
            refused("a folded first line", "GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
            refused("a line of a space before the first field", "GET / HTTP/1.1\r\n \r\nHost: h\r\n\r\n"),
            refused("a line of a tab for the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\t\r\n\r\n"),
        ])

    static let fieldLineEnds = asked(
        by: "RFC 9112, 2.2",
        [
            refused("a bare CR in a value", field("A: b\rc")),
            refused("a bare CR before the next field", field("A: b\rB: c")),
            refused("a bare CR in a name", field("A\rB: c")),
            refused("CR CR LF after a value", field("A: b\r")),
            refused("a bare LF after a value", field("A: b\nB: c")),
            refused("LF CR after a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\n\r\r\n"),
            refused("a bare LF in a name", field("A\nB: c")),
            refused("a bare LF for the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\n"),
            refused("only bare LFs", "GET / HTTP/1.1\nHost: h\n\n"),
            refused("a bare CR for the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\r\r\n"),
            refused("two bare LFs hide a request", field("A: b\n\nGET /hidden HTTP/1.1")),
        ])

    static let fieldLimits = asked(
        by: "RFC 9110, 5.4; RFC 6585, 5",
        [
            ok("a hundred fields", get((0..<99).map { "A\($0): b" }.joined(separator: "\r\n"))),
            refused("a hundred and one fields", get((0..<100).map { "A\($0): b" }.joined(separator: "\r\n")), 431),
            ok("30 KiB in one field", field("A: " + letters(30 << 10))).says(letters(30 << 10)),
            // 14 bytes are "Host: h", "A: " and two line ends.
            ok("fields of exactly 32 KiB", get("A: " + letters((32 << 10) - 14))),
            refused("fields of 32 KiB and a byte", get("A: " + letters((32 << 10) - 13)), 431),
            refused("33 KiB in one field", get("A: " + letters(33 << 10)), 431),
            refused(
                "33 KiB in many fields", get((0..<66).map { "A\($0): " + letters(512) }.joined(separator: "\r\n")), 431),
            ok("a name of 30 KiB", get(letters(30 << 10) + ": b")),
            refused("a name without end", "GET / HTTP/1.1\r\nHost: h\r\n" + letters(60_000), 431),
            refused("a value without end", "GET / HTTP/1.1\r\nHost: h\r\nA: " + letters(60_000), 431),
            refused(
                "fields without end", "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "A: b\r\n", count: 5_000), 431
            ),
        ])
}

/// `GET /field`, which answers with the values of `A`.
private func field(_ lines: String...) -> String {
    "GET /field HTTP/1.1\r\nHost: h\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n"
}

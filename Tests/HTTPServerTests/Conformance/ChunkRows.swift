extension Row {
    static let chunks = asked(
        by: "RFC 9112, 7.1",
        [
            ok("no chunk", chunked("0\r\n\r\n")).says(""),
            ok("one chunk", chunked("3\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("two chunks", chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")).says("abcde"),
            ok("chunks of a byte", chunked("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n")).says("abc"),
            ok("data that looks like a chunk", chunked("5\r\n0\r\n\r\n\r\n0\r\n\r\n")).says("0\r\n\r\n"),
            ok("data of CR LF", chunked("2\r\n\r\n\r\n0\r\n\r\n")).says("\r\n"),
            ok("data of NUL", chunked("1\r\n\0\r\n0\r\n\r\n")).says("\0"),
            ok("what follows is the next request", chunked("0\r\n\r\n") + get(), 200, 200).says("", "root"),
            ok("an empty line between a body and a request", chunked("0\r\n\r\n") + "\r\n" + get(), 200, 200),
            refused("data longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n")),
            refused("data shorter than its size", chunked("4\r\nabc\r\n0\r\n\r\n")),
            refused("no last chunk before the next request", chunked("3\r\nabc\r\n") + get()),
            refused("an empty line between chunks", chunked("3\r\nabc\r\n\r\n0\r\n\r\n")),
            refused("no chunk before the next request", chunked("") + get()),
            refused(
                "a chunk larger than the limit", chunked("100001\r\n" + String(repeating: "a", count: 1_048_577)), 413),
            refused(
                "chunks larger than the limit",
                chunked(String(repeating: "40000\r\n" + letters(0x40000) + "\r\n", count: 5)), 413),
            closes("bytes behind the last chunk", chunked("0\r\n\r\n") + "abc\r\n\r\n", 200, 400),
        ])

    static let chunkSizes = asked(
        by: "RFC 9112, 7.1",
        [
            ok("a size in capitals", chunked("A\r\n0123456789\r\n0\r\n\r\n")).says("0123456789"),
            ok("a size in small letters", chunked("a\r\n0123456789\r\n0\r\n\r\n")).says("0123456789"),
            ok("a size of two digits", chunked("1a\r\n\(letters(26))\r\n0\r\n\r\n")).says(letters(26)),
            ok("leading zeros", chunked("003\r\nabc\r\n000\r\n\r\n")).says("abc"),
            ok("a size of fifteen digits", chunked("000000000000003\r\nabc\r\n0\r\n\r\n")).says("abc"),
            refused("a size of sixteen digits", chunked("0000000000000003\r\nabc\r\n0\r\n\r\n")),
            refused("a last size of sixteen digits", chunked("0000000000000000\r\n\r\n")),
            refused("a size that is 3 in 64 bits", chunked("10000000000000003\r\nabc\r\n0\r\n\r\n")),
            refused("a size that is negative in 64 bits", chunked("FFFFFFFFFFFFFFFD\r\nabc\r\n0\r\n\r\n")),
            refused("a size that overflows", chunked("FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n")),
            refused("no size", chunked("\r\nabc\r\n0\r\n\r\n")),
            refused("an extension without size", chunked(";a\r\nabc\r\n0\r\n\r\n")),
        ]
            + [
                "x", "g", "+3", "-3", "-0", "0x3", "3h", "1_0", " 3", "\t3", "3 ", "3\t", "3,", "3.0", "\"3\"", "３",
                "3\0", "3\u{B}",
            ]
            .map { refused("the size \"\($0)\"", chunked("\($0)\r\nabc\r\n0\r\n\r\n")) })

    static let chunkExtensions = asked(
        by: "RFC 9112, 7.1.1",
        [
            ok("an extension", chunked("3;a=b\r\nabc\r\n0;c\r\n\r\n")).says("abc"),
            ok("several extensions", chunked("3;a;b=c;d=\"e\"\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("an extension in quotes", chunked("3;a=\"b c\"\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("delimiters in quotes", chunked("3;a=\"b;c=\\\"d\\\"\"\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("bytes beyond ASCII in quotes", chunked("3;a=\"é\"\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("spaces around an extension's equals sign", chunked("3;a = b\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("a space before an extension", chunked("3 ;a=b\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("a tab before an extension", chunked("3\t;a=b\r\nabc\r\n0 ;c\r\n\r\n")).says("abc"),
            ok("spaces on both sides of a semicolon", chunked("3 \t ; a\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("a size that looks like an extension's value", chunked("3;a=4\r\nabc\r\n0\r\n\r\n")).says("abc"),
            ok("an extension of 8 KiB", chunked("3;" + letters(8 << 10) + "\r\nabc\r\n0\r\n\r\n")).says("abc"),
            refused(
                "an extension of 8 KiB and a byte", chunked("3;" + letters((8 << 10) + 1) + "\r\nabc\r\n0\r\n\r\n")),
            refused(
                "many extensions",
                chunked(String(repeating: "1;" + letters(100) + "\r\nb\r\n", count: 100))),
            refused("an extension without end", chunked("3;" + letters(20_000))),
            refused("spaces without end before an extension", chunked("3" + String(repeating: " ", count: 9_000))),
            refused("a word behind a space", chunked("3 a\r\nabc\r\n0\r\n\r\n")),
            refused("a digit behind a space", chunked("3 3\r\nabc\r\n0\r\n\r\n")),
            refused("a bare LF in an extension", chunked("3;a\nb\r\nabc\r\n0\r\n\r\n")),
            refused("a bare LF behind an extension", chunked("3;a\nabc\r\n0\r\n\r\n")),
            refused("a bare CR in an extension", chunked("3;a\rb\r\nabc\r\n0\r\n\r\n")),
            refused("a bare LF in quotes", chunked("3;a=\"\n\"\r\nabc\r\n0\r\n\r\n")),
            refused("NUL in an extension", chunked("3;\0\r\nabc\r\n0\r\n\r\n")),
            refused("DEL in an extension", chunked("3;\u{7F}\r\nabc\r\n0\r\n\r\n")),
            refused("quotes do not reach over a line end", chunked("3;a=\"\r\nabc\r\n0\r\n\"\r\nabc\r\n0\r\n\r\n")),
        ])

    static let chunkLineEnds = asked(
        by: "RFC 9112, 2.2 and 7.1",
        [
            refused("a bare LF after a size", chunked("3\nabc\r\n0\r\n\r\n")),
            refused("a bare CR after a size", chunked("3\rabc\r\n0\r\n\r\n")),
            refused("LF CR after a size", chunked("3\n\rabc\r\n0\r\n\r\n")),
            refused("CR CR LF after a size", chunked("3\r\r\nabc\r\n0\r\n\r\n")),
            refused("a bare LF after data", chunked("3\r\nabc\n0\r\n\r\n")),
            refused("a bare CR after data", chunked("3\r\nabc\r0\r\n\r\n")),
            refused("LF CR after data", chunked("3\r\nabc\n\r0\r\n\r\n")),
            refused("nothing after data", chunked("3\r\nabc0\r\n\r\n")),
            refused("two bytes after data that are no line end", chunked("3\r\nabcXX0\r\n\r\n")),
            refused("a bare LF after the last size", chunked("0\n\r\n")),
            refused("a bare LF at the end", chunked("0\r\n\n")),
            refused("a bare CR at the end", chunked("0\r\n\r\r\n")),
            refused("only bare LFs", chunked("3\nabc\n0\n\n")),
        ])

    static let trailers = asked(
        by: "RFC 9112, 7.1.2; RFC 9110, 6.5",
        [
            ok("a trailer", chunked("3\r\nabc\r\n0\r\nA: b\r\n\r\n")).says("abc"),
            ok("trailers", chunked("0\r\nA: b\r\nC:\r\n\r\n")),
            ok("a trailer beyond ASCII", chunked("0\r\nA: é\r\n\r\n")),
            ok("a trailer of 8 KiB", chunked("0\r\nA: " + letters((8 << 10) - 3) + "\r\n\r\n")),
            ok("a length as a trailer does not count", chunked("0\r\nContent-Length: 100\r\n\r\n") + get(), 200, 200),
            ok(
                "a coding as a trailer does not count", chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n") + get(), 200,
                200),
            ok("a Host as a trailer does not count", chunked("0\r\nHost: other\r\n\r\n")),
            ok("close as a trailer does not count", chunked("0\r\nConnection: close\r\n\r\n")),
            refused("a trailer of 8 KiB and a byte", chunked("0\r\nA: " + letters((8 << 10) - 2) + "\r\n\r\n")),
            refused("trailers without end", chunked("0\r\n" + String(repeating: "A: b\r\n", count: 3_000))),
            refused("a trailer without colon", chunked("0\r\nA\r\n\r\n")),
            refused("a trailer without name", chunked("0\r\n: b\r\n\r\n")),
            refused("a folded trailer", chunked("0\r\nA: b\r\n c\r\n\r\n")),
            refused("a folded first trailer", chunked("0\r\n A: b\r\n\r\n")),
            refused("a trailer with a space before its colon", chunked("0\r\nA : b\r\n\r\n")),
            refused("a trailer with a bad name", chunked("0\r\nA(b): c\r\n\r\n")),
            refused("a trailer with a bare LF", chunked("0\r\nA: b\nC: d\r\n\r\n")),
            refused("a trailer with a bare CR", chunked("0\r\nA: b\rC: d\r\n\r\n")),
            refused("a trailer with NUL", chunked("0\r\nA: \0\r\n\r\n")),
            refused("a trailer with a control character", chunked("0\r\nA: \u{1}\r\n\r\n")),
            refused("a request for a trailer", chunked("0\r\n") + get()),
        ])
}

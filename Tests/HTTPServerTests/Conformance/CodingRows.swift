extension Row {
    static let codings = asked(
        by: "RFC 9112, 6.1 and 7",
        [
            ok("chunked", coded("Transfer-Encoding: chunked")).says("abc"),
            ok("chunked in capitals", coded("transfer-ENCODING: CHUNKED")).says("abc"),
            ok("chunked in mixed letters", coded("Transfer-Encoding: cHuNkEd")).says("abc"),
            ok("chunked without a space", coded("Transfer-Encoding:chunked")).says("abc"),
            ok("chunked between tabs", coded("Transfer-Encoding:\tchunked\t")).says("abc"),
            ok("a chunked body of GET", request("GET /", "Transfer-Encoding: chunked", body: body)).says("root"),
            ok("a client that takes trailers", coded("Transfer-Encoding: chunked", "TE: trailers")).says("abc"),
            ok("a client that takes a coding", coded("Transfer-Encoding: chunked", "TE: gzip;q=0.5")).says("abc"),
            ok("announced trailers", coded("Transfer-Encoding: chunked", "Trailer: A, B")).says("abc"),
            ok("a coding that Connection names", coded("Connection: Transfer-Encoding", "Transfer-Encoding: chunked"))
                .says("abc"),
        ])

    static let badCodings = asked(
        by: "RFC 9112, 6.1 and 6.3",
        [
            refused("gzip before chunked", coded("Transfer-Encoding: gzip, chunked"), 501),
            refused("identity before chunked", coded("Transfer-Encoding: identity, chunked"), 501),
            refused("an unknown coding before chunked", coded("Transfer-Encoding: x, chunked"), 501),
            refused("a coding with a parameter before chunked", coded("Transfer-Encoding: x;a=b, chunked"), 501),
            refused("gzip alone", coded("Transfer-Encoding: gzip")),
            refused("identity alone", coded("Transfer-Encoding: identity")),
            refused("an unknown coding alone", coded("Transfer-Encoding: x")),
            refused("gzip after chunked", coded("Transfer-Encoding: chunked, gzip")),
            refused("identity after chunked", coded("Transfer-Encoding: chunked, identity")),
            refused("chunked twice", coded("Transfer-Encoding: chunked, chunked")),
            refused("chunked twice with another between", coded("Transfer-Encoding: chunked, gzip, chunked")),
            refused("chunked in two lines", coded("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")),
            refused(
                "chunked and identity in two lines", coded("Transfer-Encoding: chunked", "Transfer-Encoding: identity")),
            refused(
                "identity and chunked in two lines", coded("Transfer-Encoding: identity", "Transfer-Encoding: chunked")),
            refused("chunked and nothing in two lines", coded("Transfer-Encoding: chunked", "Transfer-Encoding:")),
            refused(
                "chunked in two lines apart", coded("Transfer-Encoding: chunked", "A: b", "transfer-encoding: chunked")),
            refused("an empty coding", coded("Transfer-Encoding:")),
            refused("a coding of a comma", coded("Transfer-Encoding: ,")),
            refused("a bad coding of GET", request("GET /", "Transfer-Encoding: x", body: body)),
            refused("a bad coding for nobody", request("POST /no/such/path", "Transfer-Encoding: x", body: body)),
        ])

    /// Codings that one reader might take for chunked and another not.
    static let hiddenCodings = asked(
        by: "RFC 9112, 5.1, 6.1 and 11.2",
        [
            refused("a space before the colon", coded("Transfer-Encoding : chunked")),
            refused("a tab before the colon", coded("Transfer-Encoding\t: chunked")),
            refused("a vertical tab before the colon", coded("Transfer-Encoding\u{B}: chunked")),
            refused("NUL before the colon", coded("Transfer-Encoding\0: chunked")),
            refused("a space before the name", coded(" Transfer-Encoding: chunked")),
            refused("a tab before the name", coded("\tTransfer-Encoding: chunked")),
            refused("a line end before the colon", coded("Transfer-Encoding\r\n: chunked")),
            refused("a folded line behind the colon", coded("Transfer-Encoding:\r\n chunked")),
            refused("a folded line behind chunked", coded("Transfer-Encoding: chunked\r\n , identity")),
            refused("a space within the name", coded("Transfer Encoding: chunked")),
            refused("a bare CR before the name", coded("A: b\rTransfer-Encoding: chunked")),
            refused("a bare LF before the name", coded("A: b\nTransfer-Encoding: chunked")),
            refused("a bare LF behind chunked", coded("Transfer-Encoding: chunked\nA: b")),
            refused("a bare CR behind chunked", coded("Transfer-Encoding: chunked\r")),
            refused("a vertical tab before chunked", coded("Transfer-Encoding: \u{B}chunked")),
            refused("a form feed before chunked", coded("Transfer-Encoding: \u{C}chunked")),
            refused("a no-break space before chunked", coded("Transfer-Encoding: \u{A0}chunked")),
            refused("a vertical tab behind chunked", coded("Transfer-Encoding: chunked\u{B}")),
            refused("NUL behind chunked", coded("Transfer-Encoding: chunked\0")),
            refused("a comma before chunked", coded("Transfer-Encoding: , chunked")),
            refused("a comma behind chunked", coded("Transfer-Encoding: chunked,")),
            refused("a colon before chunked", coded("Transfer-Encoding: : chunked")),
            refused("chunked in quotes", coded("Transfer-Encoding: \"chunked\"")),
            refused("chunked in single quotes", coded("Transfer-Encoding: 'chunked'")),
            refused("chunked with a parameter", coded("Transfer-Encoding: chunked;a=b")),
            refused("chunked with a weight", coded("Transfer-Encoding: chunked;q=1")),
            refused("chunked behind a word", coded("Transfer-Encoding: x chunked")),
            refused("a word behind chunked", coded("Transfer-Encoding: chunked x")),
            refused("a word that begins like chunked", coded("Transfer-Encoding: chunkedx")),
            refused("a word that ends like chunked", coded("Transfer-Encoding: xchunked")),
            refused("a part of chunked", coded("Transfer-Encoding: chunk")),
            refused("chunked with the sign of kelvin for k", coded("Transfer-Encoding: chun\u{212A}ed")),
        ])

    static let twoFramings = asked(
        by: "RFC 9112, 6.1 and 6.3",
        [
            refused("length and coding", coded("Content-Length: 3", "Transfer-Encoding: chunked")),
            refused("coding and length", coded("Transfer-Encoding: chunked", "Content-Length: 13")),
            refused("coding and length 0", coded("Transfer-Encoding: chunked", "Content-Length: 0")),
            refused(
                "coding and the right length", coded("Transfer-Encoding: chunked", "Content-Length: \(body.utf8.count)")
            ),
            refused("coding and a bad length", coded("Transfer-Encoding: chunked", "Content-Length: x")),
            refused("coding and an empty length", coded("Transfer-Encoding: chunked", "Content-Length:")),
            refused("identity and length", coded("Transfer-Encoding: identity", "Content-Length: 13")),
            refused("an unknown coding and length", coded("Transfer-Encoding: x", "Content-Length: 13")),
            refused("gzip before chunked and length", coded("Transfer-Encoding: gzip, chunked", "Content-Length: 13")),
            refused(
                "length and coding with other fields between",
                coded("Content-Length: 3", "A: b", "Transfer-Encoding: chunked")),
            refused(
                "length and coding of GET",
                request("GET /", "Content-Length: 3", "Transfer-Encoding: chunked", body: body)),
            refused(
                "a length that Connection names",
                coded("Connection: Content-Length", "Content-Length: 3", "Transfer-Encoding: chunked")),
        ])

    static let oldCodings = asked(
        by: "RFC 9112, 6.1",
        [
            refused("a coding of HTTP/1.0", old("POST /body", "Transfer-Encoding: chunked", body: body)),
            refused(
                "a coding of HTTP/1.0 with a Host",
                old("POST /body", "Host: h", "Transfer-Encoding: chunked", body: body)),
            refused(
                "a coding of HTTP/1.0 with a length",
                old("POST /body", "Transfer-Encoding: chunked", "Content-Length: 13", body: body)),
            refused("an unknown coding of HTTP/1.0", old("POST /body", "Transfer-Encoding: x", body: body)),
        ])

    /// Fields that are no framing, whatever they look like.
    static let lookalikes = asked(
        by: "RFC 9112, 6.3",
        [
            ok("a coding with an underscore", post("Transfer_Encoding: chunked", "Content-Length: 3", body: "abc"))
                .says("abc"),
            ok("a coding with X-", post("X-Transfer-Encoding: chunked", "Content-Length: 3", body: "abc")).says("abc"),
            ok("a coding with one letter more", post("Transfer-Encodings: chunked", "Content-Length: 3", body: "abc"))
                .says("abc"),
            ok("a coding without hyphen", post("TransferEncoding: chunked", "Content-Length: 3", body: "abc")).says(
                "abc"),
            ok("a client's TE", post("TE: chunked", "Content-Length: 3", body: "abc")).says("abc"),
            ok("a length with an underscore", coded("Content_Length: 3", "Transfer-Encoding: chunked")).says("abc"),
            ok("a length with X-", coded("X-Content-Length: 3", "Transfer-Encoding: chunked")).says("abc"),
            ok("a length with one letter less", coded("Content-Lengt: 3", "Transfer-Encoding: chunked")).says("abc"),
            ok("a range of content", coded("Content-Range: bytes 0-2/3", "Transfer-Encoding: chunked")).says("abc"),
        ])
}

/// The chunks of `abc`.
private let body = "3\r\nabc\r\n0\r\n\r\n"

/// `POST /body` with these field lines and the chunks of `abc`.
private func coded(_ lines: String...) -> String {
    lines.reduce("POST /body HTTP/1.1\r\nHost: h\r\n") { $0 + $1 + "\r\n" } + "\r\n" + body
}

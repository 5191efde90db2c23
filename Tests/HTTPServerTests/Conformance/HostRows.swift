extension Row {
    static let hosts = asked(
        by: "RFC 9112, 3.2; RFC 3986, 3.2.2",
        [
            ok("a Host", host("h.example")),
            ok("a Host in capitals", "GET / HTTP/1.1\r\nHOST: EXAMPLE\r\n\r\n"),
            ok("a Host behind other fields", "GET / HTTP/1.1\r\nA: b\r\nHost: h\r\n\r\n"),
            ok("a Host with a dot at its end", host("h.example.")),
            ok("a Host with an underscore", host("h_i")),
            ok("a Host with sub-delimiters", host("a!$&'()*+,;=~b")),
            ok("a Host with an escape", host("h%41")),
            ok("an IPv4 Host", host("127.0.0.1")),
            ok("the longest Host", host(longName)),
            ok("the longest Host with a dot and a port", host("\(longName).:65535")),
            refused("a Host longer than any name", host("\(longName)aa")),
            refused("an absolute target with a host longer than any name", get(target: "http://\(longName)aa/")),
            refused("no Host", "GET / HTTP/1.1\r\n\r\n"),
            refused("no Host but fields", "GET / HTTP/1.1\r\nA: b\r\n\r\n"),
            refused("a field whose name only ends like Host", "GET / HTTP/1.1\r\nX-Host: h\r\n\r\n"),
            refused("two Hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
            refused("two Hosts that differ", "GET / HTTP/1.1\r\nHost: h\r\nhOST: i\r\n\r\n"),
            refused("two Hosts apart", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\nHost: h\r\n\r\n"),
            refused("a Host and an empty one", "GET / HTTP/1.1\r\nHost: h\r\nHost:\r\n\r\n"),
            refused("an empty Host", host("")),
            refused("a Host of spaces", host("   ")),
            refused("a list of Hosts", host("h, i")),
            refused("a Host with a space", host("h i")),
            refused("a Host with a tab", host("h\ti")),
            refused("a Host with a scheme", host("http://h")),
            refused("a Host beyond ASCII", host("é")),
            refused("a Host with NUL", host("h\0")),
            refused("a Host with half an escape", host("h%4")),
            refused("a Host with a bad escape", host("h%zz")),
            refused("a Host with a space before its colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
            refused("a Host in a folded line", "GET / HTTP/1.1\r\nHost:\r\n h\r\n\r\n"),
            refused("a Host that comes as a trailer", "POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ok("no Host of HTTP/1.0", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            refused("two Hosts of HTTP/1.0", "GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n"),
            refused("a bad Host of HTTP/1.0", "GET / HTTP/1.0\r\nHost: h/i\r\n\r\n"),
        ] + "/?#@\\<>\"^`{|}".map { refused("a Host with \($0)", host("a\($0)b")) })

    static let hostPorts = asked(
        by: "RFC 3986, 3.2.3",
        [
            ok("a port", host("h.example:8080")),
            ok("an empty port", host("h:")),
            ok("port 0", host("h:0")),
            ok("the last port", host("h:65535")),
            ok("a port with leading zeros", host("h:0000080")),
            refused("a port too large", host("h:65536")),
            refused("a port of six digits", host("h:100000")),
            refused("a port beyond UInt64", host("h:18446744073709551696")),
            refused("a port with a letter", host("h:80x")),
            refused("a port with a sign", host("h:+80")),
            refused("a negative port", host("h:-1")),
            refused("a port in hex", host("h:0x50")),
            refused("a port behind a space", host("h: 80")),
            refused("a list of ports", host("h:80,81")),
            refused("two ports", host("h:80:81")),
            refused("only a port", host(":80")),
            refused("only a colon", host(":")),
        ])

    static let hostLiterals = asked(
        by: "RFC 3986, 3.2.2",
        [
            ok("an IPv6 address", host("[2001:db8::1]")),
            ok("an IPv6 address with a port", host("[2001:db8::1]:80")),
            ok("an IPv6 address with an empty port", host("[::1]:")),
            ok("an IPv6 address in capitals", host("[2001:DB8::A]")),
            ok("the shortest IPv6 address", host("[::]")),
            ok("the longest IPv6 address", host("[1:22:333:4444:5555:6666:7777:8888]")),
            ok("an IPv6 address that ends as IPv4", host("[::ffff:192.0.2.1]")),
            ok("an address of a later version", host("[v1f.a:b]")),
            refused("an open IPv6 address", host("[::1")),
            refused("an IPv6 address without brackets", host("::1")),
            refused("empty brackets", host("[]")),
            refused("two pairs of brackets", host("[[::1]]")),
            refused("something before brackets", host("a[::1]")),
            refused("something behind brackets", host("[::1]x")),
            refused("a port behind brackets without colon", host("[::1]80")),
            refused("a port too large behind brackets", host("[::1]:65536")),
            refused("a letter that is no hex digit", host("[::g]")),
            refused("too few groups", host("[1:2]")),
            refused("too many groups", host("[1:2:3:4:5:6:7:8:9]")),
            refused("a group of five digits", host("[12345::]")),
            refused("two gaps", host("[1::2::3]")),
            refused("three colons", host("[:::]")),
            refused("an IPv4 address in brackets", host("[192.0.2.1]")),
            refused("a name in brackets", host("[h]")),
            refused("a zone", host("[fe80::1%25eth0]")),
            refused("a bare zone", host("[fe80::1%eth0]")),
            refused("a later version without number", host("[v.a]")),
            refused("a later version without address", host("[v1.]")),
        ])

    static let authorities = asked(
        by: "RFC 9110, 7.2; RFC 9112, 3.2.2",
        [
            ok("Host is the authority", get(target: "/authority")).says("h"),
            ok("Host with its port is the authority", "GET /authority HTTP/1.1\r\nHost: h:8\r\n\r\n").says("h:8"),
            ok("an absolute target wins over Host", get(target: "http://other:8/authority")).says("other:8"),
            ok(
                "other fields do not name the authority",
                request("GET /authority", "X-Forwarded-Host: x", "X-Host: x", "Forwarded: host=x")
            ).says("h"),
            ok("HTTP/1.0 may have none", "GET /authority HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").says("none"),
            ok(
                "an absolute target of HTTP/1.0 is the authority",
                "GET http://other/authority HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            ).says("other"),
        ])
}

/// A name of 253 letters and dots.
private let longName = String(repeating: "\(String(repeating: "a", count: 62)).", count: 4) + "b"

/// `GET /` for this host.
private func host(_ value: String) -> String { "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n" }

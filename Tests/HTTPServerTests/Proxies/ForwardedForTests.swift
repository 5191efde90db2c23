import Testing

@testable import HTTPServer

struct ForwardedForTests {
    /// A request as the proxy 10.0.0.1 passes it on, and what is made of it: `client proto host`.
    struct Case: Sendable {
        let lines: [String]
        let outcome: String

        init(_ lines: String..., gives outcome: String) {
            self.lines = lines
            self.outcome = outcome
        }
    }

    private func outcome(
        _ lines: [String], from peer: String = "10.0.0.1", _ fields: ProxyFields = .any
    ) throws -> String {
        let proxies = TrustedProxies(["10.0.0.0/8", "2001:db8::/32"].compactMap { ProxyRange($0) }, fields: fields)
        let head = try requestHead(lines.joined(separator: "\r\n"))
        switch ForwardedFor.read(head, from: try PeerAddress(peer), proxies) {
        case .absent: return "absent"
        case .ignored: return "ignored"
        case .told(let told):
            let scheme = told.isSecure.map { $0 ? "https" : "http" } ?? "-"
            return "\(told.client.text) \(scheme) \(told.host ?? "-")"
        }
    }

    @Test(arguments: [
        Case("A: b", gives: "absent"),
        Case("Forwarded: for=192.0.2.1;proto=https;host=pics.test", gives: "192.0.2.1 https pics.test"),
        // The client is the nearest that is no proxy of ours; what it claims of others is its own invention.
        Case("Forwarded: for=203.0.113.9;proto=https, for=192.0.2.1;proto=http", gives: "192.0.2.1 http -"),
        Case("Forwarded: for=192.0.2.1;host=a, for=10.0.0.2;host=b, for=10.0.0.3;host=c", gives: "192.0.2.1 - a"),
        Case("Forwarded: for=192.0.2.1, for=\"[2001:db8::2]\"", gives: "192.0.2.1 - -"),
        Case("Forwarded: for=10.0.0.9;proto=https, for=10.0.0.2", gives: "10.0.0.9 https -"),
        Case("Forwarded: for=192.0.2.1, for=unknown", gives: "unknown - -"),
        Case("Forwarded: for=192.0.2.1, for=_edge;host=h, for=10.0.0.2", gives: "_edge - h"),
        Case("Forwarded: for=192.0.2.1, proto=https", gives: "10.0.0.1 https -"),
        Case("Forwarded: for=192.0.2.1, host=h, for=10.0.0.2", gives: "10.0.0.2 - h"),
        Case("Forwarded: nonsense", gives: "ignored"),
        Case("Forwarded: nonsense, for=192.0.2.1", gives: "ignored"),
        Case("Forwarded:", gives: "absent"),

        Case("X-Forwarded-For: 192.0.2.1", gives: "192.0.2.1 - -"),
        Case("X-Forwarded-For: 203.0.113.9, 192.0.2.1, 10.0.0.2", gives: "192.0.2.1 - -"),
        Case("X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 192.0.2.1", gives: "192.0.2.1 - -"),
        Case("X-Forwarded-For: 2001:db9::1", "X-Forwarded-Proto: https", gives: "2001:db9::1 https -"),
        Case("X-Forwarded-For: [2001:db9::1]:80", gives: "2001:db9::1 - -"),
        Case("X-Forwarded-For: 192.0.2.1:4711", gives: "192.0.2.1 - -"),
        Case("X-Forwarded-For: unknown", gives: "unknown - -"),
        Case("X-Forwarded-Proto: HTTPS", "X-Forwarded-Host: pics.test:8443", gives: "10.0.0.1 https pics.test:8443"),
        Case("X-Forwarded-For: 192.0.2.1, 10.0.0.2", "X-Forwarded-Proto: https, http", gives: "192.0.2.1 https -"),
        Case("X-Forwarded-For: 192.0.2.1, 10.0.0.2", "X-Forwarded-Proto: https", gives: "192.0.2.1 https -"),
        Case("X-Forwarded-For: 192.0.2.1, 10.0.0.2", "X-Forwarded-Host: a, b", gives: "192.0.2.1 - a"),
        Case("X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https, http", gives: "ignored"),
        Case("X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: ftp", gives: "ignored"),
        Case("X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: a/b", gives: "ignored"),
        Case("X-Forwarded-For: nonsense", gives: "ignored"),
        Case("X-Forwarded-For: nonsense, 192.0.2.1", gives: "ignored"),
        Case("X-Forwarded-For:", gives: "absent"),

        // The standard's field counts first.
        Case("X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1;proto=https", gives: "192.0.2.1 https -"),
        Case("X-Forwarded-Host: PICS.test", "Forwarded: for=10.0.0.1;host=pics.test", gives: "10.0.0.1 - pics.test"),
        Case("X-Forwarded-For: 192.0.2.1", "Forwarded: proto=https;host=h", gives: "192.0.2.1 https h"),
        Case("X-Forwarded-Proto: https", "Forwarded: for=192.0.2.1", gives: "192.0.2.1 https -"),
        // One of the two came from the client, and nobody knows which.
        Case("X-Forwarded-For: 192.0.2.1", "Forwarded: for=203.0.113.9", gives: "ignored"),
        Case(
            "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: http", "Forwarded: for=192.0.2.1;proto=https",
            gives: "ignored"),
        Case("X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: a", "Forwarded: for=192.0.2.1;host=b", gives: "ignored"),
        Case("X-Forwarded-For: 192.0.2.1", "Forwarded: nonsense", gives: "ignored"),
        Case("X-Forwarded-For: nonsense", "Forwarded: for=192.0.2.1", gives: "ignored"),
    ])
    func `the client is the nearest that is no trusted proxy`(example: Case) throws {
        #expect(try outcome(example.lines) == example.outcome)
    }

    @Test(arguments: [
        (ProxyFields.any, "ignored"), (.forwarded, "203.0.113.9 - -"), (.xForwarded, "192.0.2.1 https -"),
    ])
    func `the fields that a proxy does not write are not looked at`(fields: ProxyFields, expected: String) throws {
        let lines = ["Forwarded: for=203.0.113.9", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"]

        #expect(try outcome(lines, fields) == expected)
    }

    @Test(arguments: ["Forwarded: proto=https", "X-Forwarded-Host: h", "Forwarded: for=192.0.2.1, by=x"])
    func `a client whose address is not told is not the proxy itself`(line: String) throws {
        let proxies = TrustedProxies([.unix])

        guard case .told(let told) = ForwardedFor.read(try requestHead(line), from: .unix, proxies) else {
            Issue.record("nothing was told")
            return
        }

        #expect(told.client.text == "unix")
        #expect(told.client.group != nil && !told.client.isThisMachine)
    }

    @Test func `hops beyond the bound are not looked at`() throws {
        let chain = (["192.0.2.1"] + (1...40).map { "10.0.0.\($0)" }).joined(separator: ", ")

        #expect(try outcome(["X-Forwarded-For: \(chain)"]) == "10.0.0.9 - -")
    }
}

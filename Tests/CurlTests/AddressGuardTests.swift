import HTTP
import Testing

@testable import Curl

struct AddressGuardTests {
    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255", "168.63.129.16",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.168.1.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:808:808::1", "3fff::1",
        "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "4000::1", "", "localhost", "1.2.3",
    ])
    func `an address that is not of the public Internet is refused`(address: String) {
        #expect(!isPublicAddress(address))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "168.63.129.17", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888",
        "2606:4700:4700::1111", "2a00:1450::1", "3ffe::1", "64:ff9b::8.8.8.8",
    ])
    func `an address of the public Internet is allowed`(address: String) {
        #expect(isPublicAddress(address))
    }

    @Test(arguments: ["127.0.0.1", "localhost", "0x7f000001", "2130706433", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0"])
    func `a private host is refused however it is written`(host: String) async throws {
        let server = ScriptedServer { $0.readRequest() }
        let url = "http://\(host):\(server.port)/path"

        try await withTransport(reachesPrivateAddresses: false) { transport in
            let error = await #expect(throws: TransportError.self) { try await transport.send(request(url)) }
            guard case .refusedAddress = error else {
                Issue.record("\(host): \(String(describing: error))")
                return
            }
        }

        #expect(server.connections == 0)
    }

    @Test func `a request may be let to any address`() async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.response()
        }
        var request = request(server.url)
        request.addressPolicy = .any

        let response = try await withTransport(reachesPrivateAddresses: false) { [request] in
            try await $0.send(request)
        }

        #expect(response.status == .ok)
    }

    @Test func `a connection that another request was allowed to make is not used by a guarded one`() async throws {
        let server = ScriptedServer {
            while $0.readRequest() != nil { $0.response() }
        }

        try await withTransport(reachesPrivateAddresses: false) { transport in
            var free = request(server.url)
            free.addressPolicy = .any
            _ = try await transport.send(free)
            await #expect(throws: TransportError.refusedAddress(server.url)) {
                try await transport.send(request(server.url))
            }
        }

        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("https://a.test/b?c", "https://a.test"), ("http://a.test:80?c", "http://a.test:80"),
        ("http://u:p@a.test/", "http://a.test"), ("http://u:p@[::1]:8080#x", "http://[::1]:8080"),
        ("http://u:se/cret@a.test/", "a malformed URL"), ("a.test/secret", "a malformed URL"), ("", "a malformed URL"),
    ])
    func `a log names scheme, host and port only`(url: String, expected: String) {
        #expect(origin(of: url) == expected)
    }
}

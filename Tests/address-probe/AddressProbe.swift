internal import Curl
internal import EventLoops
internal import Foundation
internal import HTTP

/// Sends requests to host names, some of which resolve to private or changing addresses, and prints the result of each.
///
/// Runs as root in a network namespace that has a public address on its loopback, with itself as the name server; see
/// `RebindingTests`, which makes the namespace.
@main
struct AddressProbe {
    /// Public, and of nobody in this network but the probe.
    private static let publicAddress = "93.184.215.14"

    static func main() async throws {
        let names = try NameServer([
            "public.test": [[publicAddress]],
            "private.test": [["127.0.0.1"]],
            // Another address at each look.
            "rebinding.test": [[publicAddress], ["127.0.0.1"]],
            // The first of these refuses connections, so that the next is tried.
            "two-faced.test": [["93.184.215.15", "127.0.0.1"]],
        ])
        let servers = try [publicAddress, "127.0.0.1"].map { try WebServer(at: $0) }
        let loop = try EventLoop(name: "probe")

        for (name, path, follows) in [
            ("public.test", "/", false), ("private.test", "/", false), ("public.test", "/redirect", true),
            ("rebinding.test", "/", false), ("rebinding.test", "/", false), ("two-faced.test", "/", false),
        ] {
            // A transport of its own each time: one that remembers a name would not look again.
            let transport = try CurlTransport(
                on: loop, threads: BlockingThreads(name: "disk", count: 1),
                options: CurlOptions(userAgent: "Pics/probe"))
            var request = OutgoingRequest(url: "http://\(name)\(path)", timeout: .seconds(10))
            request.followsRedirects = follows
            print("\(name)\(path): \(await Self.outcome(of: request, over: transport))")
        }
        print("looks at rebinding.test: \(names.looks(at: "rebinding.test"))")
        print("connections to 127.0.0.1: \(servers[1].connections)")
    }

    private static func outcome(of request: OutgoingRequest, over transport: CurlTransport) async -> String {
        do throws(TransportError) {
            return "answered \(String(decoding: try await transport.send(request).body, as: UTF8.self))"
        } catch .refusedAddress {
            return "refused"
        } catch {
            return "\(error)"
        }
    }
}

internal import Foundation
internal import Glibc
internal import System

/// A name server on 127.0.0.1 that gives other addresses at each look.
final class NameServer: Sendable {
    struct Failure: Error {}

    private let addresses: [String: [[String]]]
    private let counts = Lock<[String: Int]>([:])

    /// For each name the addresses of the first look, of the second and so on; the last ones for all further.
    init(_ addresses: [String: [[String]]]) throws {
        self.addresses = addresses
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard bindSocket(socket, "127.0.0.1", 53) else { throw Failure() }
        Thread.detachNewThread { [self] in
            while true {
                var query = [UInt8](repeating: 0, count: 512)
                var client = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                withUnsafeMutablePointer(to: &client) { client in
                    client.withMemoryRebound(to: sockaddr.self, capacity: 1) { client in
                        let count = recvfrom(socket, &query, query.count, 0, client, &length)
                        guard count > 12, let response = response(to: Array(query.prefix(count))) else { return }
                        _ = sendto(socket, response, response.count, 0, client, length)
                    }
                }
            }
        }
    }

    /// How often the IPv4 addresses of a name were asked for.
    func looks(at name: String) -> Int { counts.withLock { $0[name] ?? 0 } }

    /// RFC 1035, section 4: the head, the question, and an answer of each address.
    private func response(to query: [UInt8]) -> [UInt8]? {
        var labels: [String] = []
        var index = 12
        while index < query.count, query[index] > 0 {
            let end = index + 1 + Int(query[index])
            guard end < query.count else { return nil }
            labels.append(String(decoding: query[(index + 1)..<end], as: UTF8.self).lowercased())
            index = end
        }
        guard index + 5 <= query.count else { return nil }
        let question = query[12..<(index + 5)]
        let isForIPv4 = query[index + 2] == 1
        let found = isForIPv4 ? next(labels.joined(separator: ".")) : []
        // An answer with authority, without an error.
        var response = Array(query[..<2]) + [0x85, 0x80, 0, 1, 0, UInt8(found.count), 0, 0, 0, 0] + question
        for address in found {
            // The name of the question, type A, class IN, no time to live.
            response +=
                [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4] + address.split(separator: ".").compactMap { UInt8($0) }
        }
        return response
    }

    private func next(_ name: String) -> [String] {
        guard let lists = addresses[name] else { return [] }
        return counts.withLock { counts in
            let look = counts[name] ?? 0
            counts[name] = look + 1
            return lists[min(look, lists.count - 1)]
        }
    }
}

/// Binds a socket to an address of IPv4.
func bindSocket(_ socket: Int32, _ address: String, _ port: UInt16) -> Bool {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = inet_addr(address)
    return withUnsafePointer(to: &place) { place in
        place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

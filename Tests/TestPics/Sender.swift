internal import Foundation
internal import Glibc

extension PicsClient {
    /// Sends bytes as they are and goes away without waiting for an answer: a phone that loses its network.
    package func sendAndVanish(_ bytes: [UInt8]) throws { _ = try Sender(to: self, bytes) }

    /// Sends bytes as they are; all that comes back until the server closes.
    package func sendAndRead(_ bytes: [UInt8]) throws -> String { try Sender(to: self, bytes).response() }
}

/// A connection that has sent bytes as they are, and stays until it is forgotten.
package final class Sender {
    private let descriptor: Int32

    package init(to pics: any PicsClient, _ bytes: [UInt8]) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port = pics.base.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, send(bytes) else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit { close(descriptor) }

    /// Sends more; false when the other side does not listen any more.
    package func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// All that comes back until the server closes.
    package func response() -> String {
        var response: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &block, block.count), count > 0 { response += block.prefix(count) }
        return String(decoding: response, as: UTF8.self)
    }
}

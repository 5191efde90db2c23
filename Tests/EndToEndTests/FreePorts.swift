import Foundation
import System

/// Those that a test of this process has got: what was free may not be used yet.
private let givenPorts = Lock<Set<Int>>([])

/// Ports that nobody listens at now, below those that outgoing connections are given: a test beside this one would take one meanwhile. No two
/// tests get the same.
func freePorts(_ count: Int) throws -> [Int] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    var ports: [Int] = []
    for port in (20_000..<32_000).shuffled() where ports.count < count {
        // Before it is tried: a port of another test would be taken for a moment in which that test listens.
        guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { ports.append(port) }
    }
    guard ports.count == count else { throw PicsProcess.Failure(description: "no free port") }
    return ports
}

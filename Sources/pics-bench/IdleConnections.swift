internal import Foundation

/// Opens connections, asks once on each, and keeps them; tells what they cost the server.
enum IdleConnections {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Holds `count` connections until the standard input ends; `process` is the server's, whose resident memory is
    /// told before and after.
    static func hold(_ count: Int, port: UInt16, of process: Int32) throws {
        let before = try residentBytes(of: process)
        var connections: [Int32] = []
        for _ in 0..<count { connections.append(try ask(port)) }
        let grown = try residentBytes(of: process) - before
        print("\(count) connections, resident memory \(before) + \(grown) bytes: \(grown / count) each")
        fflush(nil)
        while readLine() != nil {}
        for connection in connections { close(connection) }
    }

    /// A connection that has had one answer.
    static func ask(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, connected == 0 else { throw Failure(description: "connect: errno \(errno)") }
        let request = Array("GET /livez HTTP/1.1\r\nHost: bench\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, 0) == request.count else {
            throw Failure(description: "send: errno \(errno)")
        }
        var response = [UInt8](repeating: 0, count: 4096)
        guard recv(descriptor, &response, response.count, 0) > 0 else {
            throw Failure(description: "no answer: errno \(errno)")
        }
        return descriptor
    }

    /// `VmRSS` of `/proc` (proc(5)).
    private static func residentBytes(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = line.split(separator: " ").dropLast().last.flatMap({ Int($0) })
        else { throw Failure(description: "/proc/\(process)/status has no VmRSS") }
        return kibibytes << 10
    }
}

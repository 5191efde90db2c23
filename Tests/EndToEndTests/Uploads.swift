import Curl
import Foundation
import Glibc
import HTTP

/// What tests of uploads do.
extension Pics {
    /// A request with fields of its own; the token goes along unless another is given.
    func ask(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPFields = [:], _ body: [UInt8]? = nil, token: String? = nil
    ) async throws -> IncomingResponse {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path, fields: fields,
            body: body.map { .bytes($0) } ?? .none, addressPolicy: .any)
        request.fields.add("Authorization", "Bearer \(try token ?? self.token)")
        return try await Self.transport.get().send(request)
    }

    /// Begins an upload in tus; its URL.
    func beginTus(_ fields: HTTPFields) async throws -> String {
        var fields = fields
        fields.add("Tus-Resumable", "1.0.0")
        let response = try await ask(.post, "/v1/uploads", fields)
        return response.fields["Location"] ?? String(response.status.code)
    }

    /// Sends a part in tus.
    func patchTus(
        _ url: String, at offset: Int, _ bytes: [UInt8], _ fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        var fields = fields
        fields.add("Tus-Resumable", "1.0.0")
        fields.add("Upload-Offset", String(offset))
        fields.add("Content-Type", "application/offset+octet-stream")
        return try await ask(.patch, url, fields, bytes)
    }

    /// The file of an upload that is no photo yet.
    func file(ofUpload url: String) throws -> [UInt8] {
        let name = url.split(separator: "/").last ?? ""
        return [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/data/blobs/uploads/\(name)")))
    }

    /// Sends bytes as they are and goes away without waiting for an answer: a phone that loses its network.
    func sendAndVanish(_ bytes: [UInt8]) throws { _ = try Sender(to: self, bytes) }

    /// Sends bytes as they are; all that comes back until the server closes.
    func sendAndRead(_ bytes: [UInt8]) throws -> String { try Sender(to: self, bytes).response() }
}

/// A connection that has sent bytes as they are, and stays until it is forgotten.
final class Sender {
    private let descriptor: Int32

    init(to pics: Pics, _ bytes: [UInt8]) throws {
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
            throw PicsProcess.Failure(description: "not sent: errno \(errno)")
        }
    }

    deinit { close(descriptor) }

    /// Sends more; false when the other side does not listen any more.
    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// All that comes back until the server closes.
    func response() -> String {
        var response: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &block, block.count), count > 0 { response += block.prefix(count) }
        return String(decoding: response, as: UTF8.self)
    }
}

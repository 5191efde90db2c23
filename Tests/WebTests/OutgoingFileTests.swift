import Crypto
import Foundation
import HTTP
import TestPics
import Testing

/// Addresses from which services fetch the files of photos that are sent to them.
@Suite(.timeLimit(.minutes(5)))
struct OutgoingFileTests {
    private static let token = "k7Zz0123456789abcdefghijklmnopqr"

    /// Posts a photo that waits, and lets its file be fetched; its code and bytes.
    private func file(_ pics: InProcessPics, isPrivate: Bool = false) async throws -> (code: String, bytes: [UInt8]) {
        let bytes = CameraPhoto.jpeg(.random(in: 0..<1 << 40))
        let answer = try await pics.post(
            bytes, caption: "boats", ["services": "file", "visibility": isPrivate ? "private" : "public"])
        try await pics.change(
            """
            INSERT INTO outgoing_files
            SELECT '\\x\(SHA256Digest(of: Self.token).hex)', s.id, p.id, p.sha256, now() + interval '1 h'
              FROM submissions s JOIN photos p ON p.id = s.photo_id
            """)
        return (try #require(try JSONValue(parsing: answer.body)["code"]?.string), bytes)
    }

    private func fetch(
        _ pics: InProcessPics, _ name: String = "\(token).jpg", method: HTTPMethod = .get, _ fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        try await pics.send(
            OutgoingRequest(
                method: method, url: "\(pics.base)/outgoing/\(name)", fields: fields, body: .none, addressPolicy: .any))
    }

    @Test func `a file is fetched whole or in part by who knows its address, and kept by nobody between`() async throws
    {
        try await withInProcessPics { pics in
            let bytes = try await file(pics).bytes
            let whole = try await fetch(pics)
            #expect(whole.status == .ok && whole.body == bytes)
            #expect(whole.fields["Content-Type"] == "image/jpeg")
            #expect(whole.fields["Cache-Control"] == "no-store")
            #expect(whole.fields["X-Robots-Tag"] == "noindex")
            let part = try await fetch(pics, "\(Self.token).jpg", ["Range": "bytes=2-5"])
            #expect(part.status.code == 206 && part.body == Array(bytes[2...5]))
            let head = try await fetch(pics, method: .head)
            #expect(head.status == .ok && head.fields["Content-Length"] == "\(bytes.count)" && head.body.isEmpty)
            for name in ["\(Self.token.uppercased()).jpg", "x", ".jpg", "\(Self.token.dropLast()).jpg"] {
                #expect(try await fetch(pics, name).status == .notFound, "\(name)")
            }
        }
    }

    @Test(arguments: [
        "UPDATE outgoing_files SET expires_at = now()",
        "DELETE FROM jobs",
        "UPDATE jobs SET cancel_at = now()",
        "UPDATE photos SET deleted_at = now()",
    ])
    func `an address leads nowhere once its time, its submission or its photo has ended`(_ end: String) async throws {
        try await withInProcessPics { pics in
            _ = try await file(pics)
            try await pics.change(end)
            #expect(try await fetch(pics).status == .notFound)
        }
    }

    @Test func `a photo that was made private is fetched by no service any more`() async throws {
        try await withInProcessPics { pics in
            let code = try await file(pics).code
            // The archive on this server may have private photos; no other account may.
            try await pics.change("UPDATE connections SET service = 'tumblr'")
            #expect(try await fetch(pics).status == .ok)
            let id = try #require(try await pics.json("/v1/photos")["items"]?[0]?["id"]?.string)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["code"]?.string == code)
            try await pics.change(
                "UPDATE photos SET visibility = 'private', made_private_at = now() WHERE id = '\(id)'")
            #expect(try await fetch(pics).status == .notFound)
        }
    }
}

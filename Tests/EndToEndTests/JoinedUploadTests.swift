import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// tus, "Concatenation", and the end of a process in its midst.
@Suite(.timeLimit(.minutes(10)))
struct JoinedUploadTests {
    @Test func `Pics killed while it joins parts leaves no upload without its bytes, and the client just asks again`()
        async throws
    {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let address = database.settings.connection
                var pics = try await Pics.start(in: folder, database: address)
                let parts = [try await part(of: 64 << 20, pics), try await part(of: 64 << 20, pics)]
                let paths = parts.map { String($0.dropFirst(pics.base.count)) }.joined(separator: " ")
                let fields: HTTPFields = [
                    "Idempotency-Key": "join", "Tus-Resumable": "1.0.0", "Upload-Concat": "final;\(paths)",
                ]

                let joining = Task { [pics] in try await pics.ask(.post, "/v1/uploads", fields) }
                let temporary = "\(folder)/data/blobs/temporary"
                try await until { try !FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty }
                pics.process.signal(9)
                _ = await pics.process.end()
                _ = await joining.result

                pics = try await Pics.start(in: folder, database: address)
                for upload in try await pics.json("/v1/uploads")["items"]?.array ?? [] {
                    let head = try await pics.ask(
                        .head, "/v1/uploads/\(upload["id"]?.string ?? "")", ["Tus-Resumable": "1.0.0"])
                    #expect(head.status == .ok)
                }
                let again = try await pics.ask(.post, "/v1/uploads", fields)
                #expect(again.status == .created)
                #expect(try pics.file(ofUpload: again.fields["Location"] ?? "").count == 128 << 20)
                #expect(await pics.stop() == 0)
            }
        }
    }

    @Test func `parts that the quota has no room for are not joined`() async throws {
        try await withPics(settings: ["PICS_UPLOADS_PER_USER": "2"]) { pics in
            let parts = [try await part(of: 10, pics), try await part(of: 20, pics)]

            let response = try await pics.ask(
                .post, "/v1/uploads",
                ["Tus-Resumable": "1.0.0", "Upload-Concat": "final;\(parts.joined(separator: " "))"])

            #expect(response.status == .contentTooLarge)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: "\(pics.folder)/data/blobs/uploads").count == 2)
        }
    }

    /// A finished part of so many zeros, which take no room on the disk; its URL.
    private func part(of bytes: Int, _ pics: Pics) async throws -> String {
        let url = try await pics.beginTus(["Upload-Length": "\(bytes)", "Upload-Concat": "partial"])
        let name = url.split(separator: "/").last ?? ""
        #expect(truncate("\(pics.folder)/data/blobs/uploads/\(name)", bytes) == 0)
        let head = try await pics.ask(.head, url, ["Tus-Resumable": "1.0.0"])
        #expect(head.fields["Upload-Offset"] == "\(bytes)")
        return url
    }
}

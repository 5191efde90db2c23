import Foundation
import TestPics
import Testing

/// 104, by which a phone learns of an upload before it has sent it (draft-ietf-httpbis-resumable-upload).
struct InterimAnswerTests {
    @Test(arguments: ["3", "8", "9"])
    func `a client of a draft is told where its upload is before its answer`(interop: String) async throws {
        try await withInProcessPics { pics in
            let response = try Self.post(["Upload-Draft-Interop-Version: \(interop)"], to: pics)

            let parts = response.components(separatedBy: "HTTP/1.1 ")
            let interim = try #require(parts.first { $0.hasPrefix("104 ") })
            #expect(interim.contains("Location: \(pics.base)/v1/uploads/"))
            #expect(interim.contains("Upload-Draft-Interop-Version: \(interop)"))
            #expect(parts.last?.hasPrefix("201 ") == true)
        }
    }

    @Test(arguments: ["X-Other: 1", "Upload-Draft-Interop-Version: 99"])
    func `who speaks no draft that is known gets one answer`(field: String) async throws {
        try await withInProcessPics { pics in
            let response = try Self.post([field], to: pics)

            #expect(response.hasPrefix("HTTP/1.1 201 "))
        }
    }

    /// Posts a photo as a raw file; all that comes back.
    private static func post(_ fields: [String], to pics: InProcessPics) throws -> String {
        let photo = CameraPhoto.jpeg()
        let completeness = fields.contains { $0.hasSuffix(": 3") } ? "Upload-Incomplete: ?0" : "Upload-Complete: ?1"
        let lines =
            [
                "POST /v1/photos?services=none HTTP/1.1", "Host: \(pics.base.dropFirst("http://".count))",
                "Authorization: Bearer \(pics.token)", "Content-Type: image/jpeg", completeness,
                "Content-Length: \(photo.count)", "Connection: close",
            ] + fields
        return try pics.sendAndRead(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + photo)
    }
}

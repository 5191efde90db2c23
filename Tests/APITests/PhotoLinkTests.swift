import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Links to one picture of a photo, which its owner hands over.
@Suite(.timeLimit(.minutes(5)))
struct PhotoLinkTests {
    private func photo(_ pics: InProcessPics, _ visibility: String = "private") async throws -> (
        id: String, code: String
    ) {
        let answer = try await pics.post(
            CameraPhoto.jpeg(.random(in: 0..<1 << 40)), caption: "mine", ["visibility": visibility, "services": "none"])
        let json = try JSONValue(parsing: answer.body)
        return (json["id"]?.string ?? "", json["code"]?.string ?? "")
    }

    private func link(_ pics: InProcessPics, _ id: String, _ body: JSONValue) async throws -> String {
        let made = try await pics.call(.post, "/v1/photos/\(id)/links", body)
        #expect(made.status == 201 && made.json["expires_at"]?.string != nil)
        return made.json["url"]?.string.map { String($0.dropFirst(pics.base.count)) } ?? ""
    }

    @Test func `a link opens one picture of a private photo for everybody, and no other`() async throws {
        try await withInProcessPics { pics in
            let stranger = try await pics.addUser("bob")
            let (id, code) = try await photo(pics)
            let path = try await link(pics, id, ["size": "medium", "hours": 1])

            #expect(path.hasPrefix("/m/\(code)/medium.jpg?link="))
            #expect(try await pics.status(.get, path, token: stranger) == 200)
            for other in ["large.jpg", "medium.webp", "small.jpg"] {
                let forged = path.replacing("medium.jpg", with: other)
                #expect(try await pics.status(.get, forged, token: stranger) == 404, "\(other)")
            }
            #expect(try await pics.status(.get, "/m/\(code)/medium.jpg", token: stranger) == 404)
            let mac = path.split(separator: ".").last ?? ""
            let forged = path.dropLast(mac.count) + String(mac.reversed())
            #expect(try await pics.status(.get, String(forged), token: stranger) == 404)
            let another = try await photo(pics).code
            #expect(try await pics.status(.get, path.replacing(code, with: another), token: stranger) == 404)
        }
    }

    @Test func `a link ends with its time, which nobody can change, and with the photo`() async throws {
        try await withInProcessPics { pics in
            let (id, _) = try await photo(pics)
            let path = try await link(pics, id, [:])
            #expect(path.contains("/large.jpg?link="))
            let end = try #require(path.firstMatch(of: #/link=([0-9]+)\./#).flatMap { Int($0.1) })
            #expect(abs(end - Int(Date().timeIntervalSince1970) - 86_400) < 60)
            let later = path.replacing("link=\(end)", with: "link=\(end + 3600)")
            let stranger = try await pics.addUser("bob")
            #expect(try await pics.status(.get, later, token: stranger) == 404)
            #expect(try await pics.status(.get, path, token: stranger) == 200)
            try await pics.change("UPDATE photos SET deleted_at = now() WHERE id = '\(id)'")
            #expect([404, 410].contains(try await pics.status(.get, path, token: stranger)))
        }
    }

    @Test func `what cannot be linked is refused`() async throws {
        try await withInProcessPics { pics in
            let (id, _) = try await photo(pics)
            for body: JSONValue in [
                ["size": "thumb"], ["size": "original"], ["size": 1], ["hours": 0], ["hours": 721], ["hours": "1"],
                ["days": 1],
            ] {
                #expect(try await pics.call(.post, "/v1/photos/\(id)/links", body).status == 400, "\(body)")
            }
            let stranger = try await pics.addUser("bob")
            #expect(try await pics.call(.post, "/v1/photos/\(id)/links", [:], token: stranger).status == 404)
        }
    }
}

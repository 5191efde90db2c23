import Fakes
import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PrivatePhotoTests {
    @Test func `making a photo private stops what waits, and tells what is out`() async throws {
        try await withServices { services, pics in
            _ = try await pics.connectMastodon(services.mastodon)
            let later = Timestamp(Date().addingTimeInterval(3600)).description
            let waiting = try JSONValue(
                parsing: try await pics.post(
                    CameraPhoto.jpeg(1), caption: "Later", ["services": "mastodon", "scheduled_at": later]
                ).body)
            let posted = try JSONValue(
                parsing: try await pics.post(CameraPhoto.jpeg(2), caption: "Now", ["services": "mastodon"]).body)
            let id = try #require(posted["id"]?.string)
            _ = try await pics.ended(id)
            let lead = try JSONValue(
                parsing: try await pics.post(
                    CameraPhoto.jpeg(3), caption: "Both", ["services": "mastodon", "with": id]
                ).body)
            _ = try await pics.ended(try #require(lead["id"]?.string))

            func hide(_ photo: JSONValue) async throws -> JSONValue {
                try await pics.call(
                    .patch, "/v1/photos/\(photo["id"]?.string ?? "")", ["visibility": "private"],
                    with: ["If-Match": "*"]
                ).json
            }
            let (stopped, out) = (try await hide(waiting), try await hide(posted))

            #expect(stopped["submissions"]?[0]?["state"] == "cancelled" && stopped["left"]?.array?.isEmpty == true)
            #expect(out["left"]?[0]?["service"] == "mastodon" && out["left"]?[0]?["remote_url"]?.string != nil)
            #expect(out["left"]?.array?.compactMap { $0["photo"] } == [.string(id), lead["id"]])
            let retried = try await pics.call(
                .post, "/v1/submissions/\(stopped["submissions"]?[0]?["id"]?.string ?? "")/retry")
            #expect(retried.status == 409 && retried.json["type"] == "/problems/private-photo")
            let page = try await pics.send(.get, "/\(out["code"]?.string ?? "")", isAnonymous: true)
            #expect(page.status == .notFound)
        }
    }
}

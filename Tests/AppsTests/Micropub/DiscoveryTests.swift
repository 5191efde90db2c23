import HTTP
import TestPics
import Testing

/// How an app finds the endpoints of somebody whose address it knows.
@Suite(.timeLimit(.minutes(5)))
struct DiscoveryTests {
    @Test(arguments: ["/u/admin", "/"])
    func `an open gallery names its owner's endpoints in the head and in the header`(path: String) async throws {
        try await withInProcessPics(settings: ["PICS_FRONT": "user:admin"]) { pics in
            var browser = try await pics.browser()
            #expect(try await pics.send(.get, "/u/admin", isAnonymous: true).status == .notFound)
            try await pics.openGallery(&browser)
            let page = try await pics.send(.get, path, accept: "text/html", isAnonymous: true)
            let field = page.fields.values("Link").joined(separator: ", ")
            let text = String(decoding: page.body, as: UTF8.self)
            for (relation, place) in [
                ("indieauth-metadata", "/.well-known/oauth-authorization-server"),
                ("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth/token"),
                ("micropub", "/micropub"),
            ] {
                #expect(field.contains("<\(pics.base)\(place)>; rel=\"\(relation)\""))
                #expect(text.contains("<link rel=\"\(relation)\" href=\"\(pics.base)\(place)\">"))
            }
            let metadata = try await pics.send(.get, "/.well-known/oauth-authorization-server", isAnonymous: true)
            #expect(metadata.value["authorization_endpoint"]?.string == "\(pics.base)/oauth/authorize")
            #expect(metadata.value["token_endpoint"]?.string == "\(pics.base)/oauth/token")
            #expect(try await pics.send(.get, "/micropub?q=config", isAnonymous: true).status == .unauthorized)
        }
    }
}

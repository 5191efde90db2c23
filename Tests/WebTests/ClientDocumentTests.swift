import Foundation
import HTTP
import TestPics
import Testing

/// What sites read that know apps by an address.
@Suite(.timeLimit(.minutes(5)))
struct ClientDocumentTests {
    private func document(_ pics: InProcessPics, accept: String?) async throws -> IncomingResponse {
        pics.stand(at: "https://pics.test")
        var fields: HTTPFields = [:]
        if let accept { fields.add("Accept", accept) }
        return try await pics.send(
            OutgoingRequest(url: "\(pics.base)/auth/client", fields: fields, addressPolicy: .any))
    }

    @Test func `a program reads who Pics is and where it is come back to`() async throws {
        try await withInProcessPics { pics in
            let response = try await document(pics, accept: "application/json")
            let json = try JSONValue(parsing: response.body)
            #expect(json["client_id"]?.string == "https://pics.test/auth/client")
            #expect(json["client_uri"]?.string == "https://pics.test/")
            #expect(
                json["redirect_uris"]?.array?.compactMap(\.string).contains("https://pics.test/auth/micropub/callback")
                    == true)
        }
    }

    @Test(arguments: [nil, "*/*", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"])
    func `an older site, which takes anything, reads the same on a page`(accept: String?) async throws {
        try await withInProcessPics { pics in
            let response = try await document(pics, accept: accept)
            let page = String(decoding: response.body, as: UTF8.self)
            #expect(response.fields["Content-Type"]?.hasPrefix("text/html") == true)
            #expect(page.contains("<link rel=\"redirect_uri\" href=\"https://pics.test/auth/micropub/callback\">"))
            #expect(page.contains("class=\"h-app\""))
        }
    }
}

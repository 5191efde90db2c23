import HTTP
import HTTPServer
import Testing

struct OpenAPITests {
    private let document = OpenAPI.document(
        title: "Pics", version: "1", summary: "Photos.",
        routes: [
            Route(
                .get, "/v1/photos/{id}", scope: "read",
                operation: Operation(
                    "showPhoto", "One photo.", tags: ["photos"],
                    parameters: [.init("fields", "What to show."), .init("If-None-Match", in: .header, "A tag.")],
                    responses: [.init(.ok, "The photo.", .json("Photo"), fields: ["ETag": "Its version."])]),
                handler: { _ in .noContent }),
            Route(
                .put, "/v1/photos/{id}",
                operation: Operation(
                    "replacePhoto", "Replaces it.", body: .binary("image/jpeg", "image/png"),
                    responses: [.init(.noContent, "Done."), .problem(.conflict, "Somebody was faster.")]),
                bodyLimit: 1 << 20, handler: { _ in .noContent }),
            Route(
                .get, "/livez", operation: Operation("livez", "Alive?", responses: [.init(.ok, "Yes.")]),
                audience: .anyHost
            ) { _ in
                .noContent
            },
        ],
        places: [.init("id", in: .path, "A photo.", schema: ["type": "string", "format": "uuid"])], pagesExcept: "/v1",
        schemas: ["Photo": ["type": "object"]],
        security: ["bearer": ["type": "http", "scheme": "bearer"]])

    @Test func `every route is an operation of its path`() {
        #expect(document["openapi"]?.string == "3.1.1")
        #expect(document["info"]?["title"]?.string == "Pics")
        #expect(document["paths"]?.object?.map(\.name) == ["/v1/photos/{id}", "/livez"])
        #expect(document["paths"]?["/v1/photos/{id}"]?.object?.map(\.name) == ["get", "put"])
        #expect(document["paths"]?["/livez"]?["get"]?["operationId"]?.string == "livez")
    }

    @Test func `the problems that any request can meet are there without being written`() {
        let photo = document["paths"]?["/v1/photos/{id}"]

        #expect(
            statuses(photo?["get"]) == [
                "200", "400", "401", "403", "404", "414", "417", "421", "429", "431", "500", "503",
            ])
        #expect(
            statuses(photo?["put"]) == [
                "204", "400", "404", "408", "409", "413", "414", "417", "421", "429", "431", "500", "503", "507",
            ])
        #expect(
            statuses(document["paths"]?["/livez"]?["get"]) == ["200", "400", "414", "417", "429", "431", "500", "503"])
        #expect(photo?["get"]?["responses"]?["404"]?["$ref"]?.string == "#/components/responses/NotFound")
        #expect(document["components"]?["responses"]?["NotFound"]?["content"]?["application/problem+json"] != nil)
        #expect(document["components"]?["schemas"]?["Problem"] != nil)
    }

    @Test func `problems of pages come as pages too`() {
        let alive = document["paths"]?["/livez"]?["get"]?["responses"]

        #expect(alive?["400"]?["$ref"]?.string == "#/components/responses/BadRequestPage")
        #expect(
            document["components"]?["responses"]?["BadRequestPage"]?["content"]?.object?.map(\.name)
                == ["application/problem+json", "text/html"])
        #expect(
            document["components"]?["responses"]?["BadRequest"]?["content"]?.object?.map(\.name)
                == ["application/problem+json"])
    }

    @Test func `parameters, bodies and scopes are described`() {
        let get = document["paths"]?["/v1/photos/{id}"]?["get"]
        let put = document["paths"]?["/v1/photos/{id}"]?["put"]

        #expect(get?["parameters"]?.array?.map { $0["in"]?.string } == ["path", "query", "header"])
        #expect(get?["parameters"]?.array?.map { $0["required"]?.bool } == [true, false, false])
        #expect(get?["parameters"]?[0]?["schema"]?["format"]?.string == "uuid")
        #expect(get?["security"] == [["bearer": ["read"]]])
        #expect(put?["security"] == nil)
        #expect(put?["requestBody"]?["content"]?.object?.map(\.name) == ["image/jpeg", "image/png"])
        #expect(get?["responses"]?["200"]?["headers"]?["ETag"] != nil)
        #expect(
            get?["responses"]?["200"]?["content"]?["application/json"]?["schema"]?["$ref"]?.string
                == "#/components/schemas/Photo")
    }

    private func statuses(_ operation: JSONValue?) -> [String]? {
        operation?["responses"]?.object?.map(\.name).sorted()
    }
}

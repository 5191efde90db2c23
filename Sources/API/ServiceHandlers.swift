package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension API {
    /// `GET /v1/services`: what this Pics can post to.
    package func listServices(_ request: Request, _ caller: Caller) async throws -> Response {
        let items = registry.submitters.map { submitter -> JSONValue in
            let service = submitter.description
            return [
                "id": .string(service.id), "name": .string(service.name), "aliases": JSONValue(service.aliases),
                "caption": [
                    "limit": JSONValue(service.captionRule.limit), "unit": .string(service.captionRule.unit.rawValue),
                ],
                "picture_types": JSONValue(service.mediaRule.pictureTypes.sorted()),
                "maximum_picture_bytes": .int(service.mediaRule.maximumPictureBytes),
                "video_types": JSONValue(service.mediaRule.videoTypes.sorted()),
                "maximum_video_bytes": .int(service.mediaRule.maximumVideoBytes),
                "alt_text": .bool(service.takesAltText), "at_once": .int(Int64(service.lane.concurrency)),
            ]
        }
        return .json(["items": JSONValue(items), "next": .null])
    }

    /// `GET /v1/connections`: the caller's accounts. Credentials are never shown.
    package func listConnections(_ request: Request, _ caller: Caller) async throws -> Response {
        let items = try await store.connections(of: caller.user.id).map(Self.body)
        return .json(["items": JSONValue(items), "next": .null])
    }

    /// `PATCH /v1/connections/{id}`: `{"paused": true}` holds the account's work back, false lets it go on.
    package func editConnection(_ request: Request, _ caller: Caller) async throws -> Response {
        guard let id = request.parameters["id"].flatMap({ ConnectionID($0) }) else { throw StoreError.notFound }
        let body = try await json(request, types: ["application/json", "application/merge-patch+json"])
        guard let members = body.object else { throw RequestProblem.invalid("#", "The body must be a JSON object.") }
        for member in members where member.name != "paused" {
            throw RequestProblem.invalid("#/\(member.name)", "Only paused can be changed.")
        }
        guard let isPaused = body["paused"]?.bool else {
            throw RequestProblem.invalid("#/paused", "It must be true or false.")
        }
        _ = try await store.pause(isPaused, id, owner: caller.user.id)
        wakeWorkers()
        guard let record = try await store.connections(of: caller.user.id).first(where: { $0.connection.id == id })
        else { throw StoreError.notFound }
        return .json(Self.body(record))
    }

    private static func body(_ record: ConnectionRecord) -> JSONValue {
        [
            "id": .string(record.connection.id.description), "service": .string(record.connection.service),
            "account": .string(record.connection.account), "state": .string(record.connection.state.rawValue),
            "problem": JSONValue(record.problem), "created_at": JSONValue(record.createdAt),
        ]
    }
}

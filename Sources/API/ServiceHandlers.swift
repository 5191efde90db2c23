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
        let items = try await store.connections(of: caller.user.id).map { record -> JSONValue in
            [
                "id": .string(record.connection.id.description), "service": .string(record.connection.service),
                "account": .string(record.connection.account), "state": .string(record.connection.state.rawValue),
                "problem": JSONValue(record.problem), "created_at": JSONValue(record.createdAt),
            ]
        }
        return .json(["items": JSONValue(items), "next": .null])
    }
}

internal import HTTP

// The controls of a fake that runs as a program of its own.
extension FakeHost {
    static let controlRoutes = [
        "GET /_control/effects", "GET /_control/albums", "GET /_control/requests", "POST /_control/faults",
        "DELETE /_control/faults", "POST /_control/release", "POST /_control/conversation",
    ]

    /// The answer to a request for the controls; nil for any other.
    func control(_ request: FakeRequest) -> FakeAnswer? {
        switch "\(request.method) \(request.path)" {
        case "GET /_control/effects":
            let posts = service.effects
            return .json(["count": JSONValue(posts.count), "posts": JSONValue(posts.map(\.json))])
        case "GET /_control/albums":
            return .json(JSONValue(service.albumNames.map(JSONValue.string)))
        case "GET /_control/requests":
            return .json(JSONValue(requests.map(\.json)))
        case "POST /_control/faults":
            guard let json = request.json, let route = json["route"]?.string, let fault = Fault(json),
                service.routes.contains(where: { $0.name == route })
            else {
                let names = JSONValue(service.routes.map(\.name))
                return .json(["error": "There is no such fault or route.", "routes": names], 422)
            }
            for _ in 0..<min(json["times"]?.int ?? 1, 1000) { fail(route, fault) }
            return FakeAnswer(.noContent)
        case "DELETE /_control/faults":
            clearFaults()
            return FakeAnswer(.noContent)
        case "POST /_control/conversation":
            guard let json = request.json, let talk = service.talk, let id = talk.add(json) else {
                return .json(["error": "It takes `text`, `by`, and `to` or `ago` in seconds."], 422)
            }
            return .json(["id": .string(id)])
        case "POST /_control/release":
            releaseSlow()
            return FakeAnswer(.noContent)
        default:
            return nil
        }
    }
}

extension SeenRequest {
    fileprivate var json: JSONValue {
        [
            "route": .string(route), "method": .string(request.method.rawValue), "path": .string(request.path),
            "query": .string(request.query), "bytes": JSONValue(request.body.count), "status": JSONValue(status),
        ]
    }
}

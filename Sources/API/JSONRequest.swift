internal import HTTP
internal import HTTPServer

extension API {
    /// The longest JSON body that is read, in bytes.
    static var jsonLimit: Int { 262_144 }

    /// Reads a JSON body.
    func json(_ request: Request, types: [String] = ["application/json"]) async throws -> JSONValue {
        guard let type = request.fields["Content-Type"].flatMap({ MediaType($0) }), types.contains(type.essence) else {
            throw RequestProblem.unsupportedType("Send \(types.joined(separator: " or ")).")
        }
        let bytes = try await request.body.collect(upTo: Self.jsonLimit)
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw RequestProblem.invalid("#", "The body is not JSON: \(error).")
        }
    }
}

extension JSONObject {
    /// Members in their order.
    init(_ members: [(String, JSONValue)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}

internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension APIHandlers {
    /// The longest JSON body that is read, in bytes.
    static var jsonLimit: Int { 262_144 }

    /// Reads a JSON body.
    func json(_ request: HTTPRequest, types: [String] = ["application/json"]) async throws -> JSONValue {
        guard let type = request.fields["Content-Type"].flatMap({ MediaType($0) }), types.contains(type.essence) else {
            throw RequestProblem.unsupportedType("Send \(types.joined(separator: " or ")).")
        }
        let bytes = try await request.body.collect(upTo: Self.jsonLimit)
        try await demandToken(of: request)
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw RequestProblem.invalid("#", "The body is not JSON: \(error).")
        }
    }
}

extension HTTPRequest {
    /// Refuses a query with a parameter that nothing reads: a client could take it for a filter.
    func refuseParameters(otherThan names: [String]) throws(InvalidField) {
        for pair in query.pairs where !names.contains(pair.name) {
            throw .unknown("parameter", pair.name, among: names)
        }
    }
}

extension HTTPRequest {
    /// The identifier that stands in the path where the route's pattern has `{id}`.
    ///
    /// - Throws: `StoreError.notFound` for anything else, as for what does not exist.
    func identifier<Thing>() throws(StoreError) -> Identifier<Thing> {
        guard let id = parameters["id"].flatMap({ Identifier<Thing>($0) }) else { throw .notFound }
        return id
    }
}

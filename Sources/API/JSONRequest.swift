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
        try await demandToken(of: request)
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw RequestProblem.invalid("#", "The body is not JSON: \(error).")
        }
    }
}

extension JSONValue {
    /// The members of a body, which is refused if it is no object.
    func members() throws(RequestProblem) -> JSONObject {
        guard let object else { throw .invalid("#", "The body must be a JSON object.") }
        return object
    }

    /// Refuses a body that is no object, or has a member that nothing reads.
    func refuseMembers(otherThan names: [String]) throws(RequestProblem) {
        for member in try members() where !names.contains(member.name) {
            throw .noSuchMember(member.name, among: names)
        }
    }
}

extension Request {
    /// Refuses a query with a parameter that nothing reads: a client could take it for a filter.
    func refuseParameters(otherThan names: [String]) throws(RequestProblem) {
        for pair in query.pairs where !names.contains(pair.name) {
            throw .noSuch("parameter", pair.name, among: names)
        }
    }
}

extension RequestProblem {
    /// A member of a body that nothing reads; `names` are those that are read.
    static func noSuchMember(_ name: String, among names: [String]) -> RequestProblem {
        noSuch("member", name, among: names)
    }

    fileprivate static func noSuch(_ kind: String, _ name: String, among names: [String]) -> RequestProblem {
        let known =
            switch names.count {
            case 0: "There is none."
            case 1: "There is \(names[0])."
            case 2: "There are \(names[0]) and \(names[1])."
            default: "There are \(names.joined(separator: ", "))."
            }
        return .invalid(pointer(to: name), "There is no such \(kind). \(known)")
    }
}

extension JSONObject {
    /// Members in their order.
    init(_ members: [(String, JSONValue)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}

package import HTTP

extension JSONValue {
    /// The members of a body.
    ///
    /// - Throws: `InvalidField` when it is no object.
    package func members() throws(InvalidField) -> JSONObject {
        guard let object else { throw .invalid("#", "The body must be a JSON object.") }
        return object
    }

    /// Refuses a body that is no object, or has a member that nothing reads.
    package func refuseMembers(otherThan names: [String]) throws(InvalidField) {
        for member in try members() where !names.contains(member.name) {
            throw .unknown("member", member.name, among: names)
        }
    }
}

extension InvalidField {
    /// A member or parameter that nothing reads; `names` are those that are read.
    package static func unknown(_ kind: String, _ name: String, among names: [String]) -> InvalidField {
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

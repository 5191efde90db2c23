package import Domain
package import HTTP

extension JSONValue {
    /// `{"code", "parameters", "text"}`, or null: the text is in English, its times in UTC.
    package init(_ problem: Problem?) {
        guard let problem else {
            self = .null
            return
        }
        let parameters = problem.parameters
        var members = JSONObject()
        func add(_ name: String, _ value: String?) {
            if let value { members[name] = .string(value) }
        }
        add("service", parameters.service)
        if let status = parameters.status { members["status"] = .int(Int64(status)) }
        add("until", parameters.until.map { Timestamp($0).description })
        add("scope", parameters.scope?.rawValue)
        add("reason", parameters.reason?.rawValue)
        add("field", parameters.field)
        add("label", parameters.label)
        add("example", parameters.example)
        add("scheme", parameters.scheme)
        add("cause", parameters.cause?.rawValue)
        if problem.code != .other { add("words", parameters.words) }
        add("phase", parameters.phase?.rawValue)
        self = [
            "code": .string(problem.code.rawValue), "parameters": .object(members), "text": .string(problem.text),
        ]
    }
}

package import HTTP

/// Something that goes wrong once, on the next request of a route.
package enum Fault: Sendable, Equatable {
    /// The service refuses and does nothing. Without a body of its own it answers as the service does.
    case status(Int, fields: HTTPFields = [:], body: String? = nil)
    /// The connection breaks before the service has done anything.
    case resetBefore
    /// The service does what it was asked to, but the connection breaks before its answer.
    case resetAfter
    /// The service does what it was asked to, but its answer is no JSON.
    case malformed
    /// The service does what it was asked to, but half of its answer comes only when the test says so.
    case slow
    /// Nothing yet: what goes wrong comes later.
    case none
}

extension Fault {
    /// Reads what `POST /_control/faults` takes: `{"fault": "status", "status": 429, "retry_after": 30, "body": "…"}`,
    /// or one of `reset_before`, `reset_after`, `malformed`, `slow`, `none` as `fault`.
    init?(_ json: JSONValue) {
        switch json["fault"]?.string {
        case "status":
            guard let status = json["status"]?.int, 100...599 ~= status else { return nil }
            var fields: HTTPFields = [:]
            if let pause = json["retry_after"]?.int { fields.add("Retry-After", String(pause)) }
            self = .status(Int(status), fields: fields, body: json["body"]?.string)
        case "reset_before": self = .resetBefore
        case "reset_after": self = .resetAfter
        case "malformed": self = .malformed
        case "slow": self = .slow
        case "none": self = .none
        default: return nil
        }
    }
}

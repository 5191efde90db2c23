internal import Actions
internal import HTTP
internal import Submitters

/// The body of `POST /v1/connections`.
struct ConnectionInput {
    /// How the account is connected.
    enum Way {
        /// With what was entered, at once.
        case entered(any Submitter)
        /// By a person who agrees in the browser.
        case browser(any OAuthSubmitter)
    }

    let way: Way
    let entered: [String: String]
    /// The owner's choices for the account.
    let chosen: JSONObject
    let returnTo: AppRedirect?

    /// The longest value of a field, in bytes.
    private static let longestValue = 8192

    var submitter: any Submitter {
        switch way {
        case .entered(let submitter): submitter
        case .browser(let submitter): submitter
        }
    }

    /// Without `return_to` an account is connected at once if all that is needed was entered; else the browser is asked
    /// where the service knows that.
    init(_ body: JSONValue, _ registry: Registry) throws(InvalidField) {
        try body.refuseMembers(otherThan: ["service", "fields", "settings", "return_to"])
        guard let name = body["service"]?.string else { throw .invalid("#/service", "It must name a service.") }
        guard let submitter = registry[name] else {
            throw .invalid(
                "#/service", "There is no such service. There are \(registry.names.joined(separator: ", ")).")
        }
        let entered = try Self.fields(body["fields"] ?? .null, of: submitter)
        self.entered = entered
        chosen = try Self.choices(body["settings"] ?? .null, for: submitter)
        returnTo = try Self.returnAddress(body["return_to"] ?? .null)
        let missing = submitter.description.credentialFields.first {
            $0.defaultValue == nil && (entered[$0.name] ?? "").isEmpty
        }
        if returnTo == nil, missing == nil {
            way = .entered(submitter)
        } else if let submitter = submitter as? any OAuthSubmitter {
            try Self.check(entered, for: submitter)
            way = .browser(submitter)
        } else if let missing {
            throw .invalid("#/fields/\(missing.name)", "It is needed: \(missing.prompt).")
        } else {
            throw .invalid("#/return_to", "Accounts of \(submitter.description.name) are connected without a browser.")
        }
    }

    static func text(_ value: JSONValue, _ pointer: String) throws(InvalidField) -> String {
        guard let text = value.string, text.utf8.count <= longestValue, !text.utf8.contains(0) else {
            throw .invalid(pointer, "It must be a text of at most \(longestValue) bytes.")
        }
        return text
    }

    private static func fields(
        _ value: JSONValue, of submitter: any Submitter
    ) throws(InvalidField) -> [String: String] {
        if value.isNull { return [:] }
        guard let members = value.object else { throw .invalid("#/fields", "It must be a JSON object.") }
        var names = submitter.description.credentialFields.map(\.name)
        for field in (submitter as? any OAuthSubmitter)?.oauth.accountFields ?? [] where !names.contains(field.name) {
            names.append(field.name)
        }
        var fields: [String: String] = [:]
        for member in members {
            guard names.contains(member.name) else {
                let all = names.isEmpty ? "none" : names.joined(separator: ", ")
                throw .invalid(
                    "#/fields/\(member.name)", "\(submitter.description.name) has no such field. There are \(all).")
            }
            fields[member.name] = try text(member.value, "#/fields/\(member.name)")
        }
        return fields
    }

    private static func choices(
        _ value: JSONValue, for submitter: any Submitter
    ) throws(InvalidField) -> JSONObject {
        if value.isNull { return JSONObject() }
        guard let members = value.object else { throw .invalid("#/settings", "It must be a JSON object.") }
        do throws(AccountChoices.Mistake) {
            return try AccountChoices.checked(members, for: submitter)
        } catch {
            throw .invalid("#/settings/\(error.name)", error.sentence)
        }
    }

    private static func returnAddress(_ value: JSONValue) throws(InvalidField) -> AppRedirect? {
        if value.isNull { return nil }
        guard let address = value.string.flatMap(AppRedirect.init) else {
            throw .invalid("#/return_to", "It must be an address of a scheme of the app's own, such as myapp://done.")
        }
        return address
    }

    private static func check(
        _ entered: [String: String], for submitter: any OAuthSubmitter
    ) throws(InvalidField) {
        let fields = submitter.oauth.accountFields
        for field in fields where field.defaultValue == nil && (entered[field.name] ?? "").isEmpty {
            throw .invalid("#/fields/\(field.name)", "It is needed: \(field.prompt).")
        }
        for name in entered.keys.sorted() where !fields.contains(where: { $0.name == name }) {
            throw .invalid(
                "#/fields/\(name)", "It is for connecting without a browser, and other fields for that are missing.")
        }
    }
}

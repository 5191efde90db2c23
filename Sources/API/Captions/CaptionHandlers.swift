internal import Actions
internal import Authentication
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer

extension APIHandlers {
    /// `POST /v1/captions/preview`: for each of the caller's accounts, or each named service or rule, the exact text it
    /// would get if it were posted now.
    package func previewCaption(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["caption", "services", "rules", "photo"])
        guard let caption = body["caption"]?.string else {
            throw RequestProblem.invalid("#/caption", "It must be a string.")
        }
        let text = try PhotoDraft.text(caption, "#/caption", limit: limits.textBytes)
        try rates.chargePlanning(of: text, by: caller.user)
        let ruleNames = try strings(body["rules"], "#/rules", atMost: CaptionRule.allNames.count)
        let services = try strings(body["services"], "#/services", atMost: 100)
        let photo = try await photo(named: body["photo"], of: caller.user)
        // A code is always as long as this one.
        let code = photo?.code ?? .make()
        var previews: [JSONValue] = []
        if services != nil || ruleNames == nil {
            let recipients = try await photos.chooseRecipients(services, of: caller.user)
            let zone = try await photos.timeZone(of: caller.user)
            for (recipient, plan) in photos.plan(
                text, labels: photo?.labels ?? ContentLabels(), at: photo?.moment ?? Date(),
                in: zone, code: code, for: recipients)
            {
                previews.append(
                    Self.body(
                        plan,
                        [
                            "service": .string(recipient.connection.service),
                            "account": .string(recipient.connection.account),
                        ]))
            }
        }
        let normalized = NormalizedCaption(text)
        for (index, name) in (ruleNames ?? []).enumerated() {
            guard let rule = CaptionRule.named(name) else {
                throw RequestProblem.invalid(
                    "#/rules/\(index)",
                    "There is no rule \(name). There are \(CaptionRule.allNames.joined(separator: ", ")).")
            }
            previews.append(
                Self.body(
                    CaptionPlanner.plan(normalized, rule: rule, shortURL: addresses.shortURL(code)),
                    ["rule": .string(name)]))
        }
        return .json(["previews": JSONValue(previews)])
    }

    /// The caller's own photo whose link the texts get; nil for null.
    private func photo(named value: JSONValue?, of user: User) async throws -> Photo? {
        guard let value, !value.isNull else { return nil }
        guard let id = value.string.flatMap({ PhotoID($0) }) else {
            throw RequestProblem.invalid("#/photo", "It must be the identifier of a photo.")
        }
        return try await photos.ownPhoto(id, of: user)
    }

    private func strings(_ value: JSONValue?, _ pointer: String, atMost limit: Int) throws(RequestProblem) -> [String]?
    {
        guard let value, !value.isNull else { return nil }
        let strings = value.array?.compactMap(\.string)
        guard let strings, strings.count == value.array?.count, strings.count <= limit else {
            throw .invalid(pointer, "It must be a list of at most \(limit) strings.")
        }
        return strings
    }

    private static func body(_ plan: PlannedCaption, _ source: JSONObject) -> JSONValue {
        var body = source
        body["text"] = .string(plan.text)
        body["length"] = .int(Int64(plan.length))
        body["limit"] = JSONValue(plan.limit)
        body["unit"] = .string(plan.unit.rawValue)
        body["cut"] = .bool(plan.isCut)
        body["thread"] = plan.thread.isEmpty ? .null : JSONValue(plan.thread)
        return .object(body)
    }
}

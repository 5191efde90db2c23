package import Domain
internal import HTTP
package import HTTPServer

extension API {
    /// `POST /v1/captions/preview`: for each of the caller's accounts, or each named service or rule, the exact text it
    /// would get.
    package func previewCaption(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await json(request)
        guard let caption = body["caption"]?.string else {
            throw RequestProblem.invalid("#/caption", "It must be a string.")
        }
        let text = NormalizedCaption(try PhotoDraft.text(caption, "#/caption", limit: limits.textBytes))
        let ruleNames = try strings(body["rules"], "#/rules")
        let services = try strings(body["services"], "#/services")
        // A code is always as long as this one.
        let shortURL = addresses.shortURL(ShortCode.make())
        var previews: [JSONValue] = []
        if services != nil || ruleNames == nil {
            for target in try await chooseTargets(services, of: caller.user) {
                let plan = CaptionPlanner.plan(text, rule: target.rule, shortURL: shortURL)
                previews.append(
                    Self.body(
                        plan,
                        ["service": .string(target.connection.service), "account": .string(target.connection.account)]))
            }
        }
        for (index, name) in (ruleNames ?? []).enumerated() {
            guard let rule = CaptionRule.named(name) else {
                throw RequestProblem.invalid(
                    "#/rules/\(index)",
                    "There is no rule \(name). There are \(CaptionRule.allNames.joined(separator: ", ")).")
            }
            previews.append(
                Self.body(CaptionPlanner.plan(text, rule: rule, shortURL: shortURL), ["rule": .string(name)]))
        }
        return .json(["previews": JSONValue(previews)])
    }

    private func strings(_ value: JSONValue?, _ pointer: String) throws(RequestProblem) -> [String]? {
        guard let value, !value.isNull else { return nil }
        let strings = value.array?.compactMap(\.string)
        guard let strings, strings.count == value.array?.count, strings.count <= 100 else {
            throw .invalid(pointer, "It must be a list of at most 100 strings.")
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
        return .object(body)
    }
}

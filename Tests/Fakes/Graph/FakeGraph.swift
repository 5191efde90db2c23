internal import HTTP

/// What all services of Meta's Graph API answer alike.
enum FakeGraph {
    static func error(
        _ code: Int, _ status: Int = 400, subcode: Int? = nil, message: String = "No.", data: JSONValue = .null
    ) -> FakeAnswer {
        .json(
            [
                "error": [
                    "message": .string(message), "type": "OAuthException", "code": JSONValue(code),
                    "error_subcode": JSONValue(subcode), "is_transient": false, "error_data": data, "fbtrace_id": "A",
                ]
            ], HTTPStatus(code: status))
    }

    /// A page of at most 100, 25 unless more are asked for, with a cursor for the next ("Paginated Results").
    static func page(of items: [JSONValue], _ request: FakeRequest) -> FakeAnswer {
        let query = FormFields(request.query)
        let start = query?["after"].flatMap { Int($0) } ?? 0
        let length = min(query?["limit"].flatMap { Int($0) } ?? 25, 100)
        let shown = items.dropFirst(start).prefix(length)
        var paging: JSONObject = ["cursors": ["after": .string(String(start + shown.count))]]
        if items.count > start + shown.count { paging["next"] = .string("https://\(request.origin)/next") }
        return .json(["data": JSONValue(Array(shown)), "paging": .object(paging)])
    }
}

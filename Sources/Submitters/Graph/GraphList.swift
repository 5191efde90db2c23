internal import FoundationEssentials
internal import HTTP

/// A part of a list of the Graph API.
struct GraphList: Sendable {
    var items: [JSONValue] = []
    /// Whether the list was read to its end.
    var isComplete = false

    /// Pages that are read of a list, of 100 items each.
    static let mostPages = 10

    /// A time as the Graph API writes it: `2026-11-20T10:00:00+0000`; nil for anything else.
    static func time(_ text: String) -> Date? {
        Timestamp(text.hasSuffix("+0000") ? text.dropLast(5) + "Z" : text)?.date
    }
}

extension AccountAPI {
    /// Reads a list page by page: `data`, and `paging{cursors{after}, next}` behind it (Graph API, "Paginated Results"). An address that the service
    /// names is not followed: its cursor is asked for where the first page was.
    ///
    /// - Parameters:
    ///   - path: Of the list, without a query.
    ///   - query: Of each page, without `limit` and `after`.
    ///   - mostPages: How many pages are read.
    ///   - goesOn: Whether an item is wanted, and what comes behind it; the list counts as read to its end where it is not.
    /// - Returns: The wanted items of the pages that were read.
    /// - Throws: As `ServiceClient.graphFailure`.
    func graphList(
        at path: String, _ query: FormFields, mostPages: Int = GraphList.mostPages,
        while goesOn: (JSONValue) -> Bool = { _ in true }
    ) async throws(SubmissionError) -> GraphList {
        var list = GraphList()
        var after: String?
        for _ in 0..<mostPages {
            var asked = query
            asked.add("limit", "100")
            if let after { asked.add("after", after) }
            // A hundred comments at their longest are over a megabyte.
            let response = try await send(.get, "\(path)?\(asked.encoded)", maxResponseBytes: 4 << 20)
            let json = try graphSuccess(response)
            guard let items = json["data"]?.array else { throw client.malformed(response) }
            let wanted = items.prefix(while: goesOn)
            list.items += wanted
            after = json["paging"]?["cursors"]?["after"]?.string
            guard json["paging"]?["next"] != nil, after != nil, wanted.count == items.count else {
                list.isComplete = true
                break
            }
        }
        return list
    }

    /// The JSON of a response that says yes, of a call whose refusals mean the usual.
    func graphSuccess(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw client.graphFailure(response, role) }
        return try client.json(response, role)
    }
}

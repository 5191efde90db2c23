internal import HTTP
internal import HTTPServer

/// A page of a list that is read by keyset: `limit` and the opaque `cursor` of the last item before it.
struct PageRequest<Cursor> {
    static var maximumLimit: Int { 100 }

    let limit: Int
    let cursor: Cursor?

    /// Reads `limit` (1 to 100, default 20) and `cursor` from the query.
    init(_ request: HTTPRequest, _ parse: (String) -> Cursor?) throws(RequestProblem) {
        let query = request.query
        if let text = query["limit"] {
            guard let number = Int(text), (1...Self.maximumLimit).contains(number) else {
                throw .invalid("#/limit", "It must be a number from 1 to \(Self.maximumLimit).")
            }
            limit = number
        } else {
            limit = 20
        }
        if let text = query["cursor"] {
            guard let value = parse(text) else {
                throw .invalid("#/cursor", "It is none that a page has given as its next.")
            }
            cursor = value
        } else {
            cursor = nil
        }
    }

    /// The first of `items` that fill the page: at most `limit`, and fewer when their texts are long, so that no response
    /// is large. `items` may have one more than the page, which tells that there is a next.
    func filled<Item>(_ items: [Item], _ textBytes: (Item) -> Int) -> ArraySlice<Item> {
        var count = 0
        var bytes = 0
        while count < min(limit, items.count) {
            bytes += textBytes(items[count])
            if count > 0, bytes > pageTextBytes { break }
            count += 1
        }
        return items[..<count]
    }

    /// `{"items", "next"}` with the same in `Link` (RFC 8288), whose address keeps what else the query asks for in `filter`; `write` writes
    /// one item, and `more` what stands before them.
    func response<Item>(
        _ items: ArraySlice<Item>, next: String?, base: String, path: String,
        filter: FormFields = FormFields(), beside more: (inout JSONWriter) -> Void = { _ in },
        _ write: (inout JSONWriter, Item) -> Void
    ) -> HTTPResponse {
        var response = HTTPResponse.privateJSON { json in
            json.object { json in
                more(&json)
                json.array("items", items, write)
                json.member("next", next)
            }
        }
        if let next {
            var query = FormFields()
            for pair in filter.pairs where pair.name != "limit" && pair.name != "cursor" {
                query.add(pair.name, pair.value)
            }
            query.add("limit", String(limit))
            query.add("cursor", next)
            response.fields.setLinks([Link("\(base)\(path)?\(query.encoded)", rel: "next")])
        }
        return response
    }
}

/// How many bytes of captions and alternative texts a page holds together before it ends, if it has one item.
private let pageTextBytes = 256 << 10

extension HTTPResponse {
    /// JSON for its caller alone: no cache shares it, and everybody asks whether it has changed.
    static func privateJSON(_ status: HTTPStatus = .ok, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        HTTPResponse(
            status, fields: ["Content-Type": "application/json", "Cache-Control": "private, no-cache"],
            body: .bytes(JSONWriter.text(write)))
    }
}

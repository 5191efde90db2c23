internal import HTTP
internal import HTTPServer

/// A page of a list that is read by keyset: `limit` and the opaque `cursor` of the last item before it.
struct Page<Cursor> {
    static var maximumLimit: Int { 100 }

    let limit: Int
    let cursor: Cursor?

    /// Reads `limit` (1 to 100, default 20) and `cursor` from the query.
    init(_ request: Request, _ parse: (String) -> Cursor?) throws(RequestProblem) {
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

    /// `{"items", "next"}` with the same in `Link` (RFC 8288).
    func answer(_ items: [JSONValue], next: String?, base: String, path: String) -> Response {
        var fields: HTTPFields = ["Content-Type": "application/json", "Cache-Control": "private, no-cache"]
        if let next {
            let query = (["limit": String(limit), "cursor": next] as FormFields).encoded
            fields.setLinks([Link("\(base)\(path)?\(query)", rel: "next")])
        }
        let body: JSONValue = ["items": JSONValue(items), "next": JSONValue(next)]
        return Response(.ok, fields: fields, body: .bytes(body.serialized))
    }
}

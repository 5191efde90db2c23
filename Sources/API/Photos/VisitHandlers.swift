internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// `GET /v1/photos/{id}/visits`: how often the page of the caller's photo was opened, newest day first.
    ///
    /// - Throws: `StoreError.notFound` also for somebody else's photo.
    package func listVisits(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: PhotoID = try request.identifier()
        let page = try PageRequest(request) { Timestamp("\($0)T00:00:00Z") == nil ? nil : $0 }
        let visits = try await photos.visits(
            of: id, for: caller.user.id, before: page.cursor, limit: page.limit + 1)
        let shown = visits.days.prefix(page.limit)
        return page.response(
            shown, next: visits.days.count > page.limit ? shown.last?.day : nil, base: addresses.base,
            path: "/v1/photos/\(id)/visits", beside: { Self.write(visits.sum, to: &$0) },
            { json, day in
                json.object { json in
                    json.member("day", day.day)
                    Self.write(day.count, to: &json)
                }
            })
    }

    private static func write(_ count: VisitCount, to json: inout JSONWriter) {
        json.member("people", count.people)
        json.member("bots", count.bots)
    }
}

internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// `GET /livez`: the process runs.
    package func live(_ request: HTTPRequest) -> HTTPResponse { Self.alive }

    private static let alive = HTTPResponse(
        .ok, fields: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
        body: .bytes(Array("ok\n".utf8)))

    /// `GET /readyz`: it can serve: it is not stopping, a photo can be stored, the database answers and takes changes. What
    /// cannot be done has its reason in `problems`.
    package func ready(_ request: HTTPRequest) async throws -> HTTPResponse {
        async let disk = status.storageTrouble()
        async let database = status.system.databaseTrouble()
        let checks = [
            ("draining", status.isDraining() ? "This process is stopping." : nil), ("disk", await disk),
            ("database", await database),
        ]
        let problems = checks.compactMap { name, trouble in trouble.map { (name, JSONValue.string($0)) } }
        let body: JSONValue = [
            "status": problems.isEmpty ? "pass" : "fail",
            "checks": JSONValue(JSONObject(checks.map { ($0.0, $0.1 == nil ? "pass" : "fail") })),
            "problems": JSONValue(JSONObject(problems)),
        ]
        return HTTPResponse(
            problems.isEmpty ? .ok : .serviceUnavailable,
            fields: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: .bytes(body.serialized))
    }
}

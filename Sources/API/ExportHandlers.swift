internal import Actions
package import Domain
internal import HTTP
package import HTTPServer

extension APIHandlers {
    /// `GET /v1/export`: everything that the caller owns, as a ZIP archive.
    package func exportEverything(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let export = try await exports.begin(for: caller.user)
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "application/zip", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Disposition": "attachment; filename=\"\(export.fileName)\"",
            ],
            body: .stream(length: export.bytes) { writer in try await export.send { try await writer.write($0) } })
    }
}

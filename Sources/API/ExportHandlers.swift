internal import Actions
package import Domain
internal import HTTP
package import HTTPServer

extension API {
    /// `GET /v1/export`: everything that the caller owns, as a ZIP archive.
    package func exportEverything(_ request: Request, _ caller: Caller) async throws -> Response {
        let export = try await exports.begin(for: caller.user)
        return Response(
            .ok,
            fields: [
                "Content-Type": "application/zip", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Disposition": "attachment; filename=\"\(export.fileName)\"",
            ],
            body: .stream(length: export.bytes) { writer in try await export.send { try await writer.write($0) } })
    }
}

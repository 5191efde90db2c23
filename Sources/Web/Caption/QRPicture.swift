internal import Domain
internal import Formats
internal import HTTP
package import HTTPServer
internal import Store

extension PageHandlers {
    /// `GET /{code}/qr.svg`: the short link as a QR code, for posters and for telephones that are held before a screen.
    package func qrPicture(_ request: HTTPRequest) async throws -> HTTPResponse {
        let code = try request.shortCode()
        _ = try await visiblePhoto(code, request)
        guard let qr = QRCode(addresses.shortURL(code)) else { throw StoreError.notFound }
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "image/svg+xml", "Cache-Control": "private, max-age=86400",
                "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Array(qr.svg.utf8)))
    }
}

extension QRCode {
    /// With the margin of four modules that readers need; always dark on light, as the oldest of them demand.
    var svg: String {
        let margin = 4
        var path = ""
        for y in 0..<side {
            var x = 0
            while x < side {
                let start = x
                while x < side, self[x, y] { x += 1 }
                if x > start { path += "M\(start + margin) \(y + margin)h\(x - start)v1H\(start + margin)z" }
                x += 1
            }
        }
        let size = side + 2 * margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <rect width="\(size)" height="\(size)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
            """
    }
}

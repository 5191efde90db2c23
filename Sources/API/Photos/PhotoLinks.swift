internal import Actions
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// The longest life of a link, in hours.
    private static let longestLink: Int64 = 720

    /// `POST /v1/photos/{id}/links`: hands a picture over to whatever app takes an address.
    package func createLink(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo = try await photos.ownPhoto(try request.identifier(), of: caller.user)
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["size", "hours"])
        let hours = body["hours"]?.int ?? (body["hours"] == nil ? 24 : 0)
        guard 1...Self.longestLink ~= hours else {
            throw RequestProblem.invalid("#/hours", "It must be a number from 1 to \(Self.longestLink).")
        }
        let path = try Self.path(of: photo, size: body["size"])
        let end = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down) + Double(hours) * 3600)
        let file = path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
        let link: FormFields = ["link": access.link(to: file, of: photo.code, until: end)]
        return .json(
            [
                "url": .string(link.added(to: "\(addresses.base)\(path)")),
                "expires_at": JSONValue(end),
            ], status: .created, fields: ["Cache-Control": "no-store"])
    }

    /// The public path of a photo at a size, or of its video, which has one.
    ///
    /// - Throws: `StoreError.notFound` for a post that was registered without its picture; `RequestProblem` for a size that there is not.
    private static func path(of photo: Photo, size: JSONValue?) throws -> String {
        let rendition = size.map { $0.string.flatMap(PublicRendition.init) } ?? .large
        guard let rendition, rendition != .thumb else {
            throw RequestProblem.invalid("#/size", "It must be small, medium or large.")
        }
        guard let path = photo.publicPath(rendition) else { throw StoreError.notFound }
        return path
    }
}

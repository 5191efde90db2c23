internal import Actions
package import Domain
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// In hours.
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
        let link = access.link(to: file, of: photo.code, until: end)
        return .json(
            [
                "url": .string("\(addresses.base)\(path)\(path.contains("?") ? "&" : "?")link=\(link)"),
                "expires_at": JSONValue(end),
            ], status: .created, fields: ["Cache-Control": "no-store"])
    }

    /// - Throws: `StoreError.notFound` for a post that was registered without its picture.
    private static func path(of photo: Photo, size: JSONValue?) throws -> String {
        guard photo.hasPicture else { throw StoreError.notFound }
        let rendition = size.map { $0.string.flatMap(PublicRendition.init) } ?? .large
        guard let rendition, rendition != .thumb else {
            throw RequestProblem.invalid("#/size", "It must be small, medium or large.")
        }
        guard photo.kind == .video else { return rendition.path(code: photo.code, recipe: photo.recipe) }
        guard let file = PublicVideo.file(mediaType: photo.mediaType) else { throw StoreError.notFound }
        return "/m/\(photo.code)/\(file)"
    }
}

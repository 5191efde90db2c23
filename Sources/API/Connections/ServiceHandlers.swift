internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

extension APIHandlers {
    /// `GET /v1/services`: what this Pics offers, and where the user has accounts; how accounts are connected there, and what is missing for it.
    package func listServices(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let known = try await accounts.applications.known()
        let offered = try await accounts.offered.ids(for: caller.user.id)
        let items = registry.submitters.filter { offered.contains($0.description.id) }
            .map { body($0, known($0.description.id)) }
        return .json(["items": JSONValue(items), "next": .null])
    }

    /// `PUT /v1/services/{id}/keys`: keeps the keys of the application that Pics is at a service. They are never shown.
    package func putServiceKeys(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let submitter = try application(request)
        let fields = submitter.oauth.appFields
        var values: [String: String] = [:]
        for member in try await json(request).members() {
            guard fields.contains(where: { $0.name == member.name }) else {
                throw RequestProblem.invalid(
                    InvalidField.pointer(to: member.name),
                    "There is no such key. There are \(fields.map(\.name).joined(separator: ", ")).")
            }
            values[member.name] = try ConnectionInput.text(member.value, "#/\(member.name)")
        }
        do {
            try await accounts.putKeys(values, for: submitter, by: caller.user)
        } catch let error as MissingApplicationKey {
            throw RequestProblem.invalid("#/\(error.name)", "It is needed.")
        }
        return try await shown(submitter)
    }

    /// `DELETE /v1/services/{id}/keys`: forgets them. Accounts that are connected keep those they were connected with.
    package func deleteServiceKeys(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await accounts.deleteKeys(for: try application(request), by: caller.user)
        return .noContent
    }

    private func application(_ request: HTTPRequest) throws -> any OAuthSubmitter {
        guard let submitter = request.parameters["id"].flatMap({ registry[$0] }) else { throw StoreError.notFound }
        guard let application = submitter as? any OAuthSubmitter, !application.oauth.appFields.isEmpty else {
            throw RequestProblem.unsupported("\(submitter.description.name) takes no keys of an application.")
        }
        return application
    }

    private func shown(_ submitter: any Submitter) async throws -> HTTPResponse {
        .json(body(submitter, try await accounts.applications.known(for: submitter.description.id)))
    }

    private func body(_ submitter: any Submitter, _ known: OAuthClients.Known) -> JSONValue {
        let service = submitter.description
        return [
            "id": .string(service.id), "name": .string(service.name), "aliases": JSONValue(service.aliases),
            "caption": [
                "limit": JSONValue(service.captionRule.limit), "unit": .string(service.captionRule.unit.rawValue),
            ],
            "picture_types": JSONValue(service.mediaRule.pictureTypes.sorted()),
            "maximum_picture_bytes": .int(service.mediaRule.maximumPictureBytes),
            "video_types": JSONValue(service.mediaRule.videoTypes.sorted()),
            "maximum_video_bytes": .int(service.mediaRule.maximumVideoBytes),
            "alt_text": .bool(service.takesAltText), "at_once": .int(Int64(service.lane.concurrency)),
            "video": .bool(!service.mediaRule.videoTypes.isEmpty), "albums": .bool(submitter is any AlbumSubmitter),
            "delete": .bool(submitter is any DeletingSubmitter), "edit": .bool(submitter is any EditingSubmitter),
            "counts": .bool(submitter is any EngagementSubmitter),
            "position": .bool(service.position != .never), "public_links": .bool(service.hasPublicLinks),
            // For the choice of `caption_template`.
            "link_note": JSONValue(service.linkNote),
            "settings": JSONValue(AccountChoices.offered(by: submitter).map(\.name)),
            "qualities": JSONValue(service.hasPictureChoices ? AccountPicture.Quality.allCases.map(\.rawValue) : []),
            "note": JSONValue(service.note),
            "visibilities": JSONValue(service.visibilities.map(\.value)),
            "fields": JSONValue(service.credentialFields.map(Self.body)),
            "browser": (submitter as? any OAuthSubmitter).map { Self.browser($0, known.keys) } ?? .null,
            "application": (submitter as? any OAuthSubmitter).map { application($0, known) } ?? .null,
        ]
    }

    private static func browser(_ submitter: any OAuthSubmitter, _ keys: ClientCredentials) -> JSONValue {
        [
            "flow": .string(submitter.flow(with: keys) == .oauth1 ? "oauth1" : "oauth2"),
            "fields": JSONValue(submitter.oauth.accountFields.map(body)),
            "scopes": JSONValue(submitter.oauth.scopes),
        ]
    }

    /// Whether keys are there; the keys themselves are not told.
    private func application(_ submitter: any OAuthSubmitter, _ known: OAuthClients.Known) -> JSONValue {
        [
            "fields": JSONValue(submitter.oauth.appFields.map(Self.body)),
            "missing": JSONValue(submitter.missingKeys(of: known.keys)),
            "source": JSONValue(known.source?.rawValue),
            "callback": .string(AccountActions.callback(of: submitter.description.id, base: addresses.base)),
        ]
    }

    private static func body(_ field: CredentialField) -> JSONValue {
        [
            "name": .string(field.name), "prompt": .string(field.prompt), "secret": .bool(field.isSecret),
            "required": .bool(field.defaultValue == nil), "default": JSONValue(field.defaultValue),
        ]
    }
}

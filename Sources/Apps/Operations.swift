internal import HTTP
package import HTTPServer

/// The protocol that an operation is of; a tag of `/openapi.json`.
enum AppProtocol: String {
    case oauth = "OAuth"
    case mastodon = "Mastodon client API"
    case micropub = "Micropub"
}

extension Operation {
    /// An operation that other people's documentation describes: here is its place, what it is for, and that it takes a form, JSON or both.
    /// It tells its problems in JSON; below `/api` the server does so too.
    static func of(
        _ protocol: AppProtocol, _ id: String, _ summary: String, query: [String] = [], takesBody: Bool = false,
        _ status: HTTPStatus = .ok, problems: ProblemContent = .detailsOrJSON
    ) -> Operation {
        let object: JSONValue = ["type": "object"]
        let reasons: KeyValuePairs<HTTPStatus, String> = [
            .badRequest: "The request cannot be read, or asks for what is not there.",
            .unauthorized: "The token or the app is not known.", .forbidden: "The token may not do that.",
            .notFound: "There is no such thing, or not for you.",
            .unprocessableContent: "The request is understood and cannot be met.",
            .serviceUnavailable: "Try again later.",
        ]
        let told = Content(["application/json": object, "application/problem+json": OpenAPI.reference("Problem")])
        var operation = Operation(
            id, summary, tags: [`protocol`.rawValue], parameters: query.map { Parameter($0, in: .query, "") },
            body: takesBody
                ? Content(
                    [
                        "application/x-www-form-urlencoded": object, "application/json": object,
                        "multipart/form-data": object,
                    ], required: false) : nil,
            responses: [Response(status, summary, Content(["application/json": [:]]))]
                + reasons.map { Response($0.key, $0.value, told) })
        operation.problemContent = problems
        return operation
    }

    package static let decideOnApp = of(
        .oauth, "decideOnApp", "A person's decision about an app; or who the user behind a code is.", takesBody: true)
    static let serverMetadata = of(.oauth, "serverMetadata", "The authorization server (RFC 8414).")
    static let resourceMetadata = of(.oauth, "resourceMetadata", "What is protected (RFC 9728).")
    static let registerClient = of(.oauth, "registerClient", "Registers an app (RFC 7591).", takesBody: true, .created)
    static let issueToken = of(.oauth, "issueToken", "Tokens for a code or a refresh token.", takesBody: true)
    static let revokeAppToken = of(.oauth, "revokeAppToken", "Ends a token (RFC 7009).", takesBody: true)
    static let introspectToken = of(.oauth, "introspectToken", "What a token is (RFC 7662).", takesBody: true)
    static let showUserInfo = of(.oauth, "showUserInfo", "Who the user is.")
    static let showUploadedFile = Operation(
        "showUploadedFile",
        "The picture of a file that an app has uploaded and not posted yet, without place and names.",
        description:
            "Whoever knows the address sees it. Once the file is a photo, the address leads to its public picture.",
        tags: ["uploads"],
        responses: [
            Response(.ok, "The picture.", Content(["image/*": ["type": "string", "format": "binary"]])),
            Response(
                .seeOther, "It is a photo now, which everybody may see.", fields: ["Location": "Its public picture."]),
            .problem(.unprocessableContent, "The picture cannot be cleaned."),
        ])
    static let sendUserInfo = of(.oauth, "sendUserInfo", "The same, asked by POST.", takesBody: true)

    /// An operation of Micropub, which answers in JSON where something is wrong too.
    private static func micropub(
        _ id: String, _ summary: String, query: [String] = [], body: Content? = nil, _ answers: [HTTPStatus]
    ) -> Operation {
        let json = Content(["application/json": ["type": "object"]])
        // Uploads in parts are told as everywhere.
        let problem = Content([
            "application/json": ["type": "object"], "application/problem+json": OpenAPI.reference("Problem"),
        ])
        let reasons: KeyValuePairs<HTTPStatus, String> = [
            .badRequest: "Something of the request is wrong, or there is no such post.",
            .unauthorized: "The token is missing, wrong, or may not do that.", .forbidden: "It is somebody else's.",
            .conflict: "The same request is still being worked on.", .contentTooLarge: "The file is too large.",
            .preconditionFailed: "The client speaks no protocol of uploads that is known.",
            .unsupportedMediaType: "The file is nothing that Pics takes.",
            .unprocessableContent: "The picture cannot be read, or the key was used for another request.",
        ]
        return Operation(
            id, summary, tags: [AppProtocol.micropub.rawValue], parameters: query.map { Parameter($0, in: .query, "") },
            body: body,
            responses: answers.map { Response($0, summary, $0 == .noContent ? nil : json) }
                + reasons.map { Response($0.key, $0.value, problem) })
    }

    static let queryMicropub = micropub(
        "queryMicropub", "What can be posted and where to, or the source of posts (Micropub, section 3.7).",
        query: ["q", "url", "properties", "properties[]", "filter", "limit", "offset", "post-status"], [.ok])
    static let postMicropub = micropub(
        "postMicropub", "Creates, changes or deletes a post (Micropub, sections 3.3 and 3.4).",
        body: Content(
            [
                "application/x-www-form-urlencoded": ["type": "object"], "application/json": ["type": "object"],
                "multipart/form-data": ["type": "object"],
            ], required: false), [.created, .noContent])
    static let queryMicropubMedia = micropub(
        "queryMicropubMedia", "The files that were uploaded and not posted.", query: ["q", "limit", "offset"], [.ok])
    static let uploadMicropubMedia = micropub(
        "uploadMicropubMedia", "Takes a file for a later post (Micropub, section 3.6), or deletes one.",
        body: Content(
            ["multipart/form-data": ["type": "object"], "application/x-www-form-urlencoded": ["type": "object"]],
            required: false), [.created, .noContent])
}

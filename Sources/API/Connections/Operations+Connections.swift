internal import HTTP
package import HTTPServer

/// Services and accounts in `/openapi.json`.
extension Operation {
    private static let service = [
        Parameter("id", in: .path, "A service.", schema: Schemas.pattern("^[A-Za-z0-9-]+$"))
    ]
    private static let noJSON = Response.problem(.unsupportedMediaType, "The body is not JSON.")
    private static let refused = Response.problem(.unprocessableContent, "The service refuses it, or cannot do it.")
    private static let trouble = Response.problem(.badGateway, "The service does not answer as it should.")

    package static let listServices = Operation(
        "listServices", "What this Pics can post to, how accounts are connected there, and what is missing for it.",
        tags: ["services"], responses: [Response(.ok, "All of them.", .json("ServicePage"))])

    package static let putServiceKeys = Operation(
        "putServiceKeys", "Keeps the keys of the application that Pics is at a service.",
        description: "The members are those of `application.fields`. Keys in the settings of Pics win over these.",
        tags: ["services"], parameters: service, body: .json("ServiceKeys"),
        responses: [
            Response(.ok, "The service as it is now, without the keys.", .json("Service")), noJSON,
            .problem(.unprocessableContent, "The service takes no such keys."),
        ])

    package static let deleteServiceKeys = Operation(
        "deleteServiceKeys", "Forgets the keys of an application.", tags: ["services"], parameters: service,
        responses: [
            Response(.noContent, "They are gone."),
            .problem(.unprocessableContent, "The service takes no such keys."),
        ])

    package static let listConnections = Operation(
        "listConnections", "The accounts that the caller has connected.", tags: ["services"],
        responses: [Response(.ok, "All of them.", .json("ConnectionPage"))])

    package static let createConnection = Operation(
        "createConnection", "Connects an account, or begins to where a person has to agree in the browser.",
        description: """
            With all of the service's `fields` the account is connected at once. With those of `browser.fields` the answer is \
            202 and an address to open in a browser, within ten minutes. The person then comes back to `return_to` with \
            `authorization`, `service` and `code`, or with `error` and `error_description`, if the setting `return_schemes` \
            names its scheme; else a page shows the code. The account is connected when the code is claimed.
            """,
        tags: ["services"], body: .json("ConnectionWish"),
        responses: [
            Response(
                .created, "The account.", .json("Connection"), fields: ["Location": "The account's address."]),
            Response(.accepted, "The address to open.", .json("AuthorizationAnswer")), noJSON, refused, trouble,
            .problem(.conflict, "The operator has to enter the keys of an application first."),
        ])

    package static let claimAuthorization = Operation(
        "claimAuthorization", "Ends a connection that this user has begun, with the code that the browser has brought.",
        description: "The code is good once, and for ten minutes after the beginning.",
        tags: ["services"], body: .json("AuthorizationClaim"),
        responses: [
            Response(
                .created, "The account.", .json("Connection"), fields: ["Location": "The account's address."]),
            noJSON, refused, trouble, .problem(.conflict, "It took too long."),
        ])

    package static let showConnection = Operation(
        "showConnection", "An account.", tags: ["services"],
        responses: [Response(.ok, "The account.", .json("Connection"))])

    package static let editConnection = Operation(
        "editConnection", "Pauses or resumes an account, and changes its choices.",
        description: """
            A JSON merge patch (RFC 7396) of `paused` and of the names in the service's `settings`; null takes a choice back. \
            Photos that wait and have not begun get the text that follows from it; those that have begun keep theirs.
            """, tags: ["services"],
        body: Content([
            "application/merge-patch+json": OpenAPI.reference("ConnectionEdit"),
            "application/json": OpenAPI.reference("ConnectionEdit"),
        ]),
        responses: [Response(.ok, "The account as it is now.", .json("Connection")), noJSON])

    package static let deleteConnection = Operation(
        "deleteConnection", "Disconnects an account: forgets its credentials and cancels what waits for it.",
        description: """
            The service hears it too where it has a way; one that is away is not waited for. What was posted stays there.
            """, tags: ["services"],
        responses: [Response(.ok, "It is gone.", .json("Disconnection"))])

    package static let listAlbums = Operation(
        "listAlbums", "The albums of an account, as its service tells them now.", tags: ["services"],
        responses: [Response(.ok, "All of them.", .json("AlbumPage")), refused, trouble])

    package static let createAlbum = Operation(
        "createAlbum", "Makes an album; PATCH the account's `album` to its id to choose it.", tags: ["services"],
        body: .json("AlbumWish"),
        responses: [Response(.created, "The album.", .json("Album")), noJSON, refused, trouble])

    package static let describeClient = Operation(
        "describeClient", "What Pics is to sites that know apps by an address (IndieAuth).", tags: ["pages"],
        responses: [
            Response(.ok, "Name, address and callbacks.", Content(["application/json": [:], "text/html": [:]]))
        ])
    package static let endAuthorization = Operation(
        "endAuthorization", "Where services send a person back to who has agreed, or not.", tags: ["pages"],
        parameters: [Parameter("state", "What the person was sent away with; good once.")],
        responses: [
            Response(.ok, "The account is connected, or a code for the app that began.", Content(["text/html": [:]])),
            Response(
                .seeOther, "Back to the app or the settings.", fields: ["Location": "An app's own address, or a page."]),
            Response(
                .badRequest, "The account is not connected, and why.",
                Content(["text/html": [:], "application/problem+json": OpenAPI.reference("Problem")])),
        ])
}

internal import HTTP
internal import HTTPServer
internal import Submitters

extension Schemas {
    private static let optionalBoolean: JSONValue = ["type": ["boolean", "null"]]

    private static let settings = JSONObject(AccountChoice.allCases.map { ($0.name, schema(of: $0.kind)) })

    private static func schema(of kind: AccountChoice.Kind) -> JSONValue {
        switch kind {
        case .flag: optionalBoolean
        case .oneOf(let values, _): ["enum": .array(values.map(JSONValue.string) + [JSONValue.null])]
        case .oneOfService, .text:
            ["type": ["string", "null"], "minLength": 1, "maxLength": .int(Int64(AccountChoice.longestText))]
        }
    }

    /// The members that an account has depend on its service.
    private static let chosen = body(settings, optional: Set(settings.map(\.name)))

    /// Of services and accounts.
    static let connections: JSONObject = [
        "ServiceField": object([
            "name": string, "prompt": string, "secret": boolean, "required": boolean, "default": text,
        ]),
        "Service": object([
            "id": string, "name": string, "aliases": list(string),
            "caption": object(["limit": ["type": ["integer", "null"]], "unit": string]), "picture_types": list(string),
            "maximum_picture_bytes": integer, "video_types": list(string), "maximum_video_bytes": integer,
            "alt_text": boolean, "at_once": integer, "video": boolean, "albums": boolean, "delete": boolean,
            "edit": boolean, "counts": boolean, "position": boolean, "public_links": boolean, "settings": list(string),
            "visibilities": list(string), "qualities": list(string), "note": text, "link_note": text,
            "fields": list(OpenAPI.reference("ServiceField")),
            "browser": [
                "oneOf": [
                    object([
                        "flow": ["type": "string", "enum": ["oauth1", "oauth2"]],
                        "fields": list(OpenAPI.reference("ServiceField")), "scopes": list(string),
                    ]), ["type": "null"],
                ]
            ],
            "application": [
                "oneOf": [
                    object([
                        "fields": list(OpenAPI.reference("ServiceField")), "missing": list(string), "source": text,
                        "callback": ["type": "string", "format": "uri"],
                    ]), ["type": "null"],
                ]
            ],
        ]),
        "ServicePage": page("Service"),
        "ServiceKeys": ["type": "object", "additionalProperties": string],
        "Connection": object([
            "id": uuid, "service": string, "account": string,
            "state": ["type": "string", "enum": ["ok", "needs_login", "paused"]], "problem": problem,
            "created_at": time, "settings": object(settings, optional: Set(settings.map(\.name))),
        ]),
        "ConnectionPage": page("Connection"),
        "ConnectionWish": body(
            [
                "service": string, "fields": ["type": ["object", "null"], "additionalProperties": string],
                "settings": ["oneOf": [chosen, ["type": "null"]]],
                "return_to": ["type": ["string", "null"], "format": "uri"],
            ], optional: ["fields", "settings", "return_to"]),
        "ConnectionEdit": body(
            JSONObject([("paused", boolean)] + settings.map { ($0.name, $0.value) }),
            optional: Set(["paused"] + settings.map(\.name))),
        "AuthorizationAnswer": object([
            "authorization": object([
                "id": uuid, "url": ["type": "string", "format": "uri"], "expires_at": time, "returns": boolean,
            ])
        ]),
        "AuthorizationClaim": body(["code": ["type": "string", "minLength": 1]]),
        "Disconnection": object(["cancelled": integer, "revoked": optionalBoolean, "problem": problem]),
        "Album": object(["id": string, "name": string]), "AlbumPage": page("Album"),
        "AlbumWish": body([
            "name": [
                "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]*\\S[^\\u0000]*$",
            ]
        ]),
    ]
}

internal import Domain
package import HTTP
internal import HTTPServer

/// The shapes of JSON bodies, as JSON Schema 2020-12. Clients may rely on them; more members may come.
package enum Schemas {
    static let string: JSONValue = ["type": "string"]
    static let text: JSONValue = ["type": ["string", "null"]]
    static let integer: JSONValue = ["type": "integer"]
    static let boolean: JSONValue = ["type": "boolean"]
    private static let size: JSONValue = ["type": ["integer", "null"], "minimum": 1]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let optionalTime: JSONValue = ["type": ["string", "null"], "format": "date-time"]
    static let uuid: JSONValue = ["type": "string", "format": "uuid"]
    private static let album: JSONValue = ["type": "string", "maxLength": 100]
    private static let companions: JSONValue = ["type": "array", "items": uuid, "maxItems": 3, "uniqueItems": true]
    private static let visibility: JSONValue = ["type": "string", "enum": ["public", "unlisted", "private"]]

    private static let signature: JSONValue = [
        "type": ["string", "null"], "maxLength": 100,
        "description": "The name that public pictures and copies are signed with; null leaves them without a name.",
    ]
    private static let scheduledAt: JSONValue = [
        "type": "string",
        "description": "When the photo goes to the services. Its page, gallery and feeds show it at once.",
    ]

    static func object(_ properties: JSONObject, optional: Set<String> = []) -> JSONValue {
        [
            "type": "object", "properties": .object(properties),
            "required": JSONValue(properties.map(\.name).filter { !optional.contains($0) }),
        ]
    }

    static func list(_ item: JSONValue) -> JSONValue { ["type": "array", "items": item] }

    static func page(_ schema: String) -> JSONValue {
        object(["items": list(OpenAPI.reference(schema)), "next": text])
    }

    private static let submission: JSONObject = [
        "id": uuid, "photo": uuid, "service": string, "account": string,
        "state": [
            "type": "string",
            "enum": JSONValue(Submission.State.allCases.map(\.rawValue)),
        ],
        "text": string, "cut": boolean, "length": integer, "limit": ["type": ["integer", "null"]],
        "remote_id": text, "remote_url": text, "attempts": integer, "scheduled_at": optionalTime,
        "next_attempt_at": optionalTime, "progress": object(["sent": integer, "total": integer]), "problem": text,
        "updated_at": time,
    ]

    /// By name, as `Operations.swift` refers to them.
    package static let all = JSONObject(
        (Array(common) + Array(connections) + Array(webhooks)).map { ($0.name, $0.value) })

    private static let common: JSONObject = [
        "Photo": object(
            [
                "id": uuid, "kind": ["type": "string", "enum": ["photo", "video"]], "owner": string, "code": string,
                "short_url": ["type": "string", "format": "uri"], "caption": string, "alt_text": string,
                "visibility": visibility, "album": text, "media_type": string, "bytes": integer, "sha256": text,
                "width": size,
                "height": size, "duration": ["type": ["number", "null"], "minimum": 0], "taken_at": optionalTime,
                "location": [
                    "type": ["object", "null"],
                    "properties": ["latitude": ["type": "number"], "longitude": ["type": "number"]],
                ],
                "created_at": time,
                "processing": [
                    "type": "string", "enum": JSONValue(Photo.Processing.allCases.map(\.rawValue)),
                    "description": "Of the small pictures, which are made ahead; larger ones are made when asked for.",
                ],
                "recipe": ["oneOf": [OpenAPI.reference("Recipe"), ["type": "null"]]],
                "sources": list(uuid), "with": companions,
                "likes": object(["count": integer, "own": integer, "networks": integer, "liked": boolean]),
                "renditions": list(
                    object([
                        "name": string, "url": ["type": "string", "format": "uri"], "width": integer, "height": integer,
                        "media_type": string,
                    ])),
                "video": object([
                    "url": ["type": "string", "format": "uri"], "media_type": string, "width": size, "height": size,
                    "rotation": integer, "frame_rate": ["type": ["number", "null"]], "picture_format": text,
                    "sound_format": text, "plays_from_start": boolean,
                ]),
                "submissions": list(OpenAPI.reference("Submission")),
                "left": [
                    "type": "array", "items": OpenAPI.reference("Submission"),
                    "description": "Of a private photo, for its owner: posts that others may see already.",
                ],
            ], optional: ["video", "submissions", "left"]),
        "Settings": object(["signature": signature]),
        "SettingsChange": object(["signature": signature], optional: ["signature"]),
        "Submission": object(submission),
        "SubmissionWithTries": object(
            JSONObject(
                submission.map { ($0.name, $0.value) } + [
                    (
                        "tries",
                        list(
                            object([
                                "started_at": time, "ended_at": time, "outcome": string,
                                "http_status": ["type": ["integer", "null"]], "problem": text,
                            ]))
                    )
                ])),
        "Resolution": object(
            ["published": boolean, "url": ["type": "string", "format": "uri"], "remote_id": string],
            optional: ["url", "remote_id"]),
        "TakenBack": object([
            "taken_back": list(OpenAPI.reference("Submission")), "left": list(OpenAPI.reference("Submission")),
        ]),
        "GateChange": object(["gate": string, "reason": string], optional: ["gate", "reason"]),
        "Gate": object([
            "gate": string, "paused": boolean, "reason": text,
            "breaker": ["type": "string", "enum": ["closed", "open", "probing"]], "opens_at": optionalTime,
            "problem": text, "lanes": integer, "lanes_failing": integer,
            "cap": ["type": ["object", "null"]],
        ]),
        "GatePage": page("Gate"),
        "PhotoForm": object(
            [
                "photo": ["type": "string", "contentMediaType": "application/octet-stream"], "caption": string,
                "alt_text": string, "visibility": visibility, "services": string, "location": string,
                "recipe": ["type": "string", "contentMediaType": "application/json"], "scheduled_at": scheduledAt,
                "album": album, "with": string,
            ],
            optional: [
                "caption", "alt_text", "visibility", "services", "location", "recipe", "scheduled_at", "album", "with",
            ]),
        "PhotoEdit": object(
            [
                "caption": text, "alt_text": text, "visibility": visibility,
                "album": ["oneOf": [album, ["type": "null"]]],
                "recipe": ["oneOf": [OpenAPI.reference("Recipe"), ["type": "null"]]],
            ],
            optional: ["caption", "alt_text", "visibility", "recipe", "album"]),
        "AlbumPage": page("OwnAlbum"), "OwnAlbum": object(["name": string]),
        "Upload": object([
            "id": uuid, "url": ["type": "string", "format": "uri"],
            "protocol": ["type": "string", "enum": ["tus", "ietf"]],
            "state": ["type": "string", "enum": ["receiving", "complete", "failed"]],
            "progress": object(["received": integer, "total": ["type": ["integer", "null"]]]),
            "file_name": text, "media_type": text, "problem": text,
            "photo": ["type": ["string", "null"], "format": "uuid"], "created_at": time, "expires_at": time,
        ]),
        "UploadOfPhoto": object(
            [
                "upload": uuid, "caption": string, "alt_text": string, "visibility": visibility,
                "services": list(string), "location": string, "scheduled_at": scheduledAt,
                "recipe": OpenAPI.reference("Recipe"), "album": album, "with": companions,
            ],
            optional: [
                "caption", "alt_text", "visibility", "services", "location", "scheduled_at", "recipe", "album", "with",
            ]),
        "Recipe": RecipeSchema.recipe,
        "Interlace": object(
            [
                "sources": [
                    "type": "array", "minItems": 2, "maxItems": 8, "items": string,
                    "description": "Identifiers of photos, and colours as #rrggbb; at least one is a photo.",
                ],
                "line_height": ["type": "integer", "minimum": 1, "maximum": 1000, "default": 8],
                "shift": ["type": "integer", "minimum": -10000, "maximum": 10000, "default": 0],
                "scale": ["type": "boolean", "default": true], "caption": string, "alt_text": string,
                "visibility": visibility, "services": list(string),
            ], optional: ["line_height", "shift", "scale", "caption", "alt_text", "visibility", "services"]),
        "RenditionPreview": object(
            [
                "recipe": ["oneOf": [OpenAPI.reference("Recipe"), ["type": "null"]]],
                "side": ["type": "integer", "minimum": 16, "maximum": 2048, "default": 1280],
            ], optional: ["recipe", "side"]),
        "UploadPage": page("Upload"), "PhotoPage": page("Photo"), "SubmissionPage": page("Submission"),
        "Likes": object(["count": integer, "liked": boolean]),
        "VisitPage": object([
            "people": integer, "bots": integer,
            "items": list(object(["day": ["type": "string", "format": "date"], "people": integer, "bots": integer])),
            "next": text,
        ]),
        "Liker": object(["user": string, "liked_at": time]), "LikePage": page("Liker"),
        "PreviewRequest": object(
            ["caption": string, "services": list(string), "rules": list(string)], optional: ["services", "rules"]),
        "Previews": object([
            "previews": list(
                object(
                    [
                        "service": string, "account": string, "rule": string, "text": string, "length": integer,
                        "limit": ["type": ["integer", "null"]], "unit": string, "cut": boolean,
                    ], optional: ["service", "account", "rule"]))
        ]),
        "Readiness": object(["status": ["type": "string", "enum": ["pass", "fail"]], "checks": ["type": "object"]]),
        "Status": object([
            "version": string, "started_at": time, "uptime_seconds": integer, "read_at": time, "working": boolean,
            "draining": boolean,
            "services": list(["type": "object"]), "problems": list(["type": "object"]), "database": ["type": "object"],
            "disk": ["type": "object"],
        ]),
    ]
}

internal import Actions
internal import Domain
package import HTTP
package import HTTPServer

/// The shapes of JSON bodies, as JSON Schema 2020-12. Clients may rely on them; more members may come.
package enum Schemas {
    static let string: JSONValue = ["type": "string"]
    static let text: JSONValue = ["type": ["string", "null"]]
    static let integer: JSONValue = ["type": "integer"]
    private static let thread: JSONValue = [
        "type": ["array", "null"], "items": ["type": "string"],
        "description": "What each post says where the caption goes as a thread.",
    ]
    static let boolean: JSONValue = ["type": "boolean"]
    private static let size: JSONValue = ["type": ["integer", "null"], "minimum": 1]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let optionalTime: JSONValue = ["type": ["string", "null"], "format": "date-time"]
    static let uuid: JSONValue = ["type": "string", "format": "uuid"]
    static let album: JSONValue = ["type": "string", "maxLength": 100]
    /// A photo's identifier, or a colour.
    private static let source: JSONValue = ["oneOf": [uuid, pattern("^#[0-9A-Fa-f]{6}$")]]
    private static let companions: JSONValue = [
        "type": "array", "items": uuid, "maxItems": .int(Int64(PhotoDraft.mostPhotos - 1)), "uniqueItems": true,
    ]
    static let visibility: JSONValue = ["type": "string", "enum": ["public", "unlisted", "private"]]

    static let photoState: JSONValue = [
        "type": "string", "enum": JSONValue(Photo.State.allCases.map(\.rawValue)),
        "description": """
        For its owner: what became of it at its accounts, worst first. `attention`: somebody must log in or look; \
        `stored`: it goes nowhere.
        """,
    ]

    private static let signature: JSONValue = [
        "type": ["string", "null"], "maxLength": 100,
        "description": "The name that public pictures and copies are signed with; null leaves them without a name.",
    ]
    private static let file: JSONValue = ["type": "string", "contentMediaType": "application/octet-stream"]
    static let mostPhotos = JSONValue.int(Int64(PhotoDraft.mostPhotos))
    private static let altTexts: JSONValue = [
        "description": "One for each photo of the post, in their order.",
        "oneOf": [string, ["type": "array", "items": string, "maxItems": mostPhotos]],
    ]
    static let scheduledAt: JSONValue = [
        "type": "string",
        "description": "When the photo is published here and goes to the services; until then it is its owner's alone.",
    ]
    private static let contentWarning: JSONValue = ["type": ["string", "null"], "maxLength": 200]
    private static let language: JSONValue = [
        "type": ["string", "null"], "maxLength": 35, "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
        "description": "Of the caption, as a language tag (BCP 47).",
    ]
    private static let texts: JSONValue = [
        "type": "object", "maxProperties": 100, "additionalProperties": string,
        "description": "Captions for single accounts, by the names that `services` takes.",
    ]
    /// The choices of a draft; they count when it is published.
    private static let choices: JSONObject = [
        "services": ["oneOf": [list(string), ["type": "null"]]],
        "scheduled_at": ["oneOf": [scheduledAt, ["type": "null"]]],
        "texts": ["oneOf": [texts, ["type": "null"]]],
    ]

    static func object(_ properties: JSONObject, optional: Set<String> = []) -> JSONValue {
        [
            "type": "object", "properties": .object(properties),
            "required": JSONValue(properties.map(\.name).filter { !optional.contains($0) }),
        ]
    }

    private static let booleanText: JSONValue = ["type": "string", "enum": ["true", "false", ""]]

    /// A body of a client: another member is refused, but for `others`, by patterns of their names.
    static func body(
        _ properties: JSONObject, optional: Set<String> = [], others: JSONObject = JSONObject()
    ) -> JSONValue {
        var schema = object(properties, optional: optional).object ?? JSONObject()
        if !others.isEmpty { schema["patternProperties"] = .object(others) }
        schema["additionalProperties"] = false
        return .object(schema)
    }

    static func pattern(_ pattern: String) -> JSONValue { ["type": "string", "pattern": .string(pattern)] }

    static func list(_ item: JSONValue) -> JSONValue { ["type": "array", "items": item] }

    static func page(_ schema: String) -> JSONValue {
        object(["items": list(OpenAPI.reference(schema)), "next": text])
    }

    /// The problem of a post, an account or a service, or null.
    static let problem: JSONValue = ["oneOf": [OpenAPI.reference("Problem"), ["type": "null"]]]

    private static let submission: JSONObject = [
        "id": uuid, "photo": uuid, "service": string, "account": string,
        "state": [
            "type": "string",
            "enum": JSONValue(Submission.State.allCases.map(\.rawValue)),
        ],
        "text": string, "thread": thread, "own_text": text, "cut": boolean, "length": integer,
        "limit": ["type": ["integer", "null"]],
        "remote_id": text, "remote_url": text, "attempts": integer, "scheduled_at": optionalTime,
        "next_attempt_at": optionalTime, "progress": object(["sent": integer, "total": integer]), "problem": problem,
        "edit": [
            "type": ["string", "null"],
            "enum": JSONValue(Submission.Edit.allCases.map { JSONValue.string($0.rawValue) } + [JSONValue.null]),
            "description":
                "Whether the post has the photo's last edit; null when nothing was edited since it was sent.",
        ],
        "updated_at": time,
    ]

    /// Parameters of paths.
    package static let places: [Operation.Parameter] = [
        .init("id", in: .path, "An identifier.", schema: uuid),
        .init("code", in: .path, "The code of a short link.", schema: pattern("^[1-9A-HJ-NP-Za-km-z]{8}$")),
        .init("name", in: .path, "A user.", schema: pattern("^[a-z0-9_-]{1,32}$")),
        .init("service", in: .path, "A service.", schema: pattern("^[a-z0-9-]+$")),
        .init("year", in: .path, "A year.", schema: pattern("^[0-9]{4}$")),
        .init("day", in: .path, "A day.", schema: ["type": "string", "format": "date"]),
        .init("file", in: .path, "A file's name.", schema: pattern("^[A-Za-z0-9_.-]+$")),
    ]

    /// By name, as `Operations.swift` refers to them.
    package static let all = JSONObject(parts.flatMap { part in part.map { ($0.name, $0.value) } })

    /// No two of them have a schema of one name.
    static let parts = [common, connections, postcards, responses, webhooks]

    private static let common: JSONObject = [
        "Photo": object(
            [
                "id": uuid, "kind": ["type": "string", "enum": ["photo", "video"]], "owner": string, "code": string,
                "short_url": ["type": "string", "format": "uri"], "caption": string, "alt_text": string,
                "visibility": visibility, "album": text,
                "has_picture": [
                    "type": "boolean",
                    "description":
                        "False for a photo that is known by its caption alone; `media_type` and `bytes` are of a stand-in then.",
                ],
                "media_type": string, "bytes": integer, "sha256": text,
                "width": size,
                "height": size, "duration": ["type": ["number", "null"], "minimum": 0], "taken_at": optionalTime,
                "location": ["oneOf": [OpenAPI.reference("Location"), ["type": "null"]]],
                "created_at": time, "published_at": optionalTime, "sensitive": boolean,
                "content_warning": contentWarning, "language": language,
                "planned_visibility": [
                    "type": ["string", "null"], "enum": ["public", "unlisted", "private", .null],
                    "description":
                        "For its owner: what a draft, or a photo that waits for its time, will be. Until then it is private.",
                ],
                "publish_at": [
                    "type": ["string", "null"], "format": "date-time",
                    "description": "For its owner: when it is published; null for a draft too.",
                ],
                "draft": [
                    "oneOf": [object(choices, optional: ["services", "scheduled_at", "texts"]), ["type": "null"]]
                ],
                "processing": [
                    "type": "string", "enum": JSONValue(Photo.Processing.allCases.map(\.rawValue)),
                    "description": "Of the pictures that are made ahead; the others are made when asked for.",
                ],
                "file_fault": [
                    "type": ["string", "null"], "enum": ["missing", "damaged", .null],
                    "description": "For its owner: the fault of the stored file. With a fault it is sent nowhere.",
                ],
                "recipe": ["oneOf": [OpenAPI.reference("Recipe"), ["type": "null"]]],
                "sources": list(uuid), "with": companions,
                "part_of": ["type": ["string", "null"], "format": "uuid"],
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
                "state": photoState, "submissions": list(OpenAPI.reference("Submission")),
                "left": [
                    "type": "array", "items": OpenAPI.reference("Submission"),
                    "description":
                        "Of a private photo, for its owner: posts that others may see already, also of photos that it goes along with.",
                ],
            ],
            optional: [
                "video", "state", "submissions", "left", "file_fault", "planned_visibility", "publish_at", "draft",
            ]),
        "Problem": object([
            "code": ["type": "string", "enum": JSONValue(ProblemCode.allCases.map(\.rawValue))],
            "parameters": [
                "type": "object", "description": "Each code has parameters of its own: docs/problems.md lists them.",
                "properties": [
                    "service": string, "status": integer, "until": time, "cause": string,
                    "scope": ["type": "string", "enum": ["account", "app"]],
                    "reason": [
                        "type": "string", "enum": JSONValue(ProblemParameters.Reason.allCases.map(\.rawValue)),
                    ],
                ],
            ],
            "text": ["type": "string", "description": "In English, with times in UTC."],
        ]),
        "Settings": object(["signature": signature]),
        "SettingsChange": body(["signature": signature], optional: ["signature"]),
        "Submission": object(submission),
        "SubmissionWithTries": object(
            JSONObject(
                submission.map { ($0.name, $0.value) } + [
                    (
                        "tries",
                        list(
                            object([
                                "started_at": time, "ended_at": time, "outcome": string,
                                "http_status": ["type": ["integer", "null"]], "problem": problem,
                            ]))
                    )
                ])),
        "Resolution": body(
            [
                "published": boolean, "url": ["type": ["string", "null"], "format": "uri"],
                "remote_id": ["type": ["string", "null"], "minLength": 1, "maxLength": 512],
            ], optional: ["url", "remote_id"]),
        "TakenBack": object([
            "taken_back": list(OpenAPI.reference("Submission")), "left": list(OpenAPI.reference("Submission")),
        ]),
        "GateChange": body(
            ["gate": string, "reason": ["type": "string", "maxLength": 500]], optional: ["gate", "reason"]),
        "Gate": object([
            "gate": string, "paused": boolean, "reason": text,
            "breaker": ["type": "string", "enum": ["closed", "open", "probing"]], "opens_at": optionalTime,
            "problem": problem, "lanes": integer, "lanes_failing": integer,
            "cap": ["type": ["object", "null"]],
        ]),
        "GatePage": page("Gate"),
        "Location": [
            "type": "object", "required": ["latitude", "longitude"],
            "properties": [
                "latitude": ["type": "number", "minimum": -90, "maximum": 90],
                "longitude": ["type": "number", "minimum": -180, "maximum": 180],
            ], "additionalProperties": false,
        ],
        "PhotoForm": body(
            [
                "photo": [
                    "description": .string(
                        "One part for each photo of the post, in their order, \(PhotoDraft.mostPhotos) at most."),
                    "oneOf": [file, ["type": "array", "items": file, "minItems": 1, "maxItems": mostPhotos]],
                ],
                "caption": string, "alt_text": altTexts, "visibility": visibility, "services": string,
                "location": string,
                "recipe": [
                    "description": "One part for each photo of the post, in their order; an empty one is none.",
                    "oneOf": [recipeText, ["type": "array", "items": string, "maxItems": mostPhotos]],
                ], "scheduled_at": scheduledAt,
                "album": album, "with": string, "draft": booleanText, "sensitive": booleanText,
                "content_warning": ["type": "string", "maxLength": 200], "language": string,
                "posted": [
                    "type": "string", "contentMediaType": "application/json",
                    "description": "The JSON text of `posted`, as in UploadOfPhoto.",
                ],
            ],
            optional: [
                "caption", "alt_text", "visibility", "services", "location", "recipe", "scheduled_at", "album", "with",
                "draft", "sensitive", "content_warning", "language", "posted",
            ], others: ["^texts\\[.+\\]$": string]),
        "PhotoEdit": body(
            [
                "caption": text, "alt_text": text,
                "visibility": visibility, "album": ["oneOf": [album, ["type": "null"]]],
                "recipe": ["oneOf": [OpenAPI.reference("Recipe"), ["type": "null"]]],
                "sensitive": boolean, "content_warning": contentWarning, "language": language,
                "services": choices["services"] ?? .null, "scheduled_at": choices["scheduled_at"] ?? .null,
                "texts": choices["texts"] ?? .null,
            ],
            optional: [
                "caption", "alt_text", "visibility", "recipe", "album", "sensitive", "content_warning", "language",
                "services", "scheduled_at", "texts",
            ]),
        "OwnAlbumPage": page("OwnAlbum"), "OwnAlbum": object(["name": string]),
        "Upload": object([
            "id": uuid, "url": ["type": "string", "format": "uri"],
            "protocol": ["type": "string", "enum": ["tus", "ietf"]],
            "state": ["type": "string", "enum": ["receiving", "complete", "failed"]],
            "progress": object(["received": integer, "total": ["type": ["integer", "null"]]]),
            "file_name": text, "media_type": text, "problem": text,
            "photo": ["type": ["string", "null"], "format": "uuid"], "created_at": time, "expires_at": time,
        ]),
        "UploadOfPhoto": body(
            [
                "upload": [
                    "description": """
                    One for each photo of the post, in their order. Without any the photo has no picture: then `posted` has posts, or \
                    `services` is empty.
                    """,
                    "oneOf": [
                        uuid,
                        ["type": "array", "items": uuid, "minItems": 1, "maxItems": mostPhotos, "uniqueItems": true],
                    ],
                ],
                "caption": string, "alt_text": altTexts, "visibility": visibility,
                "services": list(string),
                "location": ["oneOf": [OpenAPI.reference("Location"), string, ["type": "null"]]],
                "scheduled_at": ["oneOf": [scheduledAt, ["type": "null"]]],
                "recipe": recipes,
                "album": ["oneOf": [album, ["type": "null"]]], "with": companions, "draft": boolean, "posted": posted,
                "sensitive": boolean,
                "content_warning": contentWarning, "language": language, "texts": texts,
            ],
            optional: [
                "upload", "caption", "alt_text", "visibility", "services", "location", "scheduled_at", "recipe",
                "album",
                "with", "draft", "sensitive", "content_warning", "language", "texts", "posted",
            ]),
        "PhotoSending": photoSending,
        "SubmissionEdit": body(["scheduled_at": ["oneOf": [scheduledAt, ["type": "null"]]]]),
        "Caller": object(
            [
                "id": uuid, "name": string, "display_name": text, "admin": boolean, "time_zone": string,
                "app": object(["client_id": string, "name": string, "website": text, "scope": string]),
                "storage": storage,
                "token": object([
                    "id": uuid, "scopes": list(["type": "string", "enum": JSONValue(Scope.allCases.map(\.rawValue))]),
                    "expires_at": optionalTime,
                ]),
            ], optional: ["app", "storage"]),
        "Recipe": RecipeSchema.recipe,
        "Interlace": body(
            [
                "sources": [
                    "type": "array", "minItems": 2, "maxItems": 8, "items": source,
                    "description": "Identifiers of photos, and colours as #rrggbb; at least one is a photo.",
                ],
                "line_height": ["type": "integer", "minimum": 1, "maximum": 1000, "default": 8],
                "shift": ["type": "integer", "minimum": -10000, "maximum": 10000, "default": 0],
                "scale": ["type": "boolean", "default": true], "caption": string, "alt_text": string,
                "visibility": visibility, "services": list(string),
            ], optional: ["line_height", "shift", "scale", "caption", "alt_text", "visibility", "services"]),
        "RenditionPreview": body(
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
        "PreviewRequest": body(
            [
                "caption": string, "services": ["type": ["array", "null"], "items": string, "maxItems": 100],
                "rules": [
                    "type": ["array", "null"],
                    "items": pattern("^(\(CaptionRule.allNames.joined(separator: "|")))(:[0-9]{1,9})?$"),
                    "maxItems": JSONValue(CaptionRule.allNames.count),
                ],
                "photo": [
                    "type": ["string", "null"], "format": "uuid",
                    "description": "A photo of the caller's, whose short link the texts get.",
                ],
            ], optional: ["services", "rules", "photo"]),
        "Previews": object([
            "previews": list(
                object(
                    [
                        "service": string, "account": string, "rule": string, "text": string, "length": integer,
                        "limit": ["type": ["integer", "null"]], "unit": string, "cut": boolean, "thread": thread,
                    ], optional: ["service", "account", "rule"]))
        ]),
        "Readiness": object(["status": ["type": "string", "enum": ["pass", "fail"]], "checks": ["type": "object"]]),
        "Status": object(
            [
                "status": ["type": "string", "enum": ["pass", "fail"]],
                "version": string, "started_at": time, "uptime_seconds": integer, "read_at": time, "working": boolean,
                "draining": boolean, "services": list(["type": "object"]), "gates": list(["type": "object"]),
                "last_hour": list(["type": "object"]), "problems": list(["type": "object"]),
                "nodes": list(["type": "object"]),
                "database": ["type": "object"],
                "replica": [
                    "type": "object",
                    "properties": [
                        "state": ["type": "string", "enum": ["used", "behind", "unreachable", "foreign"]],
                        "lag_seconds": ["type": ["number", "null"]],
                    ],
                ],
                "files": fileFaults,
                "disk": ["type": "object"],
            ],
            optional: [
                "version", "started_at", "uptime_seconds", "read_at", "working", "draining", "services", "gates",
                "last_hour", "problems", "nodes", "database", "replica", "files", "disk",
            ]),
    ]
}

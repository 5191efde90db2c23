internal import HTTP
internal import HTTPServer

/// Fields of a new photo that JSON, forms and queries share.
extension Schemas {
    /// Sends a stored photo on, or registers posts of it.
    static let photoSending: JSONValue = [
        "allOf": [
            body(
                [
                    "services": [
                        "type": "array", "items": string, "maxItems": 100,
                        "description": "At least one, unless `posted` has posts.",
                    ],
                    "scheduled_at": ["oneOf": [scheduledAt, ["type": "null"]]], "posted": posted,
                ], optional: ["services", "scheduled_at", "posted"]),
            [
                "anyOf": [
                    ["required": ["services"], "properties": ["services": ["minItems": 1]]],
                    ["required": ["posted"], "properties": ["posted": ["minItems": 1]]],
                ]
            ],
        ]
    ]

    static let posted: JSONValue = [
        "type": "array", "maxItems": 100,
        "description": """
        Posts that the client has made itself: each is a submission that is done, and is never sent. Without `services` the photo is \
        sent nowhere else.
        """,
        "items": body(
            [
                "service": ["type": "string", "description": "The account, as `services` names it."],
                "remote_id": ["type": "string", "minLength": 1, "maxLength": 512],
                "url": ["type": ["string", "null"], "format": "uri", "maxLength": 2048],
            ], optional: ["url"]),
    ]
    static let recipes: JSONValue = [
        "description": "Of the first photo, or one for each photo of the post, in their order.",
        "oneOf": [
            OpenAPI.reference("Recipe"), ["type": "null"],
            [
                "type": "array", "items": ["oneOf": [OpenAPI.reference("Recipe"), ["type": "null"]]],
                "maxItems": mostPhotos,
            ],
        ],
    ]
    static let recipeText: JSONValue = ["type": "string", "contentMediaType": "application/json"]
}

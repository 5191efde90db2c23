internal import HTTP

/// The shapes of what is stored.
extension Schemas {
    /// The bytes that a user has stored, and their limit.
    static let storage = object([
        "used": ["type": "integer", "description": "Bytes of the caller's photos."],
        "limit": ["type": ["integer", "null"], "description": "The most of them; null without a limit."],
        "free": [
            "type": ["integer", "null"],
            "description": "How many more fit now; less while photos that were deleted within a day count.",
        ],
    ])

    /// The stored files that are not as they were stored.
    static let fileFaults: JSONValue = [
        "type": "object",
        "description":
            "Stored files that are missing, or have other bytes than were stored; those that were restored from a copy within 30 days.",
        "properties": [
            "missing": ["type": "integer"], "damaged": ["type": "integer"], "healed": ["type": "integer"],
        ],
    ]
}

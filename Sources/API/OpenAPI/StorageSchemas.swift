internal import HTTP

/// The shapes of what is stored.
extension Schemas {
    /// What a user has stored, and may store.
    static let storage = object([
        "used": ["type": "integer", "description": "Bytes of the caller's photos."],
        "limit": ["type": ["integer", "null"], "description": "The most of them; null without a limit."],
        "free": [
            "type": ["integer", "null"],
            "description": "How many more fit now; less while photos that were deleted within a day count.",
        ],
    ])
}

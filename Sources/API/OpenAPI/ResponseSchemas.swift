internal import Domain
internal import HTTP
internal import HTTPServer

/// The shapes of what comes back to photos, and of what others post.
extension Schemas {
    static let responses: JSONObject = [
        "ResponseDecision": body(
            ["state": ["type": "string", "enum": ["shown", "hidden"]], "of_author": boolean], optional: ["of_author"]),
        "ResponseMembers": object(members),
        "Response": object(
            JSONObject(
                members.map { ($0.name, $0.value) } + [
                    ("read", boolean), ("interactions", list(names(of: Interaction.Kind.self))),
                    ("favourited", boolean), ("reposted", boolean),
                    ("replies", list(OpenAPI.reference("Interaction"))),
                ])),
        "ResponsePage": page("Response"),
        "ResponsesRead": body(["until": uuid]),
        "ResponseText": body([
            "text": ["type": "string", "minLength": 1, "maxLength": JSONValue(Interaction.longestText)]
        ]),
        "Interaction": object([
            "id": uuid, "kind": names(of: Interaction.Kind.self),
            "response": ["type": ["string", "null"], "format": "uuid"],
            "post": ["type": ["string", "null"], "format": "uuid"], "text": string, "wanted": boolean,
            "confirmed": boolean, "state": names(of: Interaction.State.self), "url": text, "problem": problem,
            "created_at": time,
        ]),
        "TimelinePost": object([
            "type": ["const": "post"], "id": uuid, "account": uuid, "service": string, "author": author,
            "reposted_by": ["oneOf": [author, ["type": "null"]]], "text": string, "warning": string,
            "sensitive": boolean, "url": text, "said_at": time, "media": list(media),
            "interactions": list(names(of: Interaction.Kind.self)), "favourited": boolean, "reposted": boolean,
            "replies": list(OpenAPI.reference("Interaction")),
        ]),
        "TimelineGap": object([
            "type": ["const": "gap"], "id": uuid, "account": uuid, "service": string, "at": time, "problem": problem,
        ]),
        "TimelinePage": object([
            "items": list(["oneOf": [OpenAPI.reference("TimelinePost"), OpenAPI.reference("TimelineGap")]]),
            "next": text,
        ]),
    ]

    /// The members of a response, without what its owner has done with it: the data of webhooks and events.
    private static let members: JSONObject = [
        "id": uuid, "photo": uuid, "source": string, "kind": names(of: Response.Kind.self),
        "state": names(of: Response.State.self), "author": author, "text": string, "html": string, "url": text,
        "parent": ["type": ["string", "null"], "format": "uuid"], "media": list(media), "said_at": optionalTime,
        "seen_at": time, "edited_at": optionalTime, "own": boolean,
    ]

    private static let author = object([
        "id": uuid, "name": string, "handle": text, "url": text, "picture_url": text,
    ])

    private static let media = object([
        "kind": names(of: AttachedMedia.Kind.self), "url": string, "preview_url": text, "alt_text": string,
        "width": ["type": ["integer", "null"]], "height": ["type": ["integer", "null"]],
    ])

    private static func names<Name: RawRepresentable<String> & CaseIterable>(of: Name.Type) -> JSONValue {
        ["type": "string", "enum": JSONValue(Name.allCases.map(\.rawValue))]
    }
}

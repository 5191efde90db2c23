internal import Actions
internal import HTTP
package import HTTPServer

/// Operations in `/openapi.json`, in the order of the routing table.
extension Operation {
    /// The parameters of a list, whose cursors have this form.
    static func page(_ cursor: JSONValue = Schemas.uuid) -> [Parameter] {
        [
            Parameter(
                "limit", "Items on the page.", schema: ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
            Parameter("cursor", "The `next` of the page before.", schema: cursor),
        ]
    }
    private static let ifNoneMatch = Parameter("If-None-Match", in: .header, "The ETag of what the client has.")
    private static let ifMatch = Parameter("If-Match", in: .header, "The ETag of the photo as the client knows it.")
    private static let range = Parameter("Range", in: .header, "A part, or several, in bytes.")
    /// Parameters of a photo in the query of the request that brings it.
    static let photoFields = [
        Parameter("caption", "What is said of the photo."), Parameter("alt_text", "What it shows."),
        Parameter("visibility", "Who sees it.", schema: Schemas.visibility),
        Parameter("services", "Services or connections, separated by commas; `none` for no one."),
        Parameter("album", "An album's name.", schema: Schemas.album),
        Parameter("with", "Identifiers of up to 3 further photos of one's own, separated by commas."),
        Parameter("location", "Latitude and longitude, separated by a comma."),
        Parameter("recipe", "What is shown of it, as the JSON text of a Recipe."),
        Parameter("posted", "Posts that the client has made itself, as the JSON text of `posted`."),
        Parameter(
            "scheduled_at", "When it goes to the services; RFC 3339, or without an offset by the owner's clock."),
    ]
    private static let notModified = Response(
        .notModified, "The client has it already.", fields: ["ETag": "Of the client's copy."])
    static let gone = Response.problem(.gone, "It was deleted.")

    package static let describePhotoCreation = Operation(
        "describePhotoCreation", "What a photo that comes in parts may be at most.", tags: ["photos"],
        responses: [Response(.noContent, "It is told.", fields: ["Upload-Limit": "`max-size` in bytes."])])

    package static let createPhoto = Operation(
        "createPhoto", "Stores a photo and queues it for the owner's services.",
        description: """
            Send multipart/form-data with a part `photo` and what you say of it as fields, or the file itself; the query has the \
            same names, each once. What the file is, its content decides. 201 means that photo, short link and queue are durable. \
            Photos that `with` names, pictures of one's own that are stored already, go along in the same post at services \
            that take several pictures in one; the others get the photo alone. `posted` registers what the client has posted itself, in \
            JSON also without an upload.
            """,
        tags: ["photos"],
        parameters: photoFields + [
            idempotencyKey,
            Parameter(
                "If-None-Match", in: .header,
                "The file's SHA-256 in quotes: a photo of these bytes that is there already answers 412."),
            Parameter("Repr-Digest", in: .header, "`sha-256=:…:` of a raw file, which is compared."),
            uploadComplete, interopVersion, uploadLength, contentDigest,
        ],
        body: Content([
            "multipart/form-data": OpenAPI.reference("PhotoForm"), "image/*": [:], "video/*": [:],
            "application/octet-stream": [:], "application/json": OpenAPI.reference("UploadOfPhoto"),
        ]),
        responses: [
            Response(
                .created, "The photo; or, when more parts are to come, nothing but where they go.", .json("Photo"),
                fields: [
                    "Location": "The photo's address, or the upload's.", "ETag": "Of the photo.",
                    "Upload-Offset": "The bytes of an upload that have arrived for good.",
                    "Upload-Complete": "Whether an upload is complete.",
                    "Upload-Limit": "What an upload may be at most.",
                ]),
            .problem(.unsupportedMediaType, "Pics does not take this kind of file or body."),
            .problem(.unprocessableContent, "The picture cannot be read, or the key was used for another request."),
            .problem(.conflict, "The same request is still being worked on, or the upload is a photo already."),
            .problem(.preconditionFailed, "The caller has a photo of these bytes; `photo` and `url` name it."),
        ])

    package static let listPhotos = Operation(
        "listPhotos", "The caller's photos, newest first, with filters those that fit all of them.", tags: ["photos"],
        parameters: page() + [
            Parameter("q", "Up to 20 words, each part of the caption or the alternative text, whatever their case."),
            Parameter("tag", "A hashtag of the caption, with or without its sign."),
            Parameter("album", "An album's name.", schema: Schemas.album),
            Parameter("state", "What became of it.", schema: Schemas.photoState),
            Parameter("service", "A service that it was sent to, or is to be sent to."),
            Parameter("visibility", "Who sees it.", schema: Schemas.visibility),
            Parameter("since", "Taken, else created, at this time or later: RFC 3339, or a day by the owner's clock."),
            Parameter("until", "The same: earlier than this time."),
        ],
        responses: [Response(.ok, "A page.", .json("PhotoPage"), fields: ["Link": "The next page (RFC 8288)."])])

    package static let listOwnAlbums = Operation(
        "listOwnAlbums", "The albums of the caller's photos, by name.",
        description: "An album is there as long as a photo names it.", tags: ["photos"],
        parameters: page(["type": "string", "minLength": 1]),
        responses: [Response(.ok, "A page.", .json("OwnAlbumPage"), fields: ["Link": "The next page (RFC 8288)."])])

    package static let showPhoto = Operation(
        "showPhoto", "One photo.", tags: ["photos"], parameters: [ifNoneMatch],
        responses: [Response(.ok, "The photo.", .json("Photo"), fields: ["ETag": "Of the photo."]), notModified, gone])

    package static let createLink = Operation(
        "createLink", "A link to a picture of a photo that everybody may open until it ends, also of a private photo.",
        description: """
            The picture is upright, in sRGB, without position and names. `size` is small (640 pixels on the longest side), medium (1280) or \
            large (2048, the default); a video has one. `hours` is 1 to 720, 24 by default. The link ends with the photo too; it cannot be \
            taken back before.
            """, tags: ["photos"],
        body: Content([
            "application/json": [
                "type": "object",
                "properties": [
                    "size": ["type": "string", "enum": ["small", "medium", "large"]],
                    "hours": ["type": "integer", "minimum": 1, "maximum": 720],
                ],
            ]
        ]),
        responses: [
            Response(
                .created, "The link.",
                Content([
                    "application/json": [
                        "type": "object", "required": ["url", "expires_at"],
                        "properties": [
                            "url": ["type": "string", "format": "uri"],
                            "expires_at": ["type": "string", "format": "date-time"],
                        ],
                    ]
                ])), gone, .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let editPhoto = Operation(
        "editPhoto", "Changes caption, alternative text, visibility, recipe or album.",
        description: """
            A JSON merge patch (RFC 7396), also of the recipe's members; null takes a recipe away. Texts that were not sent \
            yet are planned anew. `edit` of each submission says whether its post gets the change; pictures that are out never do.
            """, tags: ["photos"],
        parameters: [ifMatch],
        body: Content([
            "application/merge-patch+json": OpenAPI.reference("PhotoEdit"),
            "application/json": OpenAPI.reference("PhotoEdit"),
        ]),
        responses: [
            Response(.ok, "The photo as it is now.", .json("Photo"), fields: ["ETag": "Of the photo."]), gone,
            .problem(.preconditionFailed, "Changed in the meantime."),
            .problem(.preconditionRequired, "If-Match is missing."),
            .problem(.unsupportedMediaType, "The body is no merge patch."),
        ])

    package static let interlacePhotos = Operation(
        "interlacePhotos", "Makes a new photo of several, and of colours, in alternating lines.",
        description: """
            The first source gives the first line, the next the second, and so on from the top, again and again. The new photo \
            has the size of the first; `scale` makes the others cover it, `shift` moves each picture so many pixels further to \
            the right than the one before.
            """, tags: ["photos"], body: .json("Interlace"),
        responses: [
            Response(
                .created, "The new photo.", .json("Photo"),
                fields: ["Location": "The photo's address.", "ETag": "Of the photo."]),
            .problem(.unsupportedMediaType, "The body is not JSON."),
            .problem(.unprocessableContent, "The picture cannot be made."),
            .problem(.insufficientStorage, "The disk is full."),
        ])

    package static let previewRendition = Operation(
        "previewRendition", "The photo as a recipe would show it; nothing is kept.", tags: ["photos"],
        body: .json("RenditionPreview"),
        responses: [
            Response(.ok, "The picture.", .binary("image/jpeg")), gone,
            .problem(.unsupportedMediaType, "The body is not JSON."),
            .problem(.unprocessableContent, "The picture cannot be made."),
        ])

    package static let deletePhoto = Operation(
        "deletePhoto", "Deletes a photo; its short link answers 410 from now on.",
        description: "For a day `POST /v1/photos/{id}/restore` takes it back.", tags: ["photos"],
        parameters: [
            Parameter(
                "everywhere", "Whether its posts are taken back too, where services allow that.",
                schema: ["type": "boolean", "default": false])
        ],
        responses: [
            Response(.noContent, "It is gone."),
            Response(.ok, "It is gone; its posts are being taken back, or are left.", .json("TakenBack")),
        ])

    package static let restorePhoto = Operation(
        "restorePhoto", "Takes the deletion of a photo back, within a day.",
        description: """
            File, words, place, album, likes and short link are as they were. Nothing is sent by it: posts that the deletion has \
            ended or taken back stay so, and a photo that was to be published later is private. Again changes nothing.
            """, tags: ["photos"],
        responses: [
            Response(.ok, "The photo.", .json("Photo"), fields: ["ETag": "Of the photo."]), gone,
            .problem(.contentTooLarge, "Not enough storage left."),
        ])

    package static let like = Operation(
        "like", "Likes a photo; again changes nothing.", tags: ["likes"],
        responses: [Response(.ok, "The number of likes now.", .json("Likes"))])

    package static let unlike = Operation(
        "unlike", "Takes a like back; again changes nothing.", tags: ["likes"],
        responses: [Response(.ok, "The number of likes now.", .json("Likes"))])

    package static let listLikes = Operation(
        "listLikes", "Who likes a photo, newest first.", tags: ["likes"],
        parameters: page(
            Schemas.pattern("^[0-9]{1,17}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")),
        responses: [Response(.ok, "A page.", .json("LikePage"), fields: ["Link": "The next page (RFC 8288)."]), gone])

    package static let listVisits = Operation(
        "listVisits", "How often the page of one's photo was opened, by day, newest first.",
        description: """
            Days are those of UTC; a day without a visit is left out, and days that are long ago count in the sums alone. `bots` \
            are programs that say they are some; the owner's own visits are not counted.
            """, tags: ["photos"],
        parameters: page(["type": "string", "format": "date"]),
        responses: [Response(.ok, "A page.", .json("VisitPage"), fields: ["Link": "The next page (RFC 8288)."]), gone])

    package static let followEvents = Operation(
        "followEvents",
        "What becomes of the caller's photos, submissions and uploads, and what comes back, as it happens.",
        description: """
            Server-sent events: `submission`, `upload`, `photo` (its `processing` has changed) and `response`, each with the thing as \
            it is now; `response_deleted` with its `id`. Without Last-Event-ID all submissions that have not ended come first, and photos whose pictures \
            are still to be made.
            """,
        tags: ["submissions"],
        parameters: [
            Parameter(
                "Last-Event-ID", in: .header, "The id of the last event that the client has.",
                schema: Schemas.pattern("^[0-9]{1,18}$"))
        ],
        responses: [Response(.ok, "Events without end.", Content([MediaType.eventStream.description: [:]]))])

    package static let listGates = Operation(
        "listGates", "What accounts share, with pauses, breakers and caps.", tags: ["queue"],
        responses: [Response(.ok, "All of them.", .json("GatePage"))])

    package static let pauseQueue = Operation(
        "pauseQueue", "Pauses all work, or that of a service or server.", tags: ["queue"],
        body: .json("GateChange"),
        responses: gateAnswers)

    package static let resumeQueue = Operation(
        "resumeQueue", "Resumes it at once, past breakers and limits.", tags: ["queue"],
        body: .json("GateChange"),
        responses: gateAnswers)

    private static let gateAnswers = [
        Response(.ok, "All gates as they are now.", .json("GatePage")),
        .problem(.unprocessableContent, "No account is behind such a gate."),
        .problem(.unsupportedMediaType, "The body is not JSON."),
    ]

    package static let publishPhoto = Operation(
        "publishPhoto", "Publishes a draft as its owner chose, or a photo that waits for its time now.",
        description: "A photo that is published stays as it is.", tags: ["photos"],
        responses: [
            Response(.ok, "The photo as it is now.", .json("Photo")), gone,
            .problem(.preconditionFailed, "The photo was changed meanwhile."),
            .problem(.badRequest, "A choice of the draft cannot be met any more, such as a time in the past."),
        ])

    package static let showCaller = Operation(
        "showCaller", "Who the caller is, and what the token may do.", tags: ["settings"],
        responses: [Response(.ok, "The caller.", .json("Caller"))])

    package static let showSettings = Operation(
        "showSettings", "What the caller has chosen for all photos.", tags: ["settings"],
        responses: [Response(.ok, "The settings.", .json("Settings"))])

    package static let editSettings = Operation(
        "editSettings", "Changes what the caller has chosen for all photos, as a JSON merge patch.", tags: ["settings"],
        body: .json("SettingsChange"),
        responses: [
            Response(.ok, "The settings as they are now.", .json("Settings")),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let previewCaption = Operation(
        "previewCaption", "The exact text that each service would get.", tags: ["captions"],
        body: .json("PreviewRequest"),
        responses: [
            Response(.ok, "One preview for each account, service and rule.", .json("Previews")),
            .problem(.notFound, "There is no photo `photo` of the caller's."),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let showPage = Operation(
        "showPage", "A photo by its short link: a page for browsers, JSON for others.", tags: ["pages"],
        parameters: [ifNoneMatch],
        responses: [
            Response(
                .ok, "The photo.", Content(["text/html": [:], "application/json": OpenAPI.reference("Photo")]),
                fields: ["ETag": "Of the page."]), notModified, gone,
        ])

    package static let picture = Operation(
        "picture",
        "A public picture of a photo or of a video's poster, as .jpg, .webp or .avif, or the public video.",
        tags: ["pages"], parameters: [ifNoneMatch, range],
        responses: [
            Response(
                .ok, "The picture or video.",
                .binary("image/jpeg", "image/webp", "image/avif", "video/mp4", "video/quicktime"),
                fields: ["ETag": "Of the picture or video."]), notModified, gone,
            Response(
                .partialContent, "Parts of it.",
                .binary(
                    "image/jpeg", "image/webp", "image/avif", "video/mp4", "video/quicktime", "multipart/byteranges"),
                fields: ["Content-Range": "Which part, if it is one."]),
            .problem(.preconditionFailed, "The picture is not the one that the client wants."),
            .problem(.rangeNotSatisfiable, "The picture ends before the range begins."),
            .problem(.unprocessableContent, "The picture cannot be made."),
        ])

    package static let asset = Operation(
        "asset", "A file that pages need.", tags: ["pages"],
        responses: [Response(.ok, "The file.", .binary("text/css"))])

    package static let showStatus = Operation(
        "showStatus", "Whether Pics works; for users how their accounts are doing, for admins everything.",
        description: """
            Without a token the answer has `status` alone. A token shows the services, gates and problems of its user's own \
            accounts; one of the scope `admin` those of everybody, version, database and disk.
            """, tags: ["operation"],
        responses: [
            Response(.ok, "The status.", Content(["text/html": [:], "application/json": OpenAPI.reference("Status")])),
            Response(
                .serviceUnavailable, "Pics does not work: `status` is `fail`, or a problem.",
                Content([
                    "text/html": [:], "application/json": OpenAPI.reference("Status"),
                    "application/problem+json": OpenAPI.reference("Problem"),
                ])),
            .problem(.unauthorized, "The token is unknown, revoked or expired."),
            .problem(.forbidden, "The token may not read."),
        ])

    package static let live = Operation(
        "live", "Whether the process runs.", tags: ["operation"],
        responses: [Response(.ok, "It does.", Content(["text/plain": [:]]))])

    package static let ready = Operation(
        "ready", "Whether the process can serve.", tags: ["operation"],
        responses: [
            Response(.ok, "It can.", .json("Readiness")),
            Response(
                .serviceUnavailable, "It cannot.",
                Content([
                    "application/json": OpenAPI.reference("Readiness"),
                    "application/problem+json": OpenAPI.reference("Problem"),
                ])),
        ])

    package static let metrics = Operation(
        "metrics", "Counters for Prometheus.",
        description: """
            For programs of the machine where Pics runs, and for tokens of the scope `metrics` or `admin`. The figures are at most \
            a second old.
            """, tags: ["operation"],
        responses: [
            Response(.ok, "The text exposition format 0.0.4.", Content(["text/plain": [:]])),
            .problem(.unauthorized, "The request comes from elsewhere and has no good token."),
            .problem(.forbidden, "The token has neither scope."),
        ])

    package static let openAPI = Operation(
        "openAPI", "This description.", tags: ["operation"],
        responses: [Response(.ok, "OpenAPI 3.1.", Content(["application/json": ["type": "object"]]))])
}

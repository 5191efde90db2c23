internal import HTTP
package import HTTPServer

/// Uploads in parts in `/openapi.json`.
extension Operation {
    static let idempotencyKey = Parameter(
        "Idempotency-Key", in: .header,
        "The same key and request give the same answer for a day, and make one photo or upload.",
        schema: ["type": "string", "minLength": 1, "maxLength": 255])
    static let uploadComplete = Parameter(
        "Upload-Complete", in: .header,
        "`?1` with the last part, else `?0`: the client speaks Resumable Uploads for HTTP.")
    static let interopVersion = Parameter(
        "Upload-Draft-Interop-Version", in: .header, "3 to 9: the draft of Resumable Uploads that the client speaks.",
        schema: ["type": "integer"])
    static let uploadLength = Parameter(
        "Upload-Length", in: .header, "The bytes of the whole file.", schema: ["type": "integer", "minimum": 0])
    static let contentDigest = Parameter(
        "Content-Digest", in: .header, "`sha-256=:…:` of this part; one that does not fit is dropped.")

    private static let wantedDigest = Parameter(
        "Want-Repr-Digest", in: .header,
        "`sha-256=10`: the photo's answer has the digest of the whole file in `Repr-Digest`.")
    private static let tusResumable = Parameter("Tus-Resumable", in: .header, "`1.0.0`: the client speaks tus.")
    private static let uploadChecksum = Parameter(
        "Upload-Checksum", in: .header, "tus: algorithm and Base64 of this part; one that does not fit is dropped.")
    private static let uploadOffset = Parameter(
        "Upload-Offset", in: .header, "The bytes that have arrived before.", schema: ["type": "integer", "minimum": 0],
        required: true)
    private static let partOfUpload = Content(
        ["application/offset+octet-stream": [:], "application/partial-upload": [:]], required: false)

    private static let offsetFields: KeyValuePairs<String, String> = [
        "Upload-Offset": "The bytes that have arrived for good.", "Upload-Complete": "Whether all have (not in tus).",
        "Upload-Limit": "What an upload may be at most (not in tus).",
        "Upload-Expires": "When it will be forgotten if nothing comes (tus).",
    ]
    private static let protocols: KeyValuePairs<String, String> = [
        "Tus-Version": "The versions of tus.", "Tus-Extension": "Its extensions.",
        "Tus-Max-Size": "The longest file in bytes.", "Tus-Checksum-Algorithm": "For Upload-Checksum.",
        "Upload-Limit": "The same as `max-size`.", "Accept-Patch": "The types of a part.",
    ]
    private static let unspoken = Response.problem(.preconditionFailed, "The client speaks neither protocol.")
    private static let dead = Response.problem(.gone, "It went past its length, or was not what was announced.")
    private static let wrongChecksum = Response.problem(460, "Upload-Checksum does not fit; the part was dropped.")

    package static let describeUploads = Operation(
        "describeUploads", "Which upload protocols are spoken.", tags: ["uploads"],
        responses: [Response(.noContent, "Versions, extensions and limits.", fields: protocols)])

    package static let describeUpload = Operation(
        "describeUpload", "Which upload protocols are spoken.", tags: ["uploads"],
        parameters: [
            Parameter(
                "id", in: .path, "Any identifier: the same is spoken of all.",
                schema: Schemas.pattern("^[^\\u0000-\\u001f\\u007f\\\\/]+$"))
        ],
        responses: [Response(.noContent, "Versions, extensions and limits.", fields: protocols)])

    package static let createUpload = Operation(
        "createUpload", "Begins an upload that comes in parts.",
        description: """
            In tus 1.0.0 (creation, creation-with-upload, creation-defer-length, expiration, checksum, termination, \
            concatenation) or Resumable Uploads for HTTP. With fields of a photo in the query or in Upload-Metadata the \
            finished upload becomes a photo by itself, else `POST /v1/photos` makes one of it.
            """,
        tags: ["uploads"],
        parameters: photoFields + [
            idempotencyKey, tusResumable, uploadLength,
            Parameter("Upload-Defer-Length", in: .header, "tus: `1`, the length comes with a part."),
            Parameter(
                "Upload-Metadata", in: .header,
                "tus: keys with values in Base64; `filename`, `filetype` and the fields of a photo are read."),
            Parameter("Upload-Concat", in: .header, "tus: `partial`, or `final;` and the URLs of the parts."),
            uploadChecksum, uploadComplete, interopVersion, contentDigest, wantedDigest,
            Parameter("Repr-Digest", in: .header, "`sha-256=:…:` of the whole file, which is compared."),
        ], body: partOfUpload,
        responses: [
            Response(
                .created, "It has begun. A repetition under the same key says how far it is by then.",
                fields: [
                    "Location": "The upload, or the photo that it is.",
                    "Upload-Offset": "The bytes that have arrived for good.",
                    "Upload-Expires": "When it will be forgotten if nothing comes (tus).",
                    "Upload-Complete": "Whether all bytes have arrived (not in tus).",
                    "Upload-Limit": "What an upload may be at most (not in tus).",
                    "Link": "The photo that it has become (tus).",
                ]),
            .problem(.badRequest, "A field cannot be taken, or the lengths contradict each other."),
            .problem(.conflict, "The same request is still being worked on."), dead, unspoken,
            .problem(.contentTooLarge, "It would be too large, or too many uploads are under way."),
            .problem(.unsupportedMediaType, "The body is no part, or the file is nothing that Pics takes."),
            .problem(.unprocessableContent, "The picture cannot be read, or the key was used for another request."),
            wrongChecksum,
        ])

    package static let listUploads = Operation(
        "listUploads", "The caller's uploads, newest first.", tags: ["uploads"], parameters: page(),
        responses: [Response(.ok, "A page.", .json("UploadPage"), fields: ["Link": "The next page (RFC 8288)."])])

    package static let showOffset = Operation(
        "showOffset", "The offset of an upload. Cancels a transfer in progress.", tags: ["uploads"],
        parameters: [tusResumable, interopVersion],
        responses: [
            Response(.ok, "For tus.", fields: offsetFields),
            Response(.noContent, "For the other.", fields: offsetFields),
            dead, unspoken,
        ])

    package static let showUpload = Operation(
        "showUpload", "How far an upload is.", tags: ["uploads"],
        responses: [Response(.ok, "The upload.", .json("Upload"), fields: offsetFields), dead])

    package static let appendToUpload = Operation(
        "appendToUpload", "Takes the next part.", tags: ["uploads"],
        parameters: [
            tusResumable, uploadOffset, uploadLength, uploadChecksum, uploadComplete, interopVersion, contentDigest,
            wantedDigest,
        ], body: partOfUpload,
        responses: [
            Response(.ok, "The last part is on the disk, and somebody will make a photo of it.", fields: offsetFields),
            Response(.noContent, "The part is on the disk.", fields: offsetFields),
            Response(
                .created, "The photo that the last part completes; `Repr-Digest` if it is wanted.", .json("Photo"),
                fields: offsetFields),
            .problem(.badRequest, "A field cannot be taken, or the lengths or digests contradict each other."),
            .problem(.forbidden, "The token lacks the scope, or a final upload takes no parts."),
            .problem(.conflict, "The upload goes on at another offset, or a newer request goes on with it."), dead,
            unspoken,
            .problem(.contentTooLarge, "More bytes than announced."),
            .problem(.unsupportedMediaType, "The body is no part, or the file is nothing that Pics takes."),
            .problem(.unprocessableContent, "The picture cannot be read."),
            .problem(423, "Another process takes this upload."), wrongChecksum,
        ])

    package static let overrideMethod = Operation(
        "overrideMethod", "PATCH or DELETE by X-HTTP-Method-Override.", tags: ["uploads"],
        parameters: [
            Parameter(
                "X-HTTP-Method-Override", in: .header, "The method that is meant.",
                schema: ["type": "string", "enum": ["PATCH", "DELETE", "HEAD"]])
        ],
        body: partOfUpload,
        responses: [
            Response(.ok, "As the method that is named.", fields: offsetFields),
            Response(.noContent, "As the method that is named.", fields: offsetFields),
            Response(.created, "The photo that the last part completes.", .json("Photo"), fields: offsetFields),
            .problem(.methodNotAllowed, "X-HTTP-Method-Override is missing, or names another method."),
            .problem(.conflict, "The upload goes on at another offset, or a newer request goes on with it."), dead,
            unspoken, .problem(.unsupportedMediaType, "The body is no part, or the file is nothing that Pics takes."),
            .problem(.unprocessableContent, "The picture cannot be read."),
            .problem(423, "Another process takes this upload."), wrongChecksum,
        ])

    package static let deleteUpload = Operation(
        "deleteUpload", "Deletes an upload. Cancels a transfer in progress.", tags: ["uploads"],
        parameters: [tusResumable], responses: [Response(.noContent, "It is gone."), unspoken])

    // MARK: Files for later posts

    private static func ofFile(
        _ id: String, _ summary: String, as operation: Operation, responses: [Response]? = nil
    ) -> Operation {
        Operation(
            id, summary, tags: ["micropub"], parameters: operation.parameters, body: operation.body,
            responses: responses ?? operation.responses)
    }

    package static let describeMediaEndpoint = ofFile(
        "describeMediaEndpoint", "Which upload protocols are spoken.", as: describeUploads)
    package static let describeFileUpload = ofFile(
        "describeFileUpload", "Which upload protocols are spoken.", as: describeUpload)
    package static let showFileOffset = ofFile(
        "showFileOffset", "The offset of a file that comes in parts. Cancels a transfer in progress.", as: showOffset)
    package static let appendToFile = ofFile(
        "appendToFile", "Takes the next part of a file.", as: appendToUpload,
        responses: [
            Response(
                .created, "The last part is on the disk, or a part in an early draft.",
                Content(["application/json": ["type": "object"]], required: false),
                fields: ["Location": "The file, for a post."])
        ] + appendToUpload.responses.filter { $0.status != .created })
    package static let deleteFileUpload = ofFile(
        "deleteFileUpload", "Deletes a file that comes in parts. Cancels a transfer in progress.", as: deleteUpload)
}

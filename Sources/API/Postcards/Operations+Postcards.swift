internal import Domain
internal import HTTP
package import HTTPServer
internal import Submitters

extension Operation {
    private static let trouble = [
        Response.problem(.badGateway, "The printing service is in trouble."),
        Response.problem(.serviceUnavailable, "The printing service's limit is used up, or Pics is busy."),
    ]

    package static let previewPostcard = Operation(
        "previewPostcard", "The price of a card on paper that shows a photo, and how it will look.",
        description: """
            Nothing is ordered. The recipient is checked, by the printing service where that costs nothing. `crop` is the part of the edited \
            picture that is printed, in pixels; `coarse` tells that it has less than 200 dots per inch. `order` is the body that orders this card at \
            this price, until `expires_at`, as it is.
            """,
        tags: ["postcards"], body: .json("PostcardDraft"),
        responses: [
            Response(.ok, "The price and the card.", .json("PostcardPreview")), gone,
            .problem(.conflict, "The photo is a draft."),
            .problem(
                .unprocessableContent,
                "The recipient or the text cannot be printed, the country is not served, or the photo is a video."),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ] + trouble)

    package static let orderPostcard = Operation(
        "orderPostcard", "Orders a card at a price that a preview has told.",
        description: """
            It costs money unless the account is for tests. The same order under the same key is one order; without a key each `quote` is good for one.
            """,
        tags: ["postcards"], parameters: [idempotencyKey], body: .json("PostcardOrder"),
        responses: [
            Response(.created, "The order.", .json("Postcard"), fields: ["Location": "The order's address."]), gone,
            .problem(
                .conflict,
                "The price was not told for this order or too long ago, the photo is a draft, or the same request is still being worked on."
            ),
            .problem(
                .unprocessableContent, "The photo is a video, or the key was used for another order."),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let listPostcards = Operation(
        "listPostcards", "The newest hundred orders of cards that show a photo of the caller's.", tags: ["postcards"],
        responses: [Response(.ok, "The orders, newest first.", .json("PostcardList")), gone])

    package static let showPostcard = Operation(
        "showPostcard", "An order of the caller's.",
        description: "`recipient` and `message` are forgotten 30 days after its end.", tags: ["postcards"],
        responses: [Response(.ok, "The order.", .json("Postcard"))])

    package static let cancelPostcard = Operation(
        "cancelPostcard", "Asks for the end of an order; again changes nothing.",
        description: "What its service says to that stands in the order afterwards.", tags: ["postcards"],
        responses: [
            Response(.accepted, "The order.", .json("Postcard")),
            .problem(.unprocessableContent, "It is too late."),
        ])
}

/// The shapes of cards on paper.
extension Schemas {
    static let postcards: JSONObject = [
        "PostalAddress": object(
            JSONObject(
                PostalAddress.Field.allCases.map { field in
                    (field.rawValue, ["type": ["string", "null"], "maxLength": JSONValue(field.longest)])
                }), optional: ["company", "line2", "region"]),
        "PostcardDraft": body(draft, optional: ["format", "message"]),
        "PostcardOrder": body(
            JSONObject(
                draft.map { ($0.name, $0.value) } + [
                    ("price", object(["minor_units": amount, "currency": currency])), ("quote", string),
                ]), optional: ["message"]),
        "PostcardPreview": object([
            "order": OpenAPI.reference("PostcardOrder"), "expires_at": time, "product": string, "sandbox": boolean,
            "price": object([
                "total": price, "print": optional(price), "post": optional(price), "estimate": boolean,
                "days": optional(object(["from": integer, "to": integer])), "shipping": string,
            ]), "picture": object(["width": integer, "height": integer]),
            "crop": object(["x": integer, "y": integer, "width": integer, "height": integer]), "resolution": integer,
            "coarse": boolean,
        ]),
        "Postcard": object([
            "id": uuid, "photo": uuid, "account": uuid, "service": string, "format": string, "product": string,
            "recipient": optional(OpenAPI.reference("PostalAddress")), "message": text, "price": price,
            "sandbox": boolean,
            "state": ["type": "string", "enum": JSONValue(Postcard.State.allCases.map(\.rawValue))], "state_at": time,
            "cancellable": boolean, "cancel_wanted": boolean, "cancellable_until": optionalTime,
            "expected_on": ["type": ["string", "null"], "format": "date"], "tracking_url": text, "preview_url": text,
            "action_url": text, "problem": problem, "created_at": time,
        ]),
        "PostcardList": object(["items": list(OpenAPI.reference("Postcard"))]),
    ]

    private static let draft: JSONObject = [
        "account": uuid, "format": string, "recipient": OpenAPI.reference("PostalAddress"), "message": string,
    ]

    private static let amount: JSONValue = ["type": "integer", "minimum": 0]
    private static let currency = pattern("^[A-Z]{3}$")
    private static let price = object(["minor_units": amount, "currency": currency, "text": string])

    private static func optional(_ schema: JSONValue) -> JSONValue { ["oneOf": [schema, ["type": "null"]]] }
}

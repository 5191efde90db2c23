internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Submitters

/// Routes for cards on paper. All of them need the right to write, for they tell addresses and cost money.
extension APIHandlers {
    private var postcards: PostcardActions { PostcardActions(actions) }

    /// `POST /v1/photos/{id}/postcards/preview`: the price of a card, and how it will look.
    package func previewPostcard(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo: PhotoID = try request.identifier()
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["account", "format", "recipient", "message"])
        let draft = try Self.draft(body)
        do {
            let preview = try await postcards.preview(photo, draft, by: caller.user)
            return .privateJSON { Self.write(preview, draft, to: &$0) }
        } catch let error as SubmissionError {
            throw Self.field(of: error) ?? error
        }
    }

    /// `POST /v1/photos/{id}/postcards`: orders what a preview has shown.
    package func orderPostcard(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo: PhotoID = try request.identifier()
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["account", "format", "recipient", "message", "price", "quote"])
        let draft = try Self.draft(body)
        guard let price = body["price"].flatMap({ PrintPrice($0) }) else {
            throw RequestProblem.invalid("#/price", "It must be the price of a preview.")
        }
        guard let token = body["quote"]?.string else {
            throw RequestProblem.invalid("#/quote", "It must be the text of a preview.")
        }
        let made = try await postcards.order(
            photo, draft, at: price, token: token, by: caller.user,
            key: try idempotencyKey(of: request, caller.user.id))
        var response = json(made, .created)
        response.fields.set("Location", "\(addresses.base)/v1/postcards/\(made.postcard.id)")
        return response
    }

    /// `GET /v1/photos/{id}/postcards`: the newest hundred.
    package func listPostcards(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let photo = try await store.photo(try request.identifier(), viewer: caller.user.id).photo
        guard photo.owner == caller.user.id else { throw StoreError.notFound }
        let items = try await postcards.orders(of: photo.id, by: caller.user)
        return .privateJSON { json in
            json.object { $0.array("items", items) { Self.write($1, to: &$0) } }
        }
    }

    /// `GET /v1/postcards/{id}`.
    package func showPostcard(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        json(try await postcards.order(try request.identifier(), by: caller.user))
    }

    /// `DELETE /v1/postcards/{id}`: asks for its end.
    package func cancelPostcard(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        json(try await postcards.cancel(try request.identifier(), by: caller.user), .accepted)
    }

    // MARK: What is read

    private static func draft(_ body: JSONValue) throws -> PostcardDraft {
        guard let account = body["account"]?.string else {
            throw RequestProblem.invalid("#/account", "It must be the identifier of an account.")
        }
        guard let recipient = body["recipient"], recipient.object != nil else {
            throw RequestProblem.invalid("#/recipient", "It must be an address.")
        }
        var fields: [PostalAddress.Field: String] = [:]
        for field in PostalAddress.Field.allCases {
            guard let value = recipient[field.rawValue], !value.isNull else { continue }
            guard let text = value.string else {
                throw RequestProblem.invalid("#/recipient/\(field.rawValue)", "It must be a text.")
            }
            fields[field] = text
        }
        try recipient.refuseMembers(otherThan: PostalAddress.Field.allCases.map(\.rawValue))
        return PostcardDraft(
            account: account, format: try text(body, "format"), recipient: PostalAddress(fields),
            message: try text(body, "message") ?? "")
    }

    private static func text(_ body: JSONValue, _ name: String) throws -> String? {
        guard let value = body[name], !value.isNull else { return nil }
        guard let text = value.string else { throw RequestProblem.invalid("#/\(name)", "It must be a text.") }
        return text
    }

    /// The field of the recipient that a service refuses.
    private static func field(of error: SubmissionError) -> RequestProblem? {
        guard case .rejected(let problem) = error,
            let field = problem.problem.parameters.field.flatMap({ PostalAddress.Field(rawValue: $0) })
        else { return nil }
        return .invalid("#/recipient/\(field.rawValue)", problem.problem.text, isContent: true)
    }

    // MARK: What is written

    private func json(_ view: PostcardView, _ status: HTTPStatus = .ok) -> HTTPResponse {
        .privateJSON(status) { Self.write(view, to: &$0) }
    }

    private static func write(_ view: PostcardView, to json: inout JSONWriter) {
        let postcard = view.postcard
        json.object { json in
            json.member("id", postcard.id.description)
            json.member("photo", postcard.photo.description)
            json.member("account", postcard.connection.description)
            json.member("service", postcard.service)
            json.member("format", postcard.format)
            json.member("product", view.product)
            json.member("recipient", view.order?.recipient.json ?? .null)
            json.member("message", view.order?.message)
            json.member("price", view.price.shown)
            json.member("sandbox", postcard.isSandbox)
            json.member("state", postcard.state.rawValue)
            json.member("state_at", postcard.stateAt)
            json.member("cancellable", postcard.canBeCancelled)
            json.member("cancel_wanted", postcard.isCancelWanted)
            json.member("cancellable_until", postcard.facts.cancellableUntil)
            json.member("expected_on", postcard.facts.expectedOn)
            json.member("tracking_url", postcard.facts.trackingURL)
            json.member("preview_url", postcard.facts.previewURL)
            json.member("action_url", postcard.facts.actionURL)
            json.member("problem", JSONValue(postcard.problem))
            json.member("created_at", postcard.createdAt)
        }
    }

    private static func write(_ preview: PostcardPreview, _ draft: PostcardDraft, to json: inout JSONWriter) {
        let quote = preview.quote
        json.object { json in
            json.member(
                "order",
                [
                    "account": .string(draft.account), "format": .string(preview.format.id),
                    "recipient": preview.order.recipient.json, "message": .string(preview.order.message),
                    "price": quote.total.json, "quote": .string(preview.token),
                ])
            json.member("expires_at", preview.end)
            json.member("product", preview.format.name)
            json.member("sandbox", preview.account.isSandbox)
            json.member(
                "price",
                [
                    "total": quote.total.shown, "print": quote.print?.shown ?? .null,
                    "post": quote.post?.shown ?? .null, "estimate": .bool(quote.isEstimate),
                    "days": quote.days.map { ["from": JSONValue($0.lowerBound), "to": JSONValue($0.upperBound)] }
                        ?? .null,
                    "shipping": .string(quote.shippingMethod),
                ])
            json.member(
                "picture", ["width": JSONValue(preview.picture.width), "height": JSONValue(preview.picture.height)])
            json.member(
                "crop",
                [
                    "x": JSONValue(preview.cut.x), "y": JSONValue(preview.cut.y),
                    "width": JSONValue(preview.cut.width), "height": JSONValue(preview.cut.height),
                ])
            json.member("resolution", JSONValue(preview.resolution))
            json.member("coarse", preview.isCoarse)
        }
    }
}

extension PrintPrice {
    /// With the text that people read.
    fileprivate var shown: JSONValue {
        ["minor_units": .int(minorUnits), "currency": .string(currency), "text": .string(description)]
    }
}

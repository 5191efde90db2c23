internal import Actions
internal import Authentication
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

/// The pages on which owners order cards on paper.
extension PageHandlers {
    static let postcardsPath = "/postcards"

    var postcards: PostcardActions { PostcardActions(actions) }

    /// `GET /{code}/postcard`.
    func showPostcardForm(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        return try await postcardForm(photo, PostcardFields(), nil, caller)
    }

    /// `POST /{code}/postcard`: shows the card and its price, or with `change` the form again.
    func previewPostcard(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let fields = PostcardFields(form)
        guard form["change"] == nil else { return try await postcardForm(photo, fields, nil, caller) }
        return try await postcardPreview(photo, fields, nil, caller)
    }

    /// `POST /{code}/postcard/order`: orders what the preview has shown. Sent twice it is one order.
    func orderPostcard(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let fields = PostcardFields(form)
        do {
            guard let draft = fields.draft, let amount = form["price"].flatMap({ Int64($0) }), amount >= 0,
                let currency = form["currency"], let token = form["quote"]
            else { throw ActionError.priceNotShown }
            let made = try await postcards.order(
                photo.id, draft, at: PrintPrice(minorUnits: amount, currency: currency), token: token,
                by: caller.user, key: nil)
            return .seeOther("\(Self.postcardsPath)/\(made.postcard.id)")
        } catch ActionError.priceNotShown, ActionError.keyUsed {
            return try await postcardPreview(photo, fields, .failed(.priceNotShown), caller)
        }
    }

    /// `GET /postcards/{id}`.
    func showPostcard(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let view = try await postcards.order(try request.identifier(), by: caller.user)
        return try await postcardPage(view, nil, caller)
    }

    /// `POST /postcards/{id}/cancel`.
    func cancelPostcard(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let id: PostcardID = try request.identifier()
        do {
            _ = try await postcards.cancel(id, by: caller.user)
            return .seeOther("\(Self.postcardsPath)/\(id)")
        } catch let error as SubmissionError {
            let view = try await postcards.order(id, by: caller.user)
            return try await postcardPage(view, .failed(Phrase(error.problem)), caller, .conflict)
        }
    }

    // MARK: The pages

    private func postcardForm(
        _ photo: Photo, _ fields: PostcardFields, _ notice: Notice?, _ caller: SignedInUser, _ status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let accounts = try await postcards.accounts(of: caller.user)
        guard !accounts.isEmpty else { return .seeOther(Self.connectionsPath) }
        let form = PostcardForm(
            photo: photo, accounts: accounts, fields: fields, caller: caller, registry: registry)
        return personalPage(.sendAsPostcard, notice, form.html, caller, status)
    }

    private func postcardPreview(
        _ photo: Photo, _ fields: PostcardFields, _ notice: Notice?, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        func refused(_ problem: Phrase) async throws -> HTTPResponse {
            try await postcardForm(photo, fields, .failed(problem), caller, .unprocessableContent)
        }
        guard let draft = fields.draft else { return try await refused(.chooseAnAccount) }
        do {
            let preview = try await postcards.preview(photo.id, draft, by: caller.user)
            let page = PostcardPreviewPage(photo: photo, preview: preview, caller: caller)
            return personalPage(.sendAsPostcard, notice, page.html, caller, notice == nil ? .ok : .conflict)
        } catch let error as SubmissionError {
            return try await refused(Phrase(error.problem))
        } catch let error as InvalidField {
            guard error.pointer == "#/message" else { return try await refused(.noCardOfThis) }
            let format = try await postcards.accounts(of: caller.user).first {
                $0.account.id.description == draft.account
            }?.formats.first { $0.id == draft.format }
            return try await refused(
                format.map { $0.hasWrittenBack ? .longestMessage($0) : .backStaysEmpty } ?? .backStaysEmpty)
        } catch ActionError.photoIsDraft {
            return .seeOther("/\(photo.code)")
        }
    }

    private func postcardPage(
        _ view: PostcardView, _ notice: Notice?, _ caller: SignedInUser, _ status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let page = PostcardPage(
            view: view, caller: caller, service: registry.name(of: view.postcard.service),
            zone: try await photos.timeZone(of: caller.user))
        return personalPage(.postcard, notice, page.html, caller, status)
    }

    private func personalPage(
        _ title: Phrase, _ notice: Notice?, _ content: HTML, _ caller: SignedInUser, _ status: HTTPStatus
    ) -> HTTPResponse {
        let say = caller.language
        return Page(
            language: say, title: "\(say(title)) · Pics", bar: Bar(caller),
            content: "<h1>\(say(title))</h1>\n\(notice?.html(say) ?? .nothing)\(content)"
        ).personal(status)
    }
}

/// The card of a form, as it was typed.
struct PostcardFields {
    /// An account's identifier and a product's, with a space between.
    var card = ""
    var recipient: [PostalAddress.Field: String] = [:]
    var message = ""

    init() {}

    init(_ form: FormFields) {
        card = form["card"] ?? ""
        message = form["message"] ?? ""
        for field in PostalAddress.Field.allCases {
            guard let text = form[field.rawValue], !text.isEmpty else { continue }
            recipient[field] = text
        }
    }

    /// Nil when no card was chosen.
    var draft: PostcardDraft? {
        let parts = card.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return PostcardDraft(
            account: parts[0], format: parts[1], recipient: PostalAddress(recipient), message: message)
    }
}

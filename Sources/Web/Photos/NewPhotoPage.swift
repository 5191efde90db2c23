internal import Actions
internal import Authentication
internal import Blobs
internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

extension PageHandlers {
    /// `GET /new`: where a photo is posted.
    func showNew(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await newPage(
            caller, nil, notice: request.query["share"] == "again" ? .failed(.shareAgain) : nil)
    }

    /// `GET /new/session`: who is signed in, and the token of their forms, as JSON for the outbox.
    func showSession(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        .uncached(["user": .string(caller.user.name), "form_token": .string(caller.forms.masked())])
    }

    /// `POST /new`: stores a photo and sends it to the accounts that were chosen.
    func sendNew(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let type = request.fields["Content-Type"].flatMap(MediaType.init), type.essence == "multipart/form-data"
        else { throw PageProblem.unreadableForm }
        let reservation = try await actions.reservation(for: caller.user)
        var form = try PhotoForm(
            type, limit: actions.limits.textBytes,
            otherNames: PictureFields.names.union([FormToken.field, Self.keyField, Self.uploadField, Self.editsField]))
        var incoming: [IncomingPhoto] = []
        var arrived: [UploadID] = []
        do {
            try await request.body.forEach(within: blobs.places) { chunk in
                try await form.feed(chunk) { fields in
                    // Before a byte of the file is stored.
                    guard caller.forms.isIn(fields) else { throw PageProblem.foreignForm }
                    return try photos.begin(reservation)
                }
            }
            let uploads = form.otherFields.pairs.filter { $0.name == Self.uploadField }.map(\.value)
            incoming = try form.finish(mayHaveNone: !uploads.isEmpty)
            guard caller.forms.isIn(form.otherFields) else { throw PageProblem.foreignForm }
            if !uploads.isEmpty {
                guard incoming.isEmpty else { throw InvalidField.invalid("#/photo", "There are uploads too.") }
                arrived = try PhotoDraft.uploads(uploads)
            }
        } catch {
            await form.abandon()
            return try await refused(error, form, request, caller)
        }
        guard !form.hasEmptyFile else {
            await form.abandon()
            return try await refused(.chooseAPhoto, .unprocessableContent, form, request, caller)
        }
        do {
            let page = try await create(incoming, arrived, form, request, caller)
            return request.wantsJSON ? .uncached(["next": .string(page)]) : .seeOther(page)
        } catch {
            return try await refused(error, form, request, caller)
        }
    }

    /// The page that is shown then.
    private func create(
        _ incoming: [IncomingPhoto], _ arrived: [UploadID], _ form: PhotoForm, _ request: HTTPRequest,
        _ caller: SignedInUser
    ) async throws -> String {
        let text = form.otherFields[Self.keyField] ?? ""
        let key = IdempotencyKey(isKey(text) ? text : UUID().uuidString, of: caller.user.id)
        let creation = PhotoCreation(
            try draft(of: form).withPlainLines, requestedAt: Date(), key: key, for: confirming(request),
            respond: Self.postResponder)
        let created = try await actions.once(key) {
            incoming.isEmpty
                ? try await uploads.createPhoto(of: arrived, creation, by: caller.user)
                : try await photos.create(incoming, creation, by: caller.user)
        }
        switch created {
        case .photo: return "/"
        case .response(let kept):
            return kept.fields.dropFirst().first ?? "/"
        }
    }

    /// What a form says of its photos: a script sends a field `edits` for each, a plain form has fields for the first.
    private func draft(of form: PhotoForm) throws(InvalidField) -> PhotoDraft {
        let limit = actions.limits.textBytes
        let edits = form.otherFields.pairs.filter { $0.name == Self.editsField }.map(\.value)
        var recipes: [String] = []
        for fields in edits.isEmpty ? [form.otherFields] : edits.map({ FormFields(Array($0.utf8), limit: 20) ?? [:] }) {
            let recipe = try PictureFields.recipe(fields, over: nil)
            recipes.append(
                recipe.isEmpty ? "" : String(decoding: JSONValue.object(recipe).serialized, as: UTF8.self))
        }
        while recipes.last?.isEmpty == true { recipes.removeLast() }
        var (draft, seen) = (form.draft, Set<String>())
        for recipe in recipes { try draft.take("recipe", recipe, limit: limit, seen: &seen) }
        return draft
    }

    /// The form again, with what is wrong; what is not the sender's mistake is thrown on.
    private func refused(
        _ error: any Error, _ form: PhotoForm, _ request: HTTPRequest, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let problem = management.problem(error)
        guard !(error is PageProblem), !(error is CancellationError), !(error is BodyError), problem.status.code < 500
        else { throw error }
        // 409: another request with the same key is under way.
        let status = problem.status == .conflict && request.wantsJSON ? problem.status : .unprocessableContent
        var sentence = Phrase(told: problem.sentence)
        if error as? ActionError == .storageQuotaUsed {
            sentence =
                StorageMeter(try await store.storage(of: caller.user.id), usual: actions.limits.storage).refusal
        }
        return try await refused(sentence, status, form, request, caller)
    }

    private func refused(
        _ sentence: Phrase, _ status: HTTPStatus, _ form: PhotoForm, _ request: HTTPRequest, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        guard !request.wantsJSON else { return .uncached(["problem": .string(caller.language(sentence))], status) }
        return try await newPage(caller, form, notice: .failed(sentence), status: status)
    }

    /// `POST /new/texts`: the text that each account would get of a caption, as JSON for the page's script.
    func previewTexts(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let draft: PhotoDraft
        do throws(InvalidField) {
            draft = try form.photoDraft(limit: actions.limits.textBytes)
        } catch {
            throw PageProblem(.badRequest, .unreadableForm, Phrase(told: error.detail))
        }
        let caption = draft.caption
        let texts = try await photos.texts(of: draft, of: caller.user)
        try rates.chargePlanning(of: texts.values.reduce(caption, +), by: caller.user)
        // A code is always as long as this one.
        let (code, zone) = (ShortCode.make(), try await photos.timeZone(of: caller.user))
        let recipients = try await photos.possibleRecipients(of: caller.user)
        let plans = photos.plan(
            caption, texts: texts, labels: draft.labels, at: Date(), in: zone, code: code, for: recipients)
        let say = caller.language
        let planned = plans.map { recipient, plan -> JSONValue in
            let isRefused = plan.isCut && recipient.longCaption == .refuse
            let count =
                isRefused
                ? say(.tooLongForAccount)
                : plan.thread.isEmpty
                    ? plan.limit.map { say(.characters(plan.length, of: $0)) } ?? "" : say(.posts(plan.thread.count))
            return [
                "account": .string(recipient.connection.id.description), "text": .string(plan.text),
                "cut": .bool(plan.isCut && !isRefused), "thread": JSONValue(plan.thread), "count": .string(count),
            ]
        }
        return .uncached(["texts": JSONValue(planned)])
    }

    /// Leads to the photo, whose page tells what becomes of it; a draft to one's photos.
    static let postResponder: PhotoResponder = { view, submissions in
        let page =
            view.photo.isDraft
            ? "/?done=draft" : "/\(view.photo.code)?done=\(submissions.isEmpty ? "stored" : "posted")#tools"
        return StoredResponse(
            status: HTTPStatus.seeOther.code, fields: ["Location", page, "Cache-Control", "no-store"], body: [])
    }

    private static let keyField = "key"
    /// The edits of a photo, as a query; one for each photo.
    private static let editsField = "edits"
    /// The identifier of an upload that has arrived, one for each photo; then there is no file.
    private static let uploadField = "upload"

    /// Whether a text can be a key of this page's making.
    private func isKey(_ text: String) -> Bool { UUID(uuidString: text) != nil }

    private func newPage(
        _ caller: SignedInUser, _ form: PhotoForm?, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        // A form that comes back keeps what was written; its file has to be chosen again, so it is another request.
        let draft = form?.draft ?? PhotoDraft()
        let posting = PostForm(draft: draft, key: UUID().uuidString, say: say, offersDraft: true)
        let further = try await choices(draft, caller).html
        let storage = StorageMeter(try await store.storage(of: caller.user.id), usual: actions.limits.storage)
        let room: HTML = notice == nil ? storage.warning(say) : .nothing
        return Page(
            language: say, title: "\(say(.newPhotoTitle)) · Pics",
            head: "\(PostForm.scripts)<script src=\"\(StaticFile.textsScript.path)\" defer></script>\n",
            showsChosenFiles: true,
            bar: Bar(caller, at: .new),
            content: """
                <h1>\(say(.newPhotoTitle))</h1>
                \(notice?.html(say) ?? room)\(SecureContextHint(isAdmin: caller.user.isAdmin, say: say).html)\(posting.html(hidden: caller.formInput, further: further))
                """
        ).personal(status)
    }

    /// The fields for a post of the caller's, filled with what a draft says.
    func choices(_ draft: PhotoDraft, _ caller: SignedInUser) async throws -> PostChoices {
        let accounts = try await store.connections(of: caller.user.id).map(\.connection).filter {
            $0.state != .disabled && registry.takesPosts($0.service)
        }
        // An account may have been disconnected meanwhile.
        let (chosen, texts): ([Recipient], [AccountID: String])
        do { chosen = try await photos.chooseRecipients(draft.services, of: caller.user) } catch is InvalidField {
            chosen = try await photos.chooseRecipients(nil, of: caller.user)
        }
        do { texts = try await photos.texts(of: draft, of: caller.user) } catch is InvalidField { texts = [:] }
        // Most posts are photos: where videos alone are taken is for the person to choose.
        let ticked = chosen.filter { draft.services != nil || $0.takesPictures }
        return PostChoices(
            draft: draft, accounts: accounts, texts: texts, chosen: Set(ticked.map(\.connection.id.description)),
            albums: try await store.albums(of: caller.user.id, after: nil, limit: 100),
            zone: try await photos.timeZone(of: caller.user), registry: registry, say: caller.language)
    }
}

internal import Actions
internal import Authentication
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

/// The forms on the page of one's own photo.
extension PageHandlers {
    /// The tools of the photo's owner.
    func ownerTools(
        of photo: Photo, with companions: [Photo], showsResponses: Bool?, _ caller: SignedInUser, _ request: HTTPRequest
    ) async throws -> OwnerTools {
        let submissions = try await store.submissions(of: photo.id)
        let taken = Set(submissions.map(\.connection))
        let accounts = try await store.connections(of: caller.user.id).map(\.connection)
        let others = accounts.filter {
            photo.hasPicture && $0.state != .disabled && registry.takesPosts($0.service) && !taken.contains($0.id)
        }
        let pictures = accounts.compactMap { account in account.pictureVersion.map { (account.id, $0) } }
        let zone = try await photos.timeZone(of: caller.user)
        var tools = OwnerTools(
            photo: photo, parts: companions.filter { $0.partOf == photo.id }, submissions: submissions, others: others,
            pictures: Dictionary(uniqueKeysWithValues: pictures), caller: caller, registry: registry, zone: zone,
            showsResponses: showsResponses,
            postcards: PostcardRows(
                orders: try await postcards.orders(of: photo.id, by: caller.user),
                canOrder: accounts.contains { registry[$0.service]?.description.isOrdered == true }, photo: photo,
                say: caller.language, zone: zone))
        if photo.visibility == .private, photo.plan == nil {
            tools.decision = try await store.lastDecision(onReportsOf: photo.code)
        }
        tools.notice = toolNotice(request.query["done"] ?? "", submissions)
        return tools
    }

    /// The names of the services of submissions, each once.
    private func services(of submissions: [Submission]) -> String {
        Set(submissions.map { registry.name(of: $0.service) }).sorted().joined(separator: ", ")
    }

    private func toolNotice(_ done: String, _ submissions: [Submission]) -> Notice? {
        switch done {
        case "edited", "picture":
            let fixed = submissions.filter { $0.edit == .unsupported }
            guard !fixed.isEmpty else { return .done(done == "picture" ? .pictureIsEdited : .photoIsEdited) }
            return .done(.photoIsEditedBut(services(of: fixed)))
        case "taken": return .done(.postIsBeingDeleted)
        case "private":
            let out = submissions.filter { $0.state == .done }
            guard !out.isEmpty else { return .done(.photoIsPrivateNow) }
            return .done(.photoIsPrivateBut(services(of: out)))
        case "posted": return .done(.photoIsPosted)
        case "stored": return .done(.photoIsStored)
        case "saved": return .done(.draftIsSaved)
        case "restored": return .done(.photoIsRestored)
        case "published": return .done(.photoIsPublished)
        case "sent": return .done(.photoIsSent)
        case "acted": return .done(.wasDone)
        case "changed": return .failed(.photoHasChanged)
        case "late": return .failed(.hasEnded)
        case "refused": return .failed(.couldNotBeSaved)
        case "none": return .failed(.chooseAnAccount)
        case "withheld": return .failed(.photoWasMadePrivate)
        default: return nil
        }
    }

    /// The photo behind the short link in a request's path, which has to be the caller's own.
    func ownPhoto(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> Photo {
        let photo = try await store.photo(code: try request.shortCode(), viewer: caller.user.id).photo
        guard photo.owner == caller.user.id else { throw StoreError.notFound }
        return photo
    }

    func back(to photo: Photo, _ done: String) -> HTTPResponse {
        .seeOther("/\(photo.code)?done=\(done)#tools")
    }

    /// `POST /{code}/edit`.
    func editPhoto(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        guard form["version"] == "\(photo.version)" else { return back(to: photo, "changed") }
        // A browser sends line ends as CR LF.
        let words = ["caption", "alt_text"].map { ($0, (form[$0] ?? "").replacing("\r\n", with: "\n")) }
        var patch = JSONObject()
        for (name, text) in words { patch[name] = .string(text) }
        patch["visibility"] = .string(form["visibility"] ?? (photo.plan?.visibility ?? photo.visibility).rawValue)
        patch["album"] = .string(form["album"] ?? "")
        patch["sensitive"] = .bool(form["sensitive"] == "true")
        patch["content_warning"] = .string(form["content_warning"] ?? "")
        patch["language"] = .string(form["language"] ?? "")
        do {
            let draft = try PhotoEditDraft(.object(patch), limit: actions.limits.textBytes)
            try await photos.edit(photo, draft, by: caller.user) { caption in
                try rates.chargePlanning(of: caption, by: caller.user)
            }
            try await editDescriptions(of: photo, form, caller)
        } catch StoreError.changed {
            return back(to: photo, "changed")
        } catch is InvalidField {
            return back(to: photo, "refused")
        } catch ActionError.storageQuotaUsed {
            return back(to: photo, "refused")
        }
        let isHidden = form["visibility"] == Visibility.private.rawValue && photo.visibility != .private
        return back(to: photo, isHidden ? "private" : "edited")
    }

    /// Changes the alternative texts of the further photos of a post, in the fields `alt_text_{code}`.
    func editDescriptions(of photo: Photo, _ form: FormFields, _ caller: SignedInUser) async throws {
        for part in try await store.companions(of: photo) where part.partOf == photo.id {
            guard let text = form["alt_text_\(part.code)"]?.replacing("\r\n", with: "\n"), text != part.altText
            else { continue }
            let draft = try PhotoEditDraft(["alt_text": .string(text)], limit: actions.limits.textBytes)
            try await photos.edit(part, draft, by: caller.user) { _ in }
        }
    }

    /// `POST /{code}/publish`.
    func publishPhoto(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        do {
            try await photos.publish(photo, by: caller.user, requestID: request.id)
        } catch StoreError.changed {
            return back(to: photo, "changed")
        } catch is InvalidField {
            return back(to: photo, "refused")
        }
        return back(to: photo, "published")
    }

    /// `POST /{code}/send`.
    func sendPhotoOn(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let accounts = form.pairs.filter { $0.name == "services" }.map(\.value)
        guard !accounts.isEmpty else { return back(to: photo, "none") }
        do {
            let text = form["scheduled_at"] ?? ""
            let time = text.isEmpty ? nil : try PhotoDraft.scheduledTime(text)
            _ = try await photos.send(photo.id, to: accounts, at: time, asked: Date(), by: caller.user)
        } catch is InvalidField {
            return back(to: photo, "refused")
        } catch StoreError.withheld {
            return back(to: photo, "withheld")
        }
        return back(to: photo, "sent")
    }

    /// `POST /{code}/submissions/{id}/…`.
    func perform(
        _ action: OperatorAction, _ request: HTTPRequest, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let id: SubmissionID = try request.identifier()
        // Somebody else's is not found.
        guard try await store.submission(id, owner: caller.user.id).photo == photo.id else { throw StoreError.notFound }
        do {
            let isDone = try await submissions.perform(action, on: id, by: caller.user)
            return back(to: photo, isDone ? "acted" : "late")
        } catch StoreError.withheld {
            return back(to: photo, "withheld")
        }
    }

    /// `POST /{code}/submissions/{id}/delete`.
    func deletePost(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let id: SubmissionID = try request.identifier()
        guard try await store.submission(id, owner: caller.user.id).photo == photo.id else { throw StoreError.notFound }
        do {
            _ = try await submissions.deletePost(id, of: caller.user.id)
        } catch ActionError.postStays, ActionError.notPublished {
            return back(to: photo, "late")
        }
        return back(to: photo, "taken")
    }

    /// `GET /{code}/delete`.
    func askToDeletePhoto(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        let say = caller.language
        let posts = try await store.submissions(of: photo.id).filter { $0.state == .done }
        let can = posts.filter { registry[$0.service] is any DeletingSubmitter }
        let everywhere: HTML =
            can.isEmpty
            ? .nothing
            : """
            <label class="choice"><input type="checkbox" name="everywhere" value="yes"> \
            <span>\(say(.deletePostsToo(services(of: can))))</span></label>

            """
        let left = posts.filter { post in !can.contains { $0.id == post.id } }
        let stay: HTML = left.isEmpty ? .nothing : "<p class=\"facts\">\(say(.postsStay(services(of: left))))</p>\n"
        return Page(
            language: say, title: "\(say(.deletePhoto)) · Pics", bar: Bar(caller),
            content: """
                <h1>\(say(.deletePhoto))</h1>
                <p>\(say(.deletePhotoExplained))</p>
                <form class="form" method="post" action="/\(photo.code.description)/delete">
                \(caller.formInput)\(everywhere)\(stay)<button class="danger">\(say(.deletePhoto))</button>
                </form>
                <p class="facts"><a href="/\(photo.code.description)">\(say(.ratherNot))</a></p>

                """
        ).personal()
    }

    /// `POST /{code}/delete`.
    func deletePhoto(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        if form["everywhere"] == "yes" {
            _ = try await photos.deleteEverywhere(photo.id, by: caller.user, requestID: request.id)
        } else {
            try await photos.delete(photo.id, by: caller.user, requestID: request.id)
        }
        return .seeOther("/?done=deleted&photo=\(photo.code)")
    }

    /// Says that a photo was deleted, and lets its owner take that back; `code` is what the address says.
    func deletionNotice(_ code: String?, _ caller: SignedInUser) -> HTML {
        let say = caller.language
        guard let code = code.flatMap({ ShortCode($0) }) else { return Notice.done(.photoIsDeleted).html(say) }
        return """
            <form class="notice" method="post" action="/\(code.description)/restore">
            \(caller.formInput)<span role="status">\(say.marked(.photoIsDeleted))</span> \
            <button class="quiet">\(say(.undo))</button>
            </form>

            """
    }

    /// The page of one's own deleted photo as long as it can be restored; nil for any other.
    func deletedPhotoPage(_ code: ShortCode, _ caller: SignedInUser) async throws -> HTTPResponse? {
        guard let end = try await store.restorableUntil(code, owner: caller.user.id) else { return nil }
        let say = caller.language
        let until = say.moment(end, in: try await photos.timeZone(of: caller.user))
        let reason: HTML =
            try await store.lastDecision(onReportsOf: code) == .deleted
            ? "<p>\(say(.adminDeletedPhoto))</p>\n" : .nothing
        return Page(
            language: say, title: "\(say(.photoIsDeleted)) · Pics", bar: Bar(caller),
            content: """
                <h1>\(say(.photoIsDeleted))</h1>
                \(reason)<p>\(say(.restorableUntil(until)))</p>
                <form class="form" method="post" action="/\(code.description)/restore">
                \(caller.formInput)<button>\(say(.restorePhoto))</button>
                </form>
                <p><a href="/">\(say(.toHome))</a></p>

                """
        ).personal(.gone)
    }

    /// `POST /{code}/restore`.
    func restorePhoto(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let code = try request.shortCode()
        let id = try await store.ownPhoto(code: code, owner: caller.user.id)
        try await photos.restore(id, by: caller.user, requestID: request.id)
        return .seeOther("/\(code)?done=restored#tools")
    }
}

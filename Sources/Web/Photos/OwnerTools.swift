internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters
internal import System

/// The part of a photo's page that its owner alone sees: what became of it at each account, and what can be done.
struct OwnerTools {
    let photo: Photo
    /// The further photos of its post.
    let parts: [Photo]
    let submissions: [Submission]
    /// The accounts that it can be sent on to: those that have no submission of it.
    let others: [Account]
    /// The versions of the profile pictures of the owner's accounts.
    let pictures: [AccountID: String]
    let caller: SignedInUser
    let registry: Registry
    let zone: Zone
    /// Whether its page shows responses; nil: as all others.
    let showsResponses: Bool?
    /// The cards on paper that show it.
    let postcards: PostcardRows
    /// The last decision of admins on reports of the photo, if it is private.
    var decision: Report.Decision?
    var notice: Notice?

    private var say: Language { caller.language }
    private var path: String { "/\(photo.code)" }

    var html: HTML {
        """
        <section class="tools" id="tools" aria-labelledby="tools-title">
        <h2 id="tools-title">\(say(.posts))</h2>
        \(notice?.html(say) ?? .nothing)\(photo.isDraft ? draft : HTML.join([plan, posts, sendOn, postcards.html, edit, responses]))<p><a href="\(path)/delete">\(say(.deletePhoto))</a></p>
        </section>

        """
    }

    private var responses: HTML {
        let choices: [(String, Bool?, Phrase)] = [
            ("", nil, .asAlways), ("yes", true, .shownHere), ("no", false, .numberAlone),
        ]
        let options = choices.map { value, choice, phrase -> HTML in
            "<option value=\"\(value)\"\(choice == showsResponses ? " selected" : .nothing)>\(say(phrase))</option>\n"
        }
        return """
            <details><summary>\(say(.responsesOfPhoto))</summary>
            <form class="form" method="post" action="\(path)/responses">
            \(caller.formInput)<label>\(say(.responses))
            <select name="responses">
            \(HTML.join(options))</select></label>
            <button>\(say(.keepChoice))</button>
            </form>
            </details>

            """
    }

    // MARK: Before it is published

    private var draft: HTML {
        """
        <p>\(say(.draftExplained))</p>
        <p><a class="button" href="\(path)/draft">\(say(.editDraft))</a></p>

        """
    }

    private var plan: HTML {
        guard let time = photo.plan?.publishAt else { return .nothing }
        return """
            <p>\(say(.isPublishedAt(say.moment(time, in: zone))))</p>
            <form method="post" action="\(path)/publish">\(caller.formInput)<button class="quiet">\(say(.publishNow))</button></form>

            """
    }

    private func serviceName(_ service: String) -> String { registry.name(of: service) }

    // MARK: Posts

    private var posts: HTML {
        guard !submissions.isEmpty else { return "<p class=\"facts\">\(say(.goesNowhere))</p>\n" }
        let isOpen = Self.isUnderWay(photo, submissions)
        return "<ul class=\"rows\" data-posts\(isOpen ? " data-open" : "")>\n\(HTML.join(submissions.map(post)))</ul>\n"
    }

    /// Whether a post, or an edit of one, is on its way. What waits for its time, or for a person, is not.
    static func isUnderWay(_ photo: Photo, _ submissions: [Submission]) -> Bool {
        submissions.contains { $0.edit == .waiting }
            || Photo.State(photo, submissions.filter { [.waiting, .running].contains($0.state) }, at: Date())
                == .sending
    }

    private func post(_ submission: Submission) -> HTML {
        let problem: HTML = submission.problem.map { "<p>\(say.marked(Phrase($0)))</p>" } ?? .nothing
        let link: HTML =
            submission.state == .done
            ? submission.remoteURL.flatMap { $0.isWebAddress ? $0 : nil }.map {
                " <a href=\"\($0)\" rel=\"noopener\">\(say(.openPost))</a>"
            } ?? .nothing : .nothing
        let progress: HTML =
            submission.state == .running && submission.bytesTotal > 0
            ? "<progress max=\"\(submission.bytesTotal)\" value=\"\(submission.bytesSent)\" aria-label=\"\(say(.sentTo(serviceName(submission.service))))\"></progress>"
            : .nothing
        let time: HTML =
            submission.state == .waiting && submission.scheduledAt.map { $0 > Date() } == true
            ? submission.scheduledAt.map {
                " · <time datetime=\"\(Timestamp($0).description)\">\(say.moment($0, in: zone))</time>"
            }
                ?? .nothing : .nothing
        return """
            <li>\(avatar(submission).html(" small"))<div><strong>\(serviceName(submission.service))</strong> <bdi>\(submission.account)</bdi> \
            <span class="facts">\(say(.state(submission.state)))\(time)</span>\(link)\(progress)\(problem)\(edited(submission))</div>
            <div class="actions">\(HTML.join(remedies(submission)))</div></li>

            """
    }

    private func avatar(_ submission: Submission) -> Avatar {
        Avatar(
            submission.connection, pictureVersion: pictures[submission.connection],
            of: serviceName(submission.service))
    }

    /// Whether the post has the last edit of the photo, and what can be done where it has not.
    private func edited(_ submission: Submission) -> HTML {
        guard let edit = submission.edit else { return .nothing }
        let canDelete = registry[submission.service] is any DeletingSubmitter
        let words: Phrase =
            switch edit {
            case .waiting: .editIsOnItsWay
            case .done: .editArrived
            case .refused: canDelete ? .editDidNotArrive : .editDidNotArrive(at: serviceName(submission.service))
            case .unsupported: canDelete ? .postStaysAsItWas : .postStaysAsItWas(at: serviceName(submission.service))
            }
        return "<p class=\"facts\" data-edit=\"\(edit.rawValue)\">\(say(words))</p>"
    }

    /// What its owner can do about a submission.
    private func remedies(_ submission: Submission) -> [HTML] {
        func form(_ action: String, _ words: Phrase, _ fields: HTML = .nothing) -> HTML {
            """
            <form method="post" action="\(path)/submissions/\(submission.id.description)/\(action)">\
            \(caller.formInput)\(fields)<button class="quiet">\(say(words))</button></form>

            """
        }
        switch submission.state {
        case .waiting where submission.scheduledAt.map({ $0 > Date() }) == true:
            return [form("retry", .sendNow), form("cancel", .cancel)]
        case .waiting, .running: return [form("cancel", .cancel)]
        case .paused:
            return [
                "<a href=\"/settings/connections/\(submission.connection.description)\">\(say(.resume))</a>",
                form("cancel", .cancel),
            ]
        case .needsLogin:
            return [
                "<a href=\"/settings/connections/connect/\(submission.service)\">\(say(.loginAgain))</a>",
                form("cancel", .cancel),
            ]
        case .rejected, .cancelled: return [form("retry", .retry)]
        case .unknown: return [form("resolve", .itWasPosted), form("retry", .itWasNotPosted)]
        case .done:
            guard registry[submission.service] is any DeletingSubmitter else { return [] }
            return [form("delete", .deletePost)]
        case .deleted:
            return [
                """
                <form method="post" action="\(path)/send">\(caller.formInput)<input type="hidden" name="services" \
                value="\(submission.connection.description)"><button class="quiet">\(say(.postAgain))</button></form>

                """
            ]
        }
    }

    private var sendOn: HTML {
        guard !others.isEmpty else { return .nothing }
        let boxes = others.map { account -> HTML in
            """
            <label class="choice"><input type="checkbox" name="services" value="\(account.id.description)">
            \(Avatar(account, of: serviceName(account.service)).html(" small"))<span><strong>\(serviceName(account.service))</strong> <bdi>\(account.account)</bdi></span></label>

            """
        }
        return """
            <details><summary>\(say(.sendOn))</summary>
            <form class="form" method="post" action="\(path)/send">
            \(caller.formInput)<fieldset><legend>\(say(.accounts))</legend>
            \(HTML.join(boxes))</fieldset>
            <label>\(say(.postLater))
            <input type="datetime-local" name="scheduled_at"><small>\(say(.postLaterHint(zone.name)))</small></label>
            <button>\(say(.send))</button>
            </form>
            </details>

            """
    }

    // MARK: Editing

    private var edit: HTML {
        let visibilities = Visibility.allCases.map { visibility -> HTML in
            """
            <option value="\(visibility.rawValue)"\(visibility == (photo.plan?.visibility ?? photo.visibility) ? " selected" : "")>\
            \(say(.visibility(visibility)))</option>

            """
        }
        return """
            \(PictureLinks(pictures: [photo] + parts, say: say).html)<details><summary>\(say(.editPhoto))</summary>
            <form class="form" method="post" action="\(path)/edit">
            \(caller.formInput)<input type="hidden" name="version" value="\(photo.version)">
            <label>\(say(.caption))
            <textarea name="caption" rows="4" dir="auto">\(photo.caption)</textarea></label>
            <label>\(say(.description))
            <textarea name="alt_text" rows="2" dir="auto">\(photo.altText)</textarea><small>\(say(.whatItShows))</small></label>
            \(HTML.join(parts.enumerated().map { PartDescription(number: $0 + 2, part: $1, say: say).html }))<label>\(say(.visibility))
            <select name="visibility">
            \(HTML.join(visibilities))</select></label>
            <label>\(say(.album))
            <input name="album" value="\(photo.album ?? "")" maxlength="100" autocomplete="off"></label>
            \(LabelFields(isSensitive: photo.labels.isSensitive, warning: photo.labels.warning, language: photo.labels.language, say: say).html)\
            <button>\(say(.keep))</button>
            </form>
            </details>

            """
    }
}

/// The ways to where the pictures of a post are edited; a video is edited nowhere, nor is what has no picture.
struct PictureLinks {
    let pictures: [Photo]
    let say: Language

    var html: HTML {
        HTML.join(
            pictures.enumerated().filter { $0.element.kind == .photo && $0.element.hasPicture }.map { place, picture in
                let words: Phrase = pictures.count == 1 ? .editPicture : .editPicture(place + 1)
                return "<p><a href=\"/\(picture.code.description)/picture\">\(say(words))</a></p>\n"
            })
    }
}

/// The field with the description of a further photo of a post.
struct PartDescription {
    /// From 2 on.
    let number: Int
    let part: Photo
    let say: Language

    var html: HTML {
        """
        <label>\(say(.descriptionOfPhoto(number)))
        <textarea name="alt_text_\(part.code.description)" rows="2" dir="auto">\(part.altText)</textarea>
        <small><a href="/\(part.code.description)/delete">\(say(.removeFromPost))</a></small></label>

        """
    }
}

internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// Reports of photos, on which admins decide. Nobody else sees what they say or where they come from.
extension PageHandlers {
    static let reportsPath = "/settings/reports"
    private static let openReports = 30
    private static let decidedReports = 30

    func showReports(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        var notice: Notice?
        if let done = request.query["done"].flatMap({ ReportID($0) }) { notice = try await outcome(of: done, caller) }
        return try await reportsPage(caller, after: request.query["after"].flatMap { ReportID($0) }, notice: notice)
    }

    /// The notice of the decision on a report; nil for one that is open or gone.
    private func outcome(of id: ReportID, _ caller: SignedInUser) async throws -> Notice? {
        let report: Report
        do throws(StoreError) { report = try await store.report(id) } catch {
            guard error == .notFound else { throw error }
            return nil
        }
        switch report.decision {
        case nil: return nil
        case .dismissed: return .done(.reportWasDismissed)
        case .private: return .done(.reportedPhotoWasMadePrivate)
        case .deleted:
            guard let end = try await store.restorableUntil(report.code, owner: report.owner.id) else {
                return .done(.photoIsDeleted)
            }
            let until = caller.language.moment(end, in: try await photos.timeZone(of: caller.user))
            return .done(.reportedPhotoWasDeleted(owner: report.owner.name, until: until))
        }
    }

    /// `POST /settings/reports/{id}`. A photo is deleted once that is confirmed.
    func decideReport(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let decision = form["decision"].flatMap(Report.Decision.init(rawValue:)) else {
            throw StoreError.notFound
        }
        let note = (form["note"] ?? "").filter { $0 != "\0" }.trimmed
        guard note.unicodeScalars.count <= Report.longestText else {
            return try await reportsPage(caller, notice: .failed(.reportTooLong), status: .unprocessableContent)
        }
        let id: ReportID = try request.identifier()
        if decision == .deleted, form["confirmed"] != "yes" {
            let report = try await store.report(id)
            if report.decision == nil { return deletionPage(report, note, caller) }
        }
        do {
            try await reports.decide(
                id, decision, note: note, by: caller.user, requestID: request.id)
        } catch StoreError.changed {
            return try await reportsPage(caller, notice: .failed(.reportHasChanged), status: .conflict)
        } catch is InvalidField {
            // The photo is part of a post, which is as visible as its first photo.
            return try await reportsPage(caller, notice: .failed(.photoStaysVisible), status: .conflict)
        }
        return .seeOther("\(Self.reportsPath)?done=\(id)")
    }

    /// Asks before the photo of somebody else is deleted.
    private func deletionPage(_ report: Report, _ note: String, _ caller: SignedInUser) -> HTTPResponse {
        let say = caller.language
        return settingsPage(
            Self.reportsPath, caller, title: .deletePhoto,
            """
            <p>\(say(.deleteReportedPhoto(of: report.owner.name)))</p>
            <p><a href="/\(report.code.description)">\(report.code.description)</a> · \(say(.reportReason(report.reason)))</p>
            <form class="form" method="post" action="\(Self.reportsPath)/\(report.id.description)">
            \(caller.formInput)<input type="hidden" name="decision" value="\(Report.Decision.deleted.rawValue)">
            <input type="hidden" name="confirmed" value="yes">
            <input type="hidden" name="note" value="\(note)">
            <button class="danger">\(say(.deletePhoto))</button>
            </form>
            <p class="facts"><a href="\(Self.reportsPath)">\(say(.ratherNot))</a></p>

            """)
    }

    /// For admins: a link to the reports that wait for them; nothing for others, and where there is none.
    func openReportsNotice(_ caller: SignedInUser) async throws -> HTML {
        guard caller.user.isAdmin else { return .nothing }
        let count = try await store.openReportCount()
        guard count > 0 else { return .nothing }
        return "<p class=\"notice\"><a href=\"\(Self.reportsPath)\">\(caller.language(.reportsOpen(count)))</a></p>\n"
    }

    private func reportsPage(
        _ caller: SignedInUser, after: ReportID? = nil, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let found = try await store.openReports(after: after, limit: Self.openReports + 1)
        let open = Array(found.prefix(Self.openReports))
        let decided = after == nil ? try await store.decidedReports(limit: Self.decidedReports) : []
        let photos = try await store.photos(of: open + decided)
        let zone = try await store.timeZone(of: caller.user.id)
        func rows(_ reports: [Report]) -> HTML {
            let rows = reports.map { ReportRow(report: $0, photo: photos[$0.photo], caller: caller, zone: zone).html }
            return "<ul class=\"rows activity decisions reports\">\n\(HTML.join(rows))</ul>\n"
        }
        let next = found.count > open.count ? open.last.map { "\(Self.reportsPath)?after=\($0.id)" } : nil
        let older: HTML =
            decided.isEmpty ? .nothing : "<h2>\(say(.decidedReports))</h2>\n\(rows(decided))"
        return settingsPage(
            Self.reportsPath, caller, notice: notice, status: status,
            """
            \(open.isEmpty ? "<p class=\"facts\">\(say(.noOpenReports))</p>\n" : rows(open))\
            <nav class="pages" aria-label="\(say(.pages))">
            \(PageLinks.button("next", next, say(.moreReports)))</nav>
            \(older)
            """)
    }
}

/// A report as a row of the list.
private struct ReportRow {
    let report: Report
    /// Nil for one that is gone altogether.
    let photo: Photo?
    let caller: SignedInUser
    let zone: String

    private var say: Language { caller.language }

    var html: HTML {
        // Only what everybody may see has a picture for an admin.
        let shown = photo.flatMap { $0.visibility == .private || $0.deletedAt != nil ? nil : $0 }
        let picture: HTML = shown.map { Thumbnail.link(to: $0, "main") } ?? .nothing
        let text: HTML = report.text.isEmpty ? .nothing : "<p class=\"said\" dir=\"auto\">\(report.text)</p>\n"
        let address: HTML =
            report.address.map { "<p class=\"facts\">\(say(.answerTo)) <bdi>\($0)</bdi></p>\n" } ?? .nothing
        return """
            <li>\(picture)<div><strong>\(say(.reportReason(report.reason)))</strong> · \
            <a href="/\(report.code.description)">\(report.code.description)</a> · <bdi>\(report.owner.name)</bdi>
            <p class="facts">\(say.time(report.createdAt, in: zone))\(state)</p>
            \(text)\(address)\(decision)</div></li>

            """
    }

    private var state: HTML {
        guard let photo, photo.deletedAt == nil else { return " · \(say(.reportedPhotoIsGone))" }
        return " · \(say(.visibility(photo.visibility)))"
    }

    /// A word that the owner has undone the decision, if they have.
    private func reversal(of decision: Report.Decision) -> HTML {
        guard let photo, photo.deletedAt == nil else { return .nothing }
        switch decision {
        case .private where photo.visibility != .private: return ", \(say(.shownAgain))"
        case .deleted: return ", \(say(.restoredByOwner))"
        case .dismissed, .private: return .nothing
        }
    }

    private var decision: HTML {
        if let decision = report.decision, let at = report.decidedAt {
            let admin: HTML = report.decidedBy.map { " · <bdi>\($0)</bdi>" } ?? .nothing
            let note: HTML = report.note.isEmpty ? .nothing : " · <bdi>\(report.note)</bdi>"
            return
                "<p class=\"facts\">\(say(.reportDecision(decision)))\(reversal(of: decision)) · \(say.time(at, in: zone))\(admin)\(note)</p>\n"
        }
        let buttons = Report.Decision.allCases.map { decision -> HTML in
            let kind: HTML = decision == .deleted ? "quiet wrong" : "quiet"
            return """
                <button class="\(kind)" name="decision" value="\(decision.rawValue)">\(say(.decide(decision)))</button>

                """
        }
        return """
            <form class="form" method="post" action="\(PageHandlers.reportsPath)/\(report.id.description)">
            \(caller.formInput)\(HTML.field(say(.reportNote), name: "note", "maxlength=\"\(Report.longestText)\" autocomplete=\"off\""))\
            <div class="actions">\(HTML.join(buttons))</div>
            </form>

            """
    }
}

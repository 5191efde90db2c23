internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// What was done to people, sign-ins, keys, accounts and settings: all of it for admins, their own for everybody. Nothing of it can be changed
/// here.
extension PageHandlers {
    static let auditPath = "/settings/audit"
    static let ownAuditPath = "/settings/security-activity"
    private static let auditLines = 50

    /// `GET /settings/audit`: everything, newest first, with filters by person and kind.
    func showAudit(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let say = caller.language
        let query = AuditQuery(request.query)
        let person = try await query.person.isEmpty ? nil : auditedPerson(query.person)
        let filter = AuditFilter(person: person, kind: query.kind)
        let isUnknown = !query.person.isEmpty && person == nil
        let found =
            isUnknown
            ? [] : try await store.auditLines(filter, before: query.before, limit: Self.auditLines + 1)
        let kinds = AuditKind.allCases.map { kind -> HTML in
            let selected: HTML = kind == query.kind ? " selected" : .nothing
            return "<option value=\"\(kind.rawValue)\"\(selected)>\(say(.auditKind(kind)))</option>\n"
        }
        let name = HTML.field(
            say(.auditPerson), name: "person",
            "value=\"\(query.person)\" maxlength=\"32\" autocapitalize=\"none\" spellcheck=\"false\" autocomplete=\"off\""
        )
        let form: HTML = """
            <form class="form" action="\(Self.auditPath)">
            \(name)<label>\(say(.auditKindLabel))
            <select name="kind"><option value="">\(say(.auditAllKinds))</option>
            \(HTML.join(kinds))</select></label>
            <button class="quiet">\(say(.auditFilter))</button>
            </form>

            """
        let zone = try await store.timeZone(of: caller.user.id)
        let newest = query.before.map { _ in query.page(Self.auditPath) }
        let list = auditList(found, caller, zone, newest: newest) { query.page(Self.auditPath, before: $0) }
        return settingsPage(
            Self.auditPath, caller, notice: isUnknown ? .failed(.noSuchPerson) : nil, "\(form)\(list)")
    }

    /// `GET /settings/security-activity`: what concerns the user.
    func showOwnAudit(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let query = AuditQuery(request.query)
        let found = try await store.auditLines(
            AuditFilter(concerned: caller.user.id), before: query.before, limit: Self.auditLines + 1)
        let zone = try await store.timeZone(of: caller.user.id)
        let newest = query.before.map { _ in Self.ownAuditPath }
        let list = auditList(found, caller, zone, isOwn: true, newest: newest) { "\(Self.ownAuditPath)?before=\($0)" }
        return settingsPage(
            Self.ownAuditPath, caller,
            """
            <p>\(caller.language(.ownAuditExplained))</p>
            \(list)
            """)
    }

    /// The user of this name; nil when there is none.
    private func auditedPerson(_ name: String) async throws -> UserID? {
        guard User.isValidName(name) else { return nil }
        do throws(StoreError) {
            return try await store.user(named: name).id
        } catch {
            guard error == .notFound else { throw error }
            return nil
        }
    }

    private func auditList(
        _ found: [AuditLine], _ caller: SignedInUser, _ zone: String, isOwn: Bool = false,
        newest: String?, older: (AuditID) -> String
    ) -> HTML {
        let say = caller.language
        guard !found.isEmpty else { return "<p class=\"facts\">\(say(.noAuditLines))</p>\n" }
        let shown = found.prefix(Self.auditLines)
        let rows = shown.map { AuditRow(line: $0, reader: isOwn ? caller.user : nil, zone: zone, say: say).html }
        let next = found.count > shown.count ? shown.last.map { older($0.id) } : nil
        return """
            <ul class="rows">
            \(HTML.join(rows))</ul>
            <nav class="pages" aria-label="\(say(.pages))">
            \(PageLinks.button("first", newest, say(.newestAuditLines)))\
            \(PageLinks.button("next", next, say(.olderAuditLines)))</nav>

            """
    }
}

/// The query of the pages.
private struct AuditQuery {
    let person: String
    let kind: AuditKind?
    let before: AuditID?

    init(_ query: FormFields) {
        person = String((query["person"] ?? "").trimmed.lowercased().prefix(32))
        kind = query["kind"].flatMap(AuditKind.init(rawValue:))
        before = query["before"].flatMap { AuditID($0) }
    }

    /// The address of the page with older lines; without `line`, with the newest.
    func page(_ path: String, before line: AuditID? = nil) -> String {
        var fields = FormFields()
        if !person.isEmpty { fields.add("person", person) }
        if let kind { fields.add("kind", kind.rawValue) }
        if let line { fields.add("before", line.description) }
        return fields.pairs.isEmpty ? path : "\(path)?\(fields.encoded)"
    }
}

/// A line as a row of a list.
private struct AuditRow {
    let line: AuditLine
    /// Whose own activity it is: then no place of somebody else is shown. Nil: an admin reads.
    let reader: User?
    let zone: String
    let say: Language

    var html: HTML {
        let facts = line.details.filter { $0.key != AuditEntry.recoveryCodes }.sorted { $0.key < $1.key }.map { fact in
            " · \(say(.auditDetail(fact.key))): <bdi>\(say(.auditValue(fact.value, of: fact.key)))</bdi>" as HTML
        }
        return """
            <li><div><strong>\(action)</strong>\(subject)
            <span class="facts">\(say.time(line.at, in: zone)) · \(actor) · \(say(.auditChannel(line.channel)))\(place)\
            \(HTML.join(facts))</span></div></li>

            """
    }

    private var action: String {
        line.action == .secondFactorOn && line.details[AuditEntry.recoveryCodes] != nil
            ? say(.recoveryCodesReplaced) : say(.auditAction(line.action, word: line.word))
    }

    /// The thing that the line is about; for admins with its owner, where somebody else did it.
    private var subject: HTML {
        let owner: HTML? =
            reader == nil && line.subjectKind != .user && line.user != line.actor
            ? line.user.map { "<bdi>\($0)</bdi>" } : nil
        guard let name = line.subject else { return owner.map { ": \($0)" } ?? .nothing }
        guard line.subjectKind != .user || name != (reader?.name ?? line.actor) else { return .nothing }
        let isPhoto = line.subjectKind == .photo && ShortCode(name) != nil
        let thing: HTML = isPhoto ? "<a href=\"/\(name)\">\(name)</a>" : "<bdi>\(name)</bdi>"
        return ": \(owner.map { say.marked(.audited(thing, of: $0)) } ?? thing)"
    }

    private var actor: HTML {
        if let reader, line.actorID == reader.id { return HTML.text(say(.auditYou)) }
        return line.actor.map { "<bdi>\($0)</bdi>" } ?? HTML.text(say(.auditNobody(line.channel)))
    }

    private var place: HTML {
        guard let network = line.network, reader == nil || line.actorID == nil || line.actorID == reader?.id else {
            return .nothing
        }
        return " · \(say(.auditNetwork(network)))"
    }
}

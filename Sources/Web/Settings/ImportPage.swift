internal import Actions
internal import Blobs
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// Photos from elsewhere.
extension PageHandlers {
    static let importPath = "/settings/import"
    private static let archiveField = "archive"
    private static let shownImports = 20
    private static let shownFailures = 200

    private var imports: ImportActions { ImportActions(photos) }

    func showImports(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await importPage(caller, notice: request.query["done"] == "sent" ? .done(.importBegins) : nil)
    }

    /// `POST /settings/import`: takes archives, and queues their import.
    func sendImport(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let type = request.fields["Content-Type"].flatMap(MediaType.init), type.essence == "multipart/form-data"
        else {
            // No form of ours: there is no token in it.
            throw PageProblem.foreignForm
        }
        let incoming: IncomingArchives
        do { incoming = try await imports.begin(for: caller.user) } catch ActionError.importUnderWay {
            return try await importPage(caller, notice: .failed(.importUnderWay), status: .conflict)
        }
        do {
            var parser = try MultipartParser(mediaType: type)
            var fields = FormFields()
            var field: (name: String, bytes: [UInt8])?
            try await request.body.forEach(within: blobs.places) { chunk in
                for event in try parser.feed(chunk) {
                    switch event {
                    case .partBegin(let headers) where headers.name == Self.archiveField:
                        // Before a byte of the file is stored.
                        guard caller.forms.isIn(fields) else { throw PageProblem.foreignForm }
                        field = nil
                        try await incoming.begin(headers.filename)
                    case .partBegin(let headers): field = (headers.name, [])
                    case .bytes(let bytes):
                        guard field != nil else {
                            try await incoming.write(bytes)
                            continue
                        }
                        field?.bytes += bytes
                        guard field?.bytes.count ?? 0 <= 1000 else { throw PageProblem.unreadableForm }
                    case .partEnd:
                        if let (name, bytes) = field { fields.add(name, String(decoding: bytes, as: UTF8.self)) }
                        if field == nil { try await incoming.end() }
                        field = nil
                    case .end: break
                    }
                }
            }
            try parser.finish()
            guard caller.forms.isIn(fields) else { throw PageProblem.foreignForm }
            // Who sent it may have been signed out meanwhile.
            guard try await signedIn(request) != nil else { throw PageProblem.foreignForm }
            guard try await incoming.finish() != nil else {
                return try await importPage(caller, notice: .failed(.chooseAnArchive), status: .unprocessableContent)
            }
        } catch {
            await incoming.abandon()
            switch error {
            case is MultipartError: throw PageProblem.unreadableForm
            case BlobError.tooLarge:
                return try await importPage(caller, notice: .failed(.archiveTooLarge), status: .contentTooLarge)
            case ActionError.importUnderWay:
                return try await importPage(caller, notice: .failed(.importUnderWay), status: .conflict)
            default: throw error
            }
        }
        return .seeOther("\(Self.importPath)?done=sent")
    }

    private func importPage(
        _ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let zone = try await store.timeZone(of: caller.user.id)
        let kept = try await store.imports(
            of: caller.user.id, limit: Self.shownImports, failures: Self.shownFailures)
        let reports = kept.map { report($0.run, $0.failures, say, zone) }
        let list: HTML =
            reports.isEmpty
            ? .nothing : "<h2>\(say(.importsSoFar))</h2>\n<ul class=\"rows\">\n\(HTML.join(reports))</ul>\n"
        let open = kept.contains { $0.run.endedAt == nil }
        let form: HTML =
            open
            ? """
            <p>\(say(.importRuns)) <a href="\(Self.importPath)">\(say(.reload))</a></p>
            <div class="form"><label class="choice" data-refresh hidden><input type="checkbox" checked> \(say(.refreshesByItself))</label></div>
            <script src="\(StaticFile.statusScript.path)" defer></script>

            """
            : """
            <form class="form" method="post" action="\(Self.importPath)" enctype="multipart/form-data">
            \(caller.formInput)<label>\(say(.archives))
            <input type="file" name="\(Self.archiveField)" accept=".zip,.tgz,.gz,.tar,application/zip,application/gzip" multiple required>
            <small>\(say(.archivesTogether))</small></label>
            <button>\(say(.importIt))</button>
            </form>

            """
        return settingsPage(
            Self.importPath, caller, notice: notice, status: status,
            """
            <p>\(say(.importExplained))</p>
            <p>\(say(.importKeepsPrivate))</p>
            \(form)\(open ? "<div data-live>\n\(list)</div>" : list)
            """)
    }

    private func report(_ run: PhotoImport, _ failures: [ImportFailure], _ say: Language, _ zone: String) -> HTML {
        let source = run.source.map { "\(say(.name(of: $0))) · " } ?? ""
        let counts: HTML =
            run.counts == ImportCounts() ? .nothing : "<span class=\"facts\">\(say(.counted(run.counts)))</span>"
        let problem: HTML = run.problem.map { "<span class=\"facts\">\(say(.reason(ofImport: $0)))</span>" } ?? .nothing
        let rows = failures.map { failure -> HTML in
            "<li><bdi>\(failure.file)</bdi> <span class=\"facts\">\(say(.reason(failure.problem)))</span></li>\n"
        }
        let further = run.counts.failed - failures.count
        let rest: HTML = further > 0 ? "<li>\(say(.andMore(further)))</li>\n" : .nothing
        let details: HTML =
            rows.isEmpty
            ? .nothing
            : "<details><summary>\(say(.failedFiles(run.counts.failed)))</summary><ul>\n\(HTML.join(rows))\(rest)</ul></details>"
        let state: HTML =
            run.hasFailed
            ? "<span class=\"state wrong\">\(say(.state(of: .failed)))</span>" : HTML.text(say(.state(of: run.state)))
        return """
            <li><div><strong dir="auto">\(run.name)</strong>
            <span class="facts">\(source)\(state) · \(say.time(run.createdAt, in: zone))</span>
            \(counts)\(problem)\(details)</div></li>

            """
    }
}

extension PhotoImport {
    /// Whether it ended before its end, or went through all and brought nothing.
    fileprivate var hasFailed: Bool {
        switch state {
        case .waiting, .running: false
        case .done: counts.failed > 0 && counts.failed == counts.ended
        case .failed: true
        }
    }
}

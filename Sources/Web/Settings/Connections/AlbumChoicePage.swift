internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters
internal import System

extension PageHandlers {
    func showAlbums(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await albumsPage(try await account(request, caller), caller)
    }

    func chooseAlbum(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let record = try await account(request, caller)
        guard let id = form["album"] else {
            return try await albumsPage(record, caller, problem: .chooseOne)
        }
        do {
            // One that was made here a moment ago may be told later, or with its first photo.
            let isChosen = try await accounts.chooseAlbum(
                id.isEmpty ? nil : id, of: record.connection.id, owner: caller.user.id, known: chosen(record))
            guard isChosen else { return try await albumsPage(record, caller, problem: .albumIsGone) }
        } catch let error as SubmissionError {
            return try await albumsPage(record, caller, problem: Phrase(error.problem.whenAsking))
        }
        return .seeOther("\(Self.path(of: record.connection.id))?done=\(id.isEmpty ? "kept" : "album")")
    }

    func makeAlbum(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let record = try await account(request, caller)
        let name = (form["name"] ?? "").trimmed
        guard 1...200 ~= name.count, name.utf8.count <= 1000, !name.utf8.contains(0) else {
            return try await albumsPage(
                record, caller, problem: .albumNeedsName, typed: name)
        }
        do {
            try await accounts.chooseNewAlbum(named: name, of: record.connection.id, owner: caller.user.id)
        } catch let error as SubmissionError {
            return try await albumsPage(record, caller, problem: Phrase(error.problem.whenAsking), typed: name)
        }
        return .seeOther("\(Self.path(of: record.connection.id))?done=album")
    }

    /// The album that was chosen before.
    private func chosen(_ record: AccountRecord) -> Album? {
        guard let settings = settings(of: record), let id = AccountChoice.album.text(in: settings) else { return nil }
        return Album(id: id, name: settings["album_name"]?.string ?? id)
    }

    // MARK: The page

    private func albumsPage(
        _ record: AccountRecord, _ caller: SignedInUser, problem: Phrase? = nil, typed: String = ""
    ) async throws -> HTTPResponse {
        let connection = record.connection
        let path = Self.path(of: connection.id)
        let chosen = chosen(record)
        var problem = problem
        var albums: [Album] = []
        do {
            guard let told = try await accounts.albums(of: connection.id, owner: caller.user.id) else {
                throw StoreError.notFound
            }
            albums = told
        } catch let error as SubmissionError {
            problem = problem ?? .albumsCannotBeRead(error.problem.whenAsking)
        }
        if let chosen, !albums.contains(where: { $0.id == chosen.id }) { albums.insert(chosen, at: 0) }
        let say = caller.language
        let choices = [choice("", say(.noAlbum(at: serviceName(connection.service))), chosen == nil)]
        let all = choices + albums.map { choice($0.id, $0.name, $0.id == chosen?.id) }
        let service = serviceName(connection.service)
        let createsAlbums = (registry[connection.service] as? any AlbumSubmitter)?.createsAlbums ?? true
        let name = HTML.field(
            say(.name), name: "name", "value=\"\(typed)\" required maxlength=\"200\" autocomplete=\"off\"")
        let form: HTML = """
            <h2>\(say(.newAlbum))</h2>
            <form class="form" method="post" action="\(path)/albums/new">
            \(caller.formInput)\(name)<button>\(say(.makeAlbum))</button>
            </form>

            """
        return settingsPage(
            Self.connectionsPath, caller, title: .albumsOf(connection.account),
            heading: .albumsHeading(connection.account), notice: problem.map(Notice.failed),
            status: problem == nil ? .ok : .unprocessableContent,
            """
            <form class="form" method="post" action="\(path)/albums">
            \(caller.formInput)<fieldset>
            <legend>\(say(.photosGoTo))</legend>
            \(HTML.join(all))</fieldset>
            <button>\(say(.choose))</button>
            </form>
            \(createsAlbums ? form : "<p>\(say(Phrase(Problem(.albumsMadeThere, ProblemParameters(service: service)))))</p>\n")\
            <p class="facts"><a href="\(path)">\(say(.backToAccount))</a></p>

            """)
    }

    private func choice(_ id: String, _ name: String, _ isChosen: Bool) -> HTML {
        let checked: HTML = isChosen ? " checked" : .nothing
        return """
            <label class="choice"><input type="radio" name="album" value="\(id)" required\(checked)> <span dir="auto">\(name)</span></label>

            """
    }
}

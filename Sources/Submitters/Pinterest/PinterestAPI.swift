internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of Pinterest's API v5 that Pics uses, for one account.
///
/// Source: pinterest/api-description at c05b189 (v5.23.0, 2025-12-11), `v5/openapi.yaml`; read 2026-11-26.
struct PinterestAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// A board that pins can go to.
    struct Board: Sendable, Equatable {
        let id: String
        let name: String
        /// The user name of its owner: of a group board that may be somebody else.
        let owner: String?

        /// Nil for what is no board, holds advertisements alone, or is secret, for which Pics asks no right.
        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string, isPinterestID(id), json["is_ads_only"]?.bool != true,
                json["privacy"]?.string != "SECRET"
            else { return nil }
            self.id = id
            name = json["name"]?.string ?? id
            owner = json["owner"]?["username"]?.string
        }

        func isOf(_ account: String) -> Bool { owner.map { $0.lowercased() == account.lowercased() } ?? true }
    }

    /// A pin as it is read back.
    struct Pin: Sendable, Equatable {
        let id: String
        let description: String
        /// Nil when it leads nowhere.
        let link: String?
        /// Nil when it is not told.
        let createdAt: Date?

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string, isPinterestID(id) else { return nil }
            self.id = id
            description = json["description"]?.string ?? ""
            link = json["link"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            // Live answers name no zone (pinterest/api-quickstart issue 78); it is UTC.
            createdAt = json["created_at"]?.string.flatMap { date(iso8601: $0) ?? date(iso8601: "\($0)Z") }
        }
    }

    // MARK: The account

    /// `GET /user_account`.
    func account() async throws(SubmissionError) -> (id: String, name: String, picture: String?) {
        let response = try await api.send(.get, "/v5/user_account")
        let json = try success(response)
        guard let name = json["username"]?.string, !name.isEmpty else { throw client.malformed(response) }
        return (json["id"]?.string ?? name, name, json["profile_image"]?.string)
    }

    // MARK: Boards

    /// In code points (specification of an earlier version; today's names none).
    static let longestBoardName = 180

    /// `GET /boards`: the account's own, and group boards that it takes part in; at most 2,500.
    func boards() async throws(SubmissionError) -> [Board] {
        var boards: [Board] = []
        var bookmark: String?
        for _ in 0..<Self.mostPagesOfBoards {
            let page = try await page("boards", of: 250, after: bookmark)
            boards += page.items.compactMap(Board.init)
            guard let next = page.bookmark else { break }
            bookmark = next
        }
        return boards
    }

    /// An account may have 2,000 boards.
    private static let mostPagesOfBoards = 10

    /// The board of a name that belongs to `account`, by the user name that it had when it was connected; made where there is none. Another's
    /// group board is not taken for it.
    func board(named name: String, of account: String) async throws(SubmissionError) -> Board {
        let namesakes = try await boards().filter { $0.name == name }
        if let own = namesakes.first(where: { $0.isOf(account) }) { return own }
        // User names change.
        if !namesakes.isEmpty {
            let today = try await self.account().name
            if let own = namesakes.first(where: { $0.isOf(today) }) { return own }
        }
        return try await createBoard(name)
    }

    /// `POST /boards`: one that everybody sees. A secret board of the same name, which Pics is not shown, is in its way.
    private func createBoard(_ name: String) async throws(SubmissionError) -> Board {
        let response = try await api.send(
            .post, "/v5/boards", json: ["name": .string(name), "privacy": "PUBLIC"])
        let words = response.status.isSuccess ? nil : response.looseJSON?["message"]?.string?.lowercased()
        if [400, 409].contains(response.status.code), words?.contains("already") == true {
            throw .rejected(client.problem(.nameTaken, response))
        }
        guard let board = Board(try success(response)) else { throw client.malformed(response) }
        return board
    }

    // MARK: Pins

    /// `POST /pins`: publishes; the pin's id.
    func create(
        _ body: [BodyPart], progress: @escaping @Sendable (_ sent: Int64) -> Void
    ) async throws(SubmissionError) -> String {
        let body = OutgoingBody.parts(body)
        let response = try await api.send(
            .post, "/v5/pins", fields: ["Content-Type": MediaType.json.description], body: body,
            timeout: ServiceClient.timeout(uploading: body.length ?? 0), .publishing,
            progress: { sent, _ in progress(sent) })
        guard let id = try success(response, .publishing)["id"]?.string, isPinterestID(id) else {
            throw client.malformed(response, .publishing)
        }
        return id
    }

    /// `GET /boards/{board}/pins`: 100 of them, those of its sections too, and the bookmark of the next; nil: there are no more.
    func pins(
        on board: String, after bookmark: String?
    ) async throws(SubmissionError) -> (pins: [Pin], bookmark: String?) {
        let page = try await page("boards/\(PercentEncoding.encode(board))/pins", of: 100, after: bookmark)
        return (page.items.compactMap(Pin.init), page.bookmark)
    }

    /// `PATCH /pins/{pin}`, which not all apps are let ("currently in beta and not available to all apps").
    func change(_ pin: String, _ words: JSONObject) async throws(SubmissionError) {
        let response = try await api.send(.patch, path(of: pin), json: .object(words))
        guard response.status != .forbidden else { throw .rejected(client.problem(.changeUnsupported, response)) }
        _ = try success(response)
    }

    /// `DELETE /pins/{pin}`; one that is not there is no error.
    func delete(_ pin: String) async throws(SubmissionError) {
        let response = try await api.send(.delete, path(of: pin))
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }

    /// `GET /pins/{pin}?pin_metrics=true`: what the pin has come to in its whole life. New pins have no counts yet.
    func counts(of pin: String) async throws(SubmissionError) -> Engagement {
        let json = try success(try await api.send(.get, "\(path(of: pin))?pin_metrics=true"))
        let metrics = json["pin_metrics"]?["lifetime_metrics"]
        let count = { (name: String) in metrics?[name]?.int.map { Int(clamping: max(0, $0)) } }
        return Engagement(likes: count("reaction"), comments: count("comment"), shares: count("save"))
    }

    private func path(of pin: String) -> String { "/v5/pins/\(PercentEncoding.encode(pin))" }

    // MARK: Pages

    private static let longestPage = 4 << 20
    /// In bytes.
    private static let longestBookmark = 4096

    /// One page of a list. A bookmark that leads nowhere new is no end of the list.
    private func page(
        _ path: String, of size: Int, after bookmark: String?
    ) async throws(SubmissionError) -> (items: [JSONValue], bookmark: String?) {
        var query: FormFields = ["page_size": String(size)]
        if let bookmark { query.add("bookmark", bookmark) }
        let response = try await api.send(.get, "/v5/\(path)?\(query.encoded)", maxResponseBytes: Self.longestPage)
        let json = try success(response)
        guard let items = json["items"]?.array else { throw client.malformed(response) }
        guard let next = json["bookmark"]?.string, !next.isEmpty else { return (items, nil) }
        guard next != bookmark, next.utf8.count <= Self.longestBookmark else { throw client.malformed(response) }
        return (items, next)
    }
}

/// Whether a text is an id of Pinterest's: digits (`^\d+$`), as many as any number that it has given, and more.
func isPinterestID(_ text: String) -> Bool {
    1...32 ~= text.utf8.count && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
}

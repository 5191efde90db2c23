internal import Actions
internal import Authentication
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store
internal import Submitters

/// `GET /micropub` (section 3.7).
extension AppHandlers {
    private static let queries = [
        "config", "source", "syndicate-to", "category", "contact", "post-types", "media-endpoint",
    ]

    func queryMicropub(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answeringMicropub {
            guard let caller = try await self.micropubCaller(byHeaderOf: request) else {
                throw AuthenticationError.missing
            }
            let query = request.query
            let members: JSONObject
            switch query["q"] {
            case "config": members = try await self.configuration(for: caller.user)
            case "syndicate-to": members = ["syndicate-to": JSONValue(try await self.syndication(of: caller.user))]
            case "post-types": members = ["post-types": Self.postTypes]
            case "media-endpoint": members = ["media-endpoint": .string(self.mediaEndpoint)]
            case "category": members = ["categories": JSONValue(try await self.categories(query["filter"], caller))]
            case "contact": members = ["contacts": []]
            case "source": members = try await self.source(query, caller)
            default:
                throw InvalidField.invalid("#/q", "There are \(Self.queries.joined(separator: ", ")).")
            }
            return .json(.object(members), fields: ["Cache-Control": "private, no-cache"])
        }
    }

    private var mediaEndpoint: String { addresses.base + Self.mediaPath }

    private func configuration(for user: User) async throws -> JSONObject {
        [
            "media-endpoint": .string(mediaEndpoint),
            "syndicate-to": JSONValue(try await syndication(of: user)),
            "q": JSONValue(Self.queries),
            "post-types": Self.postTypes,
            "visibility": JSONValue(Visibility.allCases.map(\.rawValue)),
            "destination": [["uid": .string(profileURL(of: user.name)), "name": .string(user.name)]],
        ]
    }

    private static let postTypes: JSONValue = {
        let properties: JSONValue = [
            "content", "name", "category", "published", "location", "visibility", "post-status", "mp-syndicate-to",
            "mp-photo-alt",
        ]
        func type(_ word: String, _ name: String) -> JSONValue {
            ["type": .string(word), "name": .string(name), "properties": properties]
        }
        return [type("photo", "Photo"), type("video", "Video")]
    }()

    /// The accounts that a post may go to; those that it goes to when none is named are checked.
    private func syndication(of user: User) async throws -> [JSONValue] {
        try await store.connections(of: user.id).compactMap { record in
            let account = record.connection
            guard let service = registry[account.service]?.description, !service.isOrdered else { return nil }
            let settings = try JSONValue(parsing: Array(record.settings.utf8))
            return [
                "uid": .string(account.id.description), "name": .string("\(service.name): \(account.account)"),
                "service": ["name": .string(service.name)], "user": ["name": .string(account.account)],
                "checked": .bool(AccountChoice.enabled.flag(in: settings)),
            ]
        }
    }

    /// Whether the caller's app may see what the user has posted.
    ///
    /// - Throws: `AuthenticationError.insufficientScope`.
    func demandReading(_ caller: MicropubCaller) throws(AuthenticationError) {
        try caller.demand(anyOf: .readPhotos, .editPhotos)
    }

    // MARK: Categories

    private static let searchedPhotos = 100

    /// The hashtags of the newest photos, the most used ones first; of public ones for an app that may not see the others.
    private func categories(_ filter: String?, _ caller: MicropubCaller) async throws -> [String] {
        let seesAll = caller.caller.may(.readPhotos) || caller.caller.may(.editPhotos)
        var uses: [String: (tag: String, count: Int)] = [:]
        for view in try await store.photos(of: caller.user.id, before: nil, limit: Self.searchedPhotos)
        where seesAll || view.photo.visibility == .public {
            for tag in CategorizedCaption(view.photo.caption).categories {
                uses[tag.lowercased(), default: (tag, 0)].count += 1
            }
        }
        let tags = uses.values.sorted { ($1.count, $0.tag) < ($0.count, $1.tag) }.map(\.tag)
        guard let filter = filter?.lowercased(), !filter.isEmpty else { return tags }
        return tags.filter { $0.lowercased().contains(filter) }
    }

    // MARK: Source

    private static let longestPage = 50
    private static let furthest = 1000

    private func source(_ query: FormFields, _ caller: MicropubCaller) async throws -> JSONObject {
        try demandReading(caller)
        guard let address = query["url"] else {
            return ["items": JSONValue(try await recentPosts(query, caller.user))]
        }
        let photo = try await ownPost(at: address, caller.user)
        var properties = try await properties(of: photo)
        let places = try await store.submissions(of: photo.id).compactMap(\.remoteURL)
        if !places.isEmpty { properties["syndication"] = JSONValue(places) }
        let wanted = query.pairs.filter { MicropubBody.property($0.name) == "properties" }.map(\.value)
        guard !wanted.isEmpty else { return ["type": ["h-entry"], "properties": .object(properties)] }
        return [
            "properties": .object(
                JSONObject(properties.filter { wanted.contains($0.name) }.map { ($0.name, $0.value) }))
        ]
    }

    /// The user's posts, newest first.
    private func recentPosts(_ query: FormFields, _ user: User) async throws -> [JSONValue] {
        let limit = try Self.number(query, "limit", in: 1...Self.longestPage) ?? 20
        let offset = try Self.number(query, "offset", in: 0...Self.furthest) ?? 0
        let isDraft = try query["post-status"].map { try Self.isDraft($0) }
        var filter = PhotoFilter()
        if isDraft == true { filter.state = .draft }
        var found: [Photo] = []
        var last: PhotoID?
        repeat {
            let page = try await store.photos(of: user.id, filter, before: last, limit: 100).map(\.photo)
            found += page.filter { isDraft != false || $0.plan == nil }
            last = page.count < 100 ? nil : page.last?.id
        } while last != nil && found.count < offset + limit
        var items: [JSONValue] = []
        for photo in found.dropFirst(offset).prefix(limit) {
            items.append(["type": ["h-entry"], "properties": .object(try await properties(of: photo))])
        }
        return items
    }

    /// A number of a query.
    ///
    /// - Throws: `InvalidField` for one out of bounds.
    static func number(_ query: FormFields, _ name: String, in range: ClosedRange<Int>) throws(InvalidField) -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .invalid("#/\(name)", "It must be \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A post in Microformats 2. Where it was taken is not told: apps get no places.
    private func properties(of photo: Photo) async throws -> JSONObject {
        let caption = CategorizedCaption(photo.caption)
        var properties: JSONObject = ["url": [.string(addresses.shortURL(photo.code))]]
        if !caption.words.isEmpty { properties["content"] = [.string(caption.words)] }
        if !caption.categories.isEmpty { properties["category"] = JSONValue(caption.categories) }
        if photo.kind == .video {
            properties["video"] = JSONValue([address(of: photo)].compactMap(\.self))
        } else if photo.hasPicture {
            let parts = photo.companions.isEmpty ? [] : try await store.companions(of: photo)
            properties["photo"] = JSONValue(
                ([photo] + parts.filter { $0.partOf == photo.id }).compactMap { one in
                    address(of: one).map { address in
                        one.altText.isEmpty
                            ? .string(address) : ["value": .string(address), "alt": .string(one.altText)]
                    }
                })
        }
        properties["published"] = [
            .string(Timestamp(photo.publishedAt ?? photo.plan?.publishAt ?? photo.createdAt).description)
        ]
        if let editedAt = photo.editedAt { properties["updated"] = [.string(Timestamp(editedAt).description)] }
        properties["visibility"] = [.string((photo.plan?.visibility ?? photo.visibility).rawValue)]
        properties["post-status"] = [photo.isDraft ? "draft" : "published"]
        return properties
    }

    /// The address of a photo's or video's public file.
    func address(of photo: Photo) -> String? {
        photo.publicPath(.large).map { addresses.base + $0 }
    }
}

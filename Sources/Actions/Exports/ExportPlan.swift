internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters

/// Everything that goes into an export, written down before its first byte is sent: the texts, and which files. What is
/// kept in memory does not grow with the photos.
struct ExportPlan {
    /// The texts, with their names.
    private(set) var texts: [(name: String, text: ExportText)] = []
    /// A record for each file.
    private(set) var files: ExportText
    private(set) var layout = ZipLayout()
    let made: Date

    private static let pageLength = 100

    /// Reads everything that a user owns.
    init(of user: User, _ exports: Exports) async throws {
        made = Date()
        files = ExportText(try await exports.spool())
        let fileList = try await writePhotos(of: user, exports)
        try await writeLikes(of: user, exports)
        try await writeVisits(of: user, exports)
        try await writeAlbums(of: user, exports)
        try await writePostcards(of: user, exports)
        try await writeUser(user, exports)
        // The texts come first: who only wants those need not wait for the rest.
        var files = ZipLayout()
        for (name, text) in texts {
            files.add(ZipEntry(name: name, size: text.size, modified: made, checksum: 0))
        }
        layout = files
        for index in 0..<fileList { layout.add(try await file(index).entry(checksum: 0)) }
    }

    /// How many files there are.
    var fileCount: Int { Int(files.size) / ExportFile.recordLength }

    /// A file by its place.
    func file(_ index: Int) async throws -> ExportFile {
        let record = try await files.file.read(
            at: Int64(index * ExportFile.recordLength), ExportFile.recordLength)
        guard let file = ExportFile(record: record) else { throw SpoolFile.Failure("an export's list is short") }
        return file
    }

    // MARK: Texts

    private mutating func writePhotos(of user: User, _ exports: Exports) async throws -> Int {
        var text = ExportText(try await exports.spool())
        var last: PhotoID?
        var isFirst = true
        try await text.write("[".utf8)
        while true {
            let views = try await exports.store.photos(
                of: user.id, before: last, limit: Self.pageLength, withParts: true)
            guard let oldest = views.last else { break }
            let submissions = try await exports.store.submissions(of: views.map(\.photo.id))
            let strangers = try await exports.store.visitorLikes(of: views.map(\.photo.id))
            for view in views {
                let file = ExportFile(view.photo)
                // What is damaged is said to be missing; the rest is worth having.
                let bytes = try await exports.blobs.size(of: view.photo.blob.digest)
                let isThere = view.photo.hasPicture && bytes == view.photo.bytes
                if isThere { try await files.write(file.record) }
                try await text.write((isFirst ? "\n" : ",\n").utf8)
                try await text.write(
                    ExportPhoto(
                        view: view, submissions: submissions[view.photo.id] ?? [], file: isThere ? file.name : nil,
                        shortURL: exports.addresses.shortURL(view.photo.code),
                        visitorLikes: strangers[view.photo.id] ?? 0
                    ).json())
                isFirst = false
            }
            last = oldest.photo.id
        }
        try await text.write("\n]\n".utf8)
        try await text.flush()
        try await files.flush()
        texts.append(("photos.json", text))
        return fileCount
    }

    private mutating func writeLikes(of user: User, _ exports: Exports) async throws {
        for (name, isGiven) in [("likes-given.json", true), ("likes-received.json", false)] {
            try await write(
                name, exports,
                { (last: ExportLike?) in
                    try await exports.store.likes(
                        givenBy: isGiven ? user.id : nil, toPhotosOf: isGiven ? nil : user.id, after: last, limit: 1000)
                }
            ) { json, like in
                json.member("short_url", exports.addresses.shortURL(like.code))
                if !isGiven { json.member("user", like.name) }
                json.member("at", like.likedAt)
            }
        }
    }

    private mutating func writeVisits(of user: User, _ exports: Exports) async throws {
        try await write(
            "visits.json", exports,
            { (last: ExportVisits?) in
                try await exports.store.visits(toPhotosOf: user.id, after: last, limit: 1000)
            }
        ) { json, visits in
            json.member("short_url", exports.addresses.shortURL(visits.code))
            // Null has all days that are too long ago to be told apart.
            json.member("day", visits.day)
            json.member("people", visits.count.people)
            json.member("bots", visits.count.bots)
        }
    }

    private mutating func writeAlbums(of user: User, _ exports: Exports) async throws {
        try await write(
            "albums.json", exports,
            { (last: PhotoAlbum?) in
                let names = try await exports.store.albums(of: user.id, after: last?.name, limit: 1000)
                let said = try await exports.store.albums(names, of: user.id)
                return names.map { said[$0] ?? PhotoAlbum(name: $0) }
            }
        ) { json, album in
            json.member("name", album.name)
            if let about = album.about { json.member("about", about) }
            if let cover = album.cover { json.member("cover", cover.description) }
            json.member("order", album.order.rawValue)
        }
    }

    /// Cards that were ordered, without the people whom they were for: their addresses leave with the cards alone.
    private mutating func writePostcards(of user: User, _ exports: Exports) async throws {
        try await write(
            "postcards.json", exports,
            { (last: Postcard?) in
                try await exports.store.postcards(of: user.id, after: last?.id, limit: 1000).map(\.postcard)
            }
        ) { json, postcard in
            json.member("short_url", exports.addresses.shortURL(postcard.code))
            json.member("service", postcard.service)
            json.member("account", postcard.account)
            json.member("product", postcard.format)
            json.member(
                "price",
                PrintPrice(minorUnits: postcard.priceMinor, currency: postcard.priceCurrency).description)
            json.member("test", postcard.isSandbox)
            json.member("state", postcard.state.rawValue)
            json.member("created_at", postcard.createdAt)
        }
    }

    /// Writes a list that is read page by page.
    private mutating func write<Item>(
        _ name: String, _ exports: Exports, _ read: (_ last: Item?) async throws -> [Item],
        _ members: (inout JSONWriter, Item) -> Void
    ) async throws {
        var text = ExportText(try await exports.spool())
        var last: Item?
        try await text.write("[".utf8)
        while true {
            let items = try await read(last)
            guard let newest = items.last else { break }
            for (index, item) in items.enumerated() {
                try await text.write((last == nil && index == 0 ? "\n" : ",\n").utf8)
                try await text.write(JSONWriter.text(capacity: 256) { $0.object { members(&$0, item) } })
            }
            last = newest
        }
        try await text.write("\n]\n".utf8)
        try await text.flush()
        texts.append((name, text))
    }

    private mutating func writeUser(_ user: User, _ exports: Exports) async throws {
        let zone = try await exports.store.timeZone(of: user.id)
        let person = try await exports.store.person(user.id)
        let accounts = try await exports.store.connections(of: user.id)
        let webhooks = try await exports.store.webhooks(of: user.id)
        var text = ExportText(try await exports.spool())
        try await text.write(
            JSONWriter.text { json in
                json.object { json in
                    json.member("name", user.name)
                    json.member("display_name", person.profile.displayName)
                    json.member("about", person.profile.about)
                    json.member("links", JSONValue(person.profile.links))
                    json.member("picture", person.picture.map { exports.addresses.shortURL($0.code) })
                    json.member("created_at", user.createdAt)
                    json.member("time_zone", zone)
                    json.member("exported_at", made)
                    json.member("from", exports.addresses.base)
                    json.array("accounts", accounts) { json, record in
                        json.object { json in
                            json.member("service", record.connection.service)
                            json.member("account", record.connection.account)
                            json.member("state", record.connection.state.rawValue)
                        }
                    }
                    json.array("webhooks", webhooks) { json, webhook in
                        json.object { json in
                            json.member("url", webhook.url)
                            json.member("state", webhook.state.rawValue)
                            json.member("created_at", webhook.createdAt)
                        }
                    }
                }
            })
        try await text.write("\n".utf8)
        try await text.flush()
        texts.append(("user.json", text))
    }
}

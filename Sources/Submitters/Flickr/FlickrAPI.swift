internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The calls of Flickr's API that Pics uses, for one account.
///
/// Source: flickr.com/services/api, read 2026-11-21. Refusals come with status 200.
struct FlickrAPI: Sendable {
    let client: ServiceClient
    /// `https://api.flickr.com`.
    let origin: String
    /// `https://up.flickr.com`.
    let uploadOrigin: String
    let credentials: OAuth1
    /// Different at every call.
    let nonce: @Sendable () -> String
    let addresses: AddressPolicy

    /// The facts about a file that go with its upload.
    struct Item: Sendable {
        let title: String
        let description: String
        /// Machine tags that Pics finds the photo by.
        let tags: String
        let isPublic: Bool
        let isSensitive: Bool
    }

    /// The result of an upload.
    enum Uploaded: Sendable, Equatable {
        case photo(String)
        /// To be asked about.
        case ticket(String)
        /// The account has these bytes already, as this photo.
        case duplicate(String)
    }

    /// A ticket's state.
    enum Ticket: Sendable, Equatable {
        case working
        case photo(String)
        case failed
        case unknown
    }

    // MARK: The account

    /// `flickr.test.login`.
    func login() async throws(SubmissionError) -> (id: String, name: String) {
        let (response, json) = try await call("flickr.test.login")
        guard let id = json["user"]?["id"]?.string, let name = Self.content(json["user"]?["username"]) else {
            throw client.malformed(response)
        }
        return (id, name)
    }

    /// The buddy icon of `flickr.people.getInfo` (flickr.com/services/api, "Buddyicons"); nil for an account that has the standard one.
    func picture(of nsid: String) async throws(SubmissionError) -> String? {
        let (response, json) = try await call("flickr.people.getInfo", ["user_id": nsid])
        guard let person = json["person"] else { throw client.malformed(response) }
        return Self.icon(of: person, nsid: nsid)
    }

    /// The address of the buddy icon that an answer names by `iconserver` and `iconfarm`.
    static func icon(of person: JSONValue, nsid: String) -> String? {
        let number = { (name: String) in person[name]?.int ?? person[name]?.string.flatMap { Int64($0) } ?? 0 }
        let (server, farm) = (number("iconserver"), number("iconfarm"))
        guard server > 0, farm > 0 else { return nil }
        return "https://farm\(farm).staticflickr.com/\(server)/buddyicons/\(PercentEncoding.encode(nsid)).jpg"
    }

    // MARK: Photos

    /// Sends a file. All fields but the file are signed, against the rule for multipart bodies.
    func upload(
        _ file: OutgoingFile, name: String, _ item: Item, waits: Bool, refusesTwice: Bool,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> Uploaded {
        var fields: FormFields = [
            "title": item.title, "description": item.description, "tags": item.tags,
            "is_public": item.isPublic ? "1" : "0", "safety_level": item.isSensitive ? "2" : "1", "content_type": "1",
            "async": waits ? "0" : "1",
        ]
        if refusesTwice { fields.add("dedup_check", "1") }
        var form = MultipartForm()
        for pair in fields.pairs { form.add(pair.name, pair.value) }
        form.add(
            "photo", filename: "\(name).\(file.fileExtension)", mediaType: MediaType(file.mediaType) ?? .octetStream,
            file.whole)
        let url = "\(uploadOrigin)/services/upload/"
        let response = try await client.response(
            to: OutgoingRequest(
                method: .post, url: url,
                fields: [
                    "Authorization": authorization(.post, url, fields), "Content-Type": form.mediaType.description,
                ], body: form.body, timeout: ServiceClient.timeout(uploading: file.bytes), addressPolicy: addresses,
                progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) }), .publishing)
        return try uploaded(response)
    }

    private func uploaded(_ response: IncomingResponse) throws(SubmissionError) -> Uploaded {
        guard response.status.isSuccess else { throw client.failure(response, .publishing) }
        guard let root = XMLElement(parsing: response.body), root.name == "rsp" else {
            throw client.malformed(response, .publishing)
        }
        if root.attributes["stat"] == "ok" {
            if let id = root["photoid"]?.value { return .photo(id) }
            if let id = root["ticketid"]?.value { return .ticket(id) }
        } else if let error = root["err"], let code = error.attributes["code"].flatMap({ Int($0) }) {
            if code == 9, let id = error["duplicate_photo_id"]?.value ?? root["duplicate_photo_id"]?.value {
                return .duplicate(id)
            }
            throw uploadFailure(code, response, pause: root["non_pro_desktop_upload_wait_time"]?.value)
        }
        throw client.malformed(response, .publishing)
    }

    /// `flickr.photos.upload.checkTickets`.
    func ticket(_ id: String) async throws(SubmissionError) -> Ticket {
        let (response, json) = try await call("flickr.photos.upload.checkTickets", ["tickets": id])
        guard let ticket = json["uploader"]?["ticket"]?[0] else { throw client.malformed(response) }
        if ticket["invalid"]?.int == 1 { return .unknown }
        switch ticket["complete"]?.int ?? ticket["complete"]?.string.flatMap({ Int64($0) }) {
        case 0: return .working
        case 1:
            guard let photo = ticket["photoid"]?.string else { throw client.malformed(response) }
            return .photo(photo)
        default: return .failed
        }
    }

    /// `flickr.people.getPhotos`: the photo with a machine tag among those uploaded since a time; nil when there is
    /// none.
    func photo(tagged tag: String, since start: Date) async throws(SubmissionError) -> String? {
        let (response, json) = try await call(
            "flickr.people.getPhotos",
            [
                "user_id": "me", "min_upload_date": String(Int64(start.timeIntervalSince1970)),
                "extras": "machine_tags", "per_page": "500",
            ])
        guard let photos = json["photos"]?["photo"]?.array else { throw client.malformed(response) }
        let found = photos.first { photo in
            photo["machine_tags"]?.string?.split(separator: " ").contains { $0 == tag.lowercased() } == true
        }
        return found?["id"]?.string
    }

    /// `flickr.photos.geo.setLocation`.
    func setPosition(_ latitude: Double, _ longitude: Double, of photo: String) async throws(SubmissionError) {
        _ = try await call(
            "flickr.photos.geo.setLocation",
            ["photo_id": photo, "lat": String(latitude), "lon": String(longitude), "accuracy": "16"], .post)
    }

    /// `flickr.photos.delete`; one that is not there is no error.
    func delete(_ photo: String) async throws(SubmissionError) {
        try await ignoring([1]) { () throws(SubmissionError) in
            _ = try await call("flickr.photos.delete", ["photo_id": photo], .post)
        }
    }

    /// `flickr.photos.getFavorites` and `flickr.photos.getInfo`.
    func counts(of photo: String) async throws(SubmissionError) -> Engagement {
        let (_, info) = try await call("flickr.photos.getInfo", ["photo_id": photo])
        let (_, favourites) = try await call("flickr.photos.getFavorites", ["photo_id": photo, "per_page": "1"])
        let number = { (json: JSONValue?) in json?.int.map { Int(clamping: $0) } ?? json?.string.flatMap { Int($0) } }
        return Engagement(
            likes: number(favourites["photo"]?["total"]),
            comments: Self.content(info["photo"]?["comments"]).flatMap { Int($0) })
    }

    // MARK: Photosets

    /// `flickr.photosets.getList`.
    func photosets() async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        for page in 1...2 {
            let (response, json) = try await call(
                "flickr.photosets.getList", ["per_page": "500", "page": String(page)])
            guard let sets = json["photosets"]?["photoset"]?.array else { throw client.malformed(response) }
            for set in sets {
                guard let id = set["id"]?.string else { throw client.malformed(response) }
                albums.append(Album(id: id, name: Self.content(set["title"]) ?? ""))
            }
            if sets.count < 500 { break }
        }
        return albums
    }

    /// `flickr.photosets.create`: a photoset cannot be empty.
    func createPhotoset(_ title: String, showing photo: String) async throws(SubmissionError) {
        _ = try await call("flickr.photosets.create", ["title": title, "primary_photo_id": photo], .post)
    }

    /// `flickr.photosets.addPhoto`; one that is in it already is no error.
    func add(_ photo: String, to photoset: String) async throws(SubmissionError) {
        try await ignoring([3]) { () throws(SubmissionError) in
            _ = try await call("flickr.photosets.addPhoto", ["photoset_id": photoset, "photo_id": photo], .post)
        }
    }

    // MARK: Groups

    /// `flickr.people.getGroups`: those that an account is a member of, by NSID.
    func groups(of user: String) async throws(SubmissionError) -> [Album] {
        let (response, json) = try await call("flickr.people.getGroups", ["user_id": user])
        guard let groups = json["groups"]?["group"]?.array else { throw client.malformed(response) }
        return groups.compactMap { group in
            group["nsid"]?.string.map { Album(id: $0, name: Self.content(group["name"]) ?? $0) }
        }
    }

    /// `flickr.groups.pools.add`; in the pool already, or in the queue of its moderators, is no error.
    func add(_ photo: String, toGroup group: String) async throws(SubmissionError) {
        try await ignoring([3, 6, 7]) { () throws(SubmissionError) in
            _ = try await call("flickr.groups.pools.add", ["group_id": group, "photo_id": photo], .post)
        }
    }

    // MARK: Sending

    func call(
        _ method: String, _ parameters: FormFields = [:], _ verb: HTTPMethod = .get, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> (IncomingResponse, JSONValue) {
        var form: FormFields = ["method": method, "format": "json", "nojsoncallback": "1"]
        for pair in parameters.pairs { form.add(pair.name, pair.value) }
        let isGet = verb == .get
        let url = "\(origin)/services/rest/" + (isGet ? "?\(form.encoded)" : "")
        var fields: HTTPFields = ["Authorization": authorization(verb, url, isGet ? [:] : form)]
        if !isGet { fields.add("Content-Type", MediaType.form.description) }
        let response = try await client.response(
            to: OutgoingRequest(
                method: verb, url: url, fields: fields, body: isGet ? .none : .bytes(Array(form.encoded.utf8)),
                timeout: ServiceClient.timeout, addressPolicy: addresses), role)
        guard response.status.isSuccess else { throw client.failure(response, role) }
        let json = try client.json(response, role)
        guard json["stat"]?.string == "ok" else {
            guard let code = json["code"]?.int else { throw client.malformed(response, role) }
            throw failure(Int(clamping: code), response)
        }
        return (response, json)
    }

    private func authorization(_ method: HTTPMethod, _ url: String, _ form: FormFields) -> String {
        credentials.authorization(
            for: method, url, form: form, nonce: nonce(), timestamp: Int64(client.now().timeIntervalSince1970))
    }

    /// Texts sit in a member of their own.
    static func content(_ json: JSONValue?) -> String? {
        json?["_content"]?.string ?? json?["_content"]?.int.map { String($0) } ?? json?.string
    }
}

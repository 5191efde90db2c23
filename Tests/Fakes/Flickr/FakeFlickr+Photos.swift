internal import Crypto
internal import Foundation
internal import HTTP
internal import System

extension FakeFlickr {
    private func xml(_ inner: String, isOK: Bool = true) -> FakeAnswer {
        FakeAnswer(
            .ok, fields: ["Content-Type": "text/xml"],
            body: Array(
                "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<rsp stat=\"\(isOK ? "ok" : "fail")\">\n\(inner)\n</rsp>"
                    .utf8
            ))
    }

    private func failure(_ code: Int, _ inner: String = "") -> FakeAnswer {
        xml("<err code=\"\(code)\" msg=\"No.\" />\(inner)", isOK: false)
    }

    /// The upload: all fields but the photo are signed.
    func upload(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let form = request.form, let file = form["photo"], file.filename != nil else { return failure(2) }
        let fields = form.values.filter { $0.filename == nil }.map { ($0.name, $0.text) }
        guard oauth.holds(request, signedFields: fields) else { return failure(96) }
        guard !file.bytes.isEmpty else { return failure(4) }
        let text = { (name: String) in form[name]?.text ?? "" }
        let sha256 = SHA256Digest(of: file.bytes).hex
        return state.withLock { state in
            let there = state.photos.first { $0.post.media.first?.sha256 == sha256 }
            if let there, text("dedup_check") == "1" {
                return failure(9, "<duplicate_photo_id>\(there.id)</duplicate_photo_id>")
            }
            let id = state.nextID()
            let media = PublishedMedia(
                sha256: sha256, bytes: file.bytes.count, mediaType: file.mediaType ?? "", altText: "")
            let caption = text("description").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
            let post = PublishedPost(
                id: id, url: "https://www.flickr.com/photos/\(Self.account)/\(id)/", text: caption, media: [media],
                createdAt: now())
            let tags = text("tags").split(separator: " ").map(String.init)
            let photo = Photo(id: id, post: post, tags: tags, isPublic: text("is_public") == "1")
            guard text("async") == "1" else {
                state.photos.append(photo)
                return xml("<photoid>\(id)</photoid>")
            }
            if !options.failsProcessing { state.photos.append(photo) }
            state.tickets["\(id)-72157"] = Ticket(photo: id, looksLeft: options.ticketLooks)
            return xml("<ticketid>\(id)-72157</ticketid>")
        }
    }

    func ticket(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        let id = form["tickets"] ?? ""
        var entity: JSONObject = ["id": .string(id)]
        if let ticket = state.tickets[id] {
            if ticket.looksLeft > 0 {
                state.tickets[id]?.looksLeft -= 1
                entity["complete"] = 0
            } else {
                entity["complete"] = options.failsProcessing ? 2 : 1
                if !options.failsProcessing { entity["photoid"] = .string(ticket.photo) }
            }
        } else {
            entity["invalid"] = 1
        }
        return ok(["uploader": ["ticket": [.object(entity)]]])
    }

    func photos(_ form: FormFields, _ state: State) -> FakeAnswer {
        let start = Date(timeIntervalSince1970: form["min_upload_date"].flatMap(Double.init) ?? 0)
        let newest = now() - options.listDelay
        let photos = state.photos.reversed().filter { start <= $0.post.createdAt && $0.post.createdAt <= newest }
        let entities = photos.map { photo -> JSONValue in
            var entity: JSONObject = ["id": .string(photo.id), "title": .string(photo.post.text)]
            if form["extras"]?.contains("machine_tags") == true {
                entity["machine_tags"] = .string(photo.tags.joined(separator: " ").lowercased())
            }
            return .object(entity)
        }
        return ok(["photos": ["page": 1, "photo": JSONValue(entities)]])
    }

    func find(_ form: FormFields, _ state: State) -> Int? {
        state.photos.firstIndex { $0.id == form["photo_id"] }
    }

    func setLocation(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let index = find(form, state), let latitude = form["lat"], let longitude = form["lon"] else {
            return error(1)
        }
        state.photos[index].position = "\(latitude) \(longitude)"
        return ok()
    }

    func delete(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let index = find(form, state) else { return error(1, "Photo not found") }
        state.photos.remove(at: index)
        return ok()
    }

    func sets(_ form: FormFields, _ state: State) -> FakeAnswer {
        let sets = state.sets.map { set -> JSONValue in
            ["id": .string(set.id), "title": ["_content": .string(set.title)], "photos": JSONValue(set.photos.count)]
        }
        return ok(["photosets": ["photoset": JSONValue(sets)]])
    }

    func createSet(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let title = form["title"], !title.isEmpty else { return error(1) }
        guard let photo = form["primary_photo_id"], state.photos.contains(where: { $0.id == photo }) else {
            return error(2)
        }
        let set = Photoset(id: state.nextID(), title: title, photos: [photo])
        state.sets.append(set)
        return ok(["photoset": ["id": .string(set.id)]])
    }

    func add(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let index = state.sets.firstIndex(where: { $0.id == form["photoset_id"] }) else { return error(1) }
        guard let photo = form["photo_id"], state.photos.contains(where: { $0.id == photo }) else { return error(2) }
        guard !state.sets[index].photos.contains(photo) else { return error(3) }
        state.sets[index].photos.append(photo)
        return ok()
    }

    func groups(_ form: FormFields, _ state: State) -> FakeAnswer {
        guard form["user_id"] == Self.account else { return error(1, "User not found") }
        let groups = state.groups.map { group -> JSONValue in
            ["nsid": .string(group.id), "name": .string(group.title), "admin": 0]
        }
        return ok(["groups": ["group": JSONValue(groups)]])
    }

    func offer(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let photo = form["photo_id"], state.photos.contains(where: { $0.id == photo }) else { return error(1) }
        guard let index = state.groups.firstIndex(where: { $0.id == form["group_id"] }) else { return error(2) }
        let isModerated = index == 0
        guard !state.groups[index].photos.contains(photo) else { return error(isModerated ? 7 : 3) }
        state.groups[index].photos.append(photo)
        return isModerated ? error(6) : ok()
    }
}

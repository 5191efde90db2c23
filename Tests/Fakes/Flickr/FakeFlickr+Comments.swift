internal import Foundation
internal import HTTP
internal import System

// Comments and favourites, as flickr.com/services/api describes them (read 2026-11-26). A comment that is sent twice is there twice.
extension FakeFlickr {
    func favourites(_ form: FormFields, _ state: State) -> FakeAnswer {
        guard let photo = find(form, state).map({ state.photos[$0] }) else { return error(1) }
        let people = conversation.state.withLock { $0.likes[photo.id] }
        guard let people else { return ok(["photo": ["total": "5", "pages": 1, "person": []]]) }
        let size = min(form["per_page"].flatMap { Int($0) } ?? 10, 50)
        let page = form["page"].flatMap { Int($0) } ?? 1
        let shown = people.dropFirst((page - 1) * size).prefix(size).map { name -> JSONValue in
            [
                "nsid": .string("\(name)@N00"), "username": .string(name.capitalized), "realname": "",
                "favedate": "1790000000",
            ]
        }
        return ok([
            "photo": [
                "total": .string(String(people.count)), "pages": JSONValue((people.count + size - 1) / size),
                "page": JSONValue(page), "person": JSONValue(shown),
            ]
        ])
    }

    /// The newest 50; there are no pages.
    func contactsPhotos(_ form: FormFields) -> FakeAnswer {
        let count = min(form["count"].flatMap { Int($0) } ?? 10, 50)
        let photos = conversation.state.withLock { $0.home }.reversed().prefix(count).map { said -> JSONValue in
            [
                "id": .string(said.id), "owner": .string("\(said.person)@N00"), "username": .string(said.person),
                "ownername": .string(said.person.capitalized), "title": .string(said.text), "iconserver": "0",
                "description": ["_content": ""], "iconfarm": 0,
                "dateupload": .string(String(Int(said.at.timeIntervalSince1970))),
                "url_m": .string(said.picture ?? "https://far.test/m.jpg"), "width_m": "500", "height_m": "333",
            ]
        }
        return ok(["photos": ["total": .string(String(photos.count)), "photo": JSONValue(Array(photos))]])
    }

    func setFavourite(_ form: FormFields, to isWanted: Bool) -> FakeAnswer {
        guard let photo = form["photo_id"], conversation.found(photo) != nil else { return error(1) }
        return conversation.state.withLock { state in
            let isThere = state.favourites.contains(photo)
            if isThere == isWanted { return error(isWanted ? 3 : 1) }
            if isWanted { state.favourites.append(photo) } else { state.favourites.removeAll { $0 == photo } }
            return ok()
        }
    }

    func comments(_ form: FormFields, _ state: State) -> FakeAnswer {
        guard let photo = find(form, state).map({ state.photos[$0] }) else { return error(1) }
        let others = conversation.state.withLock { $0.said }.map { said -> JSONValue in
            comment(said.id, "\(said.person)@N00", said.person.capitalized, said.text, said.at)
        }
        let own = state.comments.filter { $0.photo == photo.id }.map {
            comment($0.id, Self.account, "alice", $0.text, $0.at)
        }
        return ok(["comments": ["photo_id": .string(photo.id), "comment": JSONValue(others + own)]])
    }

    private func comment(_ id: String, _ nsid: String, _ name: String, _ text: String, _ at: Date) -> JSONValue {
        [
            "id": .string(id), "author": .string(nsid), "authorname": .string(name), "realname": "", "iconserver": "0",
            "iconfarm": 0, "datecreate": .string(String(Int(at.timeIntervalSince1970))),
            "permalink": .string("https://www.flickr.com/photos/alice/1/#comment\(id)"), "_content": .string(text),
        ]
    }

    func addComment(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let photo = find(form, state).map({ state.photos[$0] }) else { return error(1) }
        guard let text = form["comment_text"], !text.isEmpty else { return error(8) }
        let id = "6065-\(photo.id)-\(state.nextID())"
        state.comments.append(Comment(id: id, photo: photo.id, text: text, at: now()))
        return ok(["comment": ["id": .string(id), "permalink": "https://www.flickr.com/photos/alice/1/"]])
    }

    func deleteComment(_ form: FormFields, _ state: inout State) -> FakeAnswer {
        guard let index = state.comments.firstIndex(where: { $0.id == form["comment_id"] }) else { return error(2) }
        state.comments.remove(at: index)
        return ok()
    }
}

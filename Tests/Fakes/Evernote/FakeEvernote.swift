internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Evernote's EDAM 1.28 with one account, as its Thrift files describe it (read 2026-11-21). It refuses with status
/// 200.
package final class FakeEvernote: FakeService {
    /// Ends far in the future.
    package static let token = "S=s1:U=1:E=fffffffffff:C=1:P=1:A=pics:V=2:H=0"

    private struct Note {
        let post: PublishedPost
        let content: String
        let notebook: String
        let marker: String
        let latitude: Double?
        let longitude: Double?
        /// When it was made according to its client, in milliseconds.
        let created: Int64
        /// When it was changed last, in milliseconds.
        let updated: Int64
    }

    private struct State {
        var notes: [Note] = []
        var notebooks: [(guid: String, name: String)] = [("00000000-0000-0000-0000-000000000001", "Notes")]
        var count = 0
        var isRevoked = false
        var refusal: (code: Int, parameter: String)?
    }

    private let listDelay: TimeInterval
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts with one notebook. A new note is missing from lists for `listDelay` seconds.
    package init(listDelay: TimeInterval = 0, now: @escaping @Sendable () -> Date = { Date() }) {
        self.listDelay = listDelay
        self.now = now
    }

    package var effects: [PublishedPost] { state.withLock { $0.notes.map(\.post) } }

    /// In which notebooks the notes are, and how far north.
    package var places: [String] {
        state.withLock { $0.notes.map { "\($0.notebook) \($0.latitude.map { String($0) } ?? "")" } }
    }

    package var albumNames: [String] {
        state.withLock { state in
            state.notes.compactMap { note in state.notebooks.first { $0.guid == note.notebook }?.name }
        }
    }

    package var positions: [String] {
        state.withLock { state in
            state.notes.compactMap { note in
                note.latitude.flatMap { latitude in note.longitude.map { "\(latitude) \($0)" } }
            }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer { FakeAnswer(HTTPStatus(code: status)) }

    /// Makes the next call throw an `EDAMUserException` (`Errors.thrift`).
    package func refuse(_ code: Int, _ parameter: String) {
        state.withLock { $0.refusal = (code, parameter) }
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("POST /edam/user") { [self] request, _ in response(request) },
            FakeRoute("POST /shard/s1/notestore") { [self] request, _ in response(request) },
        ]
    }

    private func response(_ request: FakeRequest) -> FakeAnswer {
        guard request.contentType == "application/x-thrift", let (name, arguments) = FakeThrift.call(request.body)
        else {
            return refusal(400)
        }
        let (field, value): (Int16, FakeThrift) = state.withLock { state in
            // BAD_DATA_FORMAT of the parameter, as seen live (JackonYang/evernote2 issue 6).
            guard arguments[1]?.text == Self.token else {
                return (1, .fields([1: .i32(2), 2: .text("authenticationToken")]))
            }
            if let refusal = state.refusal {
                state.refusal = nil
                return (1, .fields([1: .i32(refusal.code), 2: .text(refusal.parameter)]))
            }
            guard !state.isRevoked else { return (1, .fields([1: .i32(9), 2: .text("authenticationToken")])) }
            return result(of: name, arguments, request.origin, &state)
        }
        return FakeAnswer(
            .ok, fields: ["Content-Type": "application/x-thrift"], body: FakeThrift.reply(name, field, value))
    }

    private func result(
        of name: String, _ arguments: FakeThrift, _ origin: String, _ state: inout State
    ) -> (Int16, FakeThrift) {
        switch name {
        case "getUser":
            // A field that is newer than the description comes along.
            return (
                0,
                .fields([
                    1: .i32(1), 2: .text("alice"), 14: .text("s1"), 22: .fields([3: .i64(26_214_400)]),
                    99: .list([.text("new")]),
                ])
            )
        case "getUserUrls": return (0, .fields([1: .text("\(origin)/shard/s1/notestore")]))
        case "listNotebooks":
            return (0, .list(state.notebooks.map { .fields([1: .text($0.guid), 2: .text($0.name)]) }))
        case "createNotebook":
            let name = arguments[2]?[2]?.text ?? ""
            guard !state.notebooks.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
                return (1, .fields([1: .i32(10), 2: .text("Notebook.name")]))
            }
            state.count += 1
            state.notebooks.append((Self.guid(state.count), name))
            return (0, .fields([1: .text(Self.guid(state.count)), 2: .text(name)]))
        case "createNote": return createNote(arguments, origin, &state)
        case "updateNote": return updateNote(arguments, &state)
        case "getNote":
            guard let note = state.notes.first(where: { $0.post.id == arguments[2]?.text }) else { return missing }
            return (0, .fields([1: .text(note.post.id), 3: .text(note.content)]))
        case "deleteNote":
            guard let index = state.notes.firstIndex(where: { $0.post.id == arguments[2]?.text }) else {
                return missing
            }
            state.notes.remove(at: index)
            return (0, .i32(7))
        case "findNotesMetadata":
            return findNotes(arguments, state)
        case "revokeLongSession":
            state.isRevoked = true
            return (0, .fields([:]))
        default: return (1, .fields([1: .i32(17)]))
        }
    }

    private var missing: (Int16, FakeThrift) { (3, .fields([1: .text("Note.guid")])) }

    private static func guid(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-0000-0001-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private func createNote(
        _ arguments: FakeThrift, _ origin: String, _ state: inout State
    ) -> (Int16, FakeThrift) {
        guard let note = arguments[2], let title = note[2]?.text, 1...255 ~= title.count, title == title.trimmed,
            let content = note[3]?.text, let resource = note[13]?.list?.first, let body = resource[3]?[3]?.bytes,
            resource[3]?[1]?.bytes == HashAlgorithm.md5.hash(of: body), resource[3]?[2]?.number == Int64(body.count)
        else { return (1, .fields([1: .i32(2), 2: .text("Note")])) }
        let hash = Hex.encode(HashAlgorithm.md5.hash(of: body))
        guard content.contains("hash=\"\(hash)\""), let words = Self.words(content) else {
            return (1, .fields([1: .i32(11), 2: .text("en-note")]))
        }
        let notebook = note[11]?.text ?? state.notebooks[0].guid
        guard state.notebooks.contains(where: { $0.guid == notebook }) else {
            return (3, .fields([1: .text("Note.notebookGuid")]))
        }
        state.count += 1
        let guid = Self.guid(state.count)
        let media = PublishedMedia(
            sha256: SHA256Digest(of: body).hex, bytes: body.count, mediaType: resource[4]?.text ?? "",
            altText: words.alt)
        state.notes.append(
            Note(
                post: PublishedPost(
                    id: guid, url: "\(origin)/shard/s1/nl/1/\(guid)/", text: words.caption, media: [media],
                    createdAt: now()), content: content, notebook: notebook, marker: note[14]?[16]?.text ?? "",
                latitude: note[14]?[10]?.double, longitude: note[14]?[11]?.double,
                created: note[6]?.number ?? Self.milliseconds(now()),
                updated: Self.milliseconds(now())))
        return (0, .fields([1: .text(guid), 2: .text(title)]))
    }

    /// Orders 1 (by creation) and 4 (by the last change), newest first, from a place on.
    private func findNotes(_ arguments: FakeThrift, _ state: State) -> (Int16, FakeThrift) {
        guard let order = arguments[2]?[1]?.number, [1, 4].contains(order), arguments[2]?[2]?.number ?? 0 == 0,
            let start = arguments[3]?.number, start >= 0, let length = arguments[4]?.number, 1...250 ~= length
        else { return (1, .fields([1: .i32(2), 2: .text("NoteFilter")])) }
        let newest = now() - listDelay
        var notes = state.notes.filter { $0.post.createdAt <= newest }
        if order == 1 { notes.sort { $0.created < $1.created } }
        let page = notes.reversed().dropFirst(Int(start)).prefix(Int(length)).map { note -> FakeThrift in
            .fields([
                1: .text(note.post.id), 7: .i64(note.updated), 14: .fields([16: .text(note.marker)]),
            ])
        }
        return (0, .fields([1: .i32(Int(start)), 2: .i32(notes.count), 3: .list(page)]))
    }

    /// Adds notes that another program made now, and dated `created`.
    package func add(notes count: Int, created: Date) {
        let now = now()
        state.withLock { state in
            for _ in 0..<count {
                state.count += 1
                let post = PublishedPost(
                    id: Self.guid(state.count), url: "", text: "", media: [], createdAt: now)
                state.notes.append(
                    Note(
                        post: post, content: "", notebook: state.notebooks[0].guid, marker: "", latitude: nil,
                        longitude: nil, created: Self.milliseconds(created), updated: Self.milliseconds(now)))
            }
        }
    }

    private static func milliseconds(_ time: Date) -> Int64 { Int64(time.timeIntervalSince1970) * 1000 }

    private func updateNote(_ arguments: FakeThrift, _ state: inout State) -> (Int16, FakeThrift) {
        guard let index = state.notes.firstIndex(where: { $0.post.id == arguments[2]?[1]?.text }) else {
            return missing
        }
        guard let content = arguments[2]?[3]?.text, let words = Self.words(content), arguments[2]?[2]?.text != nil
        else {
            return (1, .fields([1: .i32(11), 2: .text("en-note")]))
        }
        let old = state.notes[index]
        let media = old.post.media.map {
            PublishedMedia(sha256: $0.sha256, bytes: $0.bytes, mediaType: $0.mediaType, altText: words.alt)
        }
        state.notes.remove(at: index)
        // The one that was changed last comes last.
        state.notes.append(
            Note(
                post: PublishedPost(
                    id: old.post.id, url: old.post.url, text: words.caption, media: media,
                    createdAt: old.post.createdAt),
                content: content, notebook: old.notebook, marker: old.marker, latitude: old.latitude,
                longitude: old.longitude, created: old.created, updated: Self.milliseconds(now())))
        return (0, .fields([1: .text(old.post.id)]))
    }

    /// The caption and the alternative text of a note in Evernote's markup; nil when the markup is wrong.
    private static func words(_ content: String) -> (caption: String, alt: String)? {
        let head =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\"><en-note>"
        guard content.hasPrefix(head), content.hasSuffix("</en-note>"),
            let media = content.range(of: "<en-media ")
        else { return nil }
        let words = String(content[content.index(content.startIndex, offsetBy: head.count)..<media.lowerBound])
        let lines = words.components(separatedBy: "<br/>")
        let tag = String(content[media.lowerBound...].prefix { $0 != ">" })
        guard tag.hasSuffix("/"), !lines.contains(where: { $0.contains("<") || $0.contains(">") }) else { return nil }
        let alt = tag.components(separatedBy: " alt=\"").dropFirst().first?.components(separatedBy: "\"").first ?? ""
        return (plain(lines.dropLast().joined(separator: "\n")), plain(alt))
    }

    private static func plain(_ text: String) -> String {
        text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

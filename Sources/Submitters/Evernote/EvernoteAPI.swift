internal import Crypto
internal import FoundationEssentials
internal import HTTP

/// The calls of Evernote's EDAM that Pics uses, for one account.
///
/// Source: Evernote/evernote-thrift at 9fde79c (EDAM 1.28); read 2026-11-21. Refusals come with status 200.
struct EvernoteAPI: Sendable {
    let client: ServiceClient
    /// `https://www.evernote.com/edam/user`.
    let userStore: String
    /// `https://www.evernote.com/shard/s1/notestore`.
    let noteStore: String
    let token: String
    let addresses: AddressPolicy

    /// A note as it is made.
    struct Draft: Sendable {
        let title: String
        let content: String
        let createdAt: Date
        let notebook: String?
        let picture: [UInt8]
        let file: OutgoingFile
        let fileName: String
        /// The text by which Pics finds the note.
        let marker: String
        let position: (latitude: Double, longitude: Double)?
    }

    /// Whose token it is.
    struct User: Sendable {
        let id: String
        let name: String
        let shard: String
        /// Of one file, in bytes.
        let resourceLimit: Int64?
    }

    /// `UserStore.getUser`.
    func user() async throws(SubmissionError) -> User {
        let (response, result) = try await call(userStore, "getUser", [1: .string(token)])
        guard let user = result?.structure, let id = user[1]?.int, let shard = user[14]?.string else {
            throw client.malformed(response)
        }
        return User(
            id: String(id), name: user[2]?.string ?? user[4]?.string ?? String(id), shard: shard,
            resourceLimit: user[22]?.structure?[3]?.int)
    }

    /// `UserStore.getUserUrls`: where the notes are.
    func noteStoreURL() async throws(SubmissionError) -> String {
        let (response, result) = try await call(userStore, "getUserUrls", [1: .string(token)])
        guard let url = result?.structure?[1]?.string else { throw client.malformed(response) }
        return url
    }

    /// `NoteStore.listNotebooks`.
    func notebooks() async throws(SubmissionError) -> [Album] {
        let (response, result) = try await call(noteStore, "listNotebooks", [1: .string(token)])
        guard let list = result?.list else { throw client.malformed(response) }
        return list.compactMap { item in
            guard let notebook = item.structure, let guid = notebook[1]?.string else { return nil }
            return Album(id: guid, name: notebook[2]?.string ?? "")
        }
    }

    /// `NoteStore.createNotebook`.
    func createNotebook(_ name: String) async throws(SubmissionError) -> Album {
        let (response, result) = try await call(
            noteStore, "createNotebook", [1: .string(token), 2: .structure([2: .string(name)])])
        guard let guid = result?.structure?[1]?.string else { throw client.malformed(response) }
        return Album(id: guid, name: name)
    }

    /// `NoteStore.createNote`: publishes; the note's guid.
    func createNote(
        _ draft: Draft, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> String {
        let total = Int64(draft.picture.count)
        let (response, result) = try await call(
            noteStore, "createNote", [1: .string(token), 2: .structure(Self.note(draft))], .publishing,
            bytes: total, progress: { sent, _ in progress(min(sent, total), total) })
        guard let guid = result?.structure?[1]?.string else { throw client.malformed(response, .publishing) }
        return guid
    }

    static func note(_ draft: Draft) -> ThriftStruct {
        let hash = HashAlgorithm.md5.hash(of: draft.picture)
        var resource: ThriftStruct = [
            3: .structure([1: .binary(hash), 2: .i32(Int32(clamping: draft.picture.count)), 3: .binary(draft.picture)]),
            4: .string(draft.file.mediaType),
        ]
        // Larger sizes do not fit the protocol.
        if let width = draft.file.width.flatMap({ Int16(exactly: $0) }),
            let height = draft.file.height.flatMap({ Int16(exactly: $0) })
        {
            resource.add(5, .i16(width))
            resource.add(6, .i16(height))
        }
        resource.add(11, .structure([10: .string(draft.fileName)]))
        var note: ThriftStruct = [
            2: .string(draft.title), 3: .string(draft.content),
            6: .i64(Int64((draft.createdAt.timeIntervalSince1970 * 1000).rounded(.down))),
        ]
        if let notebook = draft.notebook { note.add(11, .string(notebook)) }
        note.add(13, .list(of: 12, [.structure(resource)]))
        var attributes = ThriftStruct()
        if let position = draft.position {
            attributes.add(10, .double(position.latitude))
            attributes.add(11, .double(position.longitude))
        }
        attributes.add(16, .string(draft.marker))
        note.add(14, .structure(attributes))
        return note
    }

    /// The result of a search for one note.
    enum Search: Sendable, Equatable {
        case found(String)
        case absent
        /// More notes were changed meanwhile than are looked through.
        case unclear
    }

    /// `NoteStore.findNotesMetadata`: the note with a marker among those that were changed since `start`, the last changed
    /// first, up to 500. Not by creation: a note has the time of its photo there, which may be years ago.
    ///
    /// Source: evernote-thrift, `NoteSortOrder` and `NotesMetadataResultSpec`.
    func search(marker: String, since start: Date) async throws(SubmissionError) -> Search {
        let (pages, length) = (5, 100)
        for page in 0..<pages {
            let (response, result) = try await call(
                noteStore, "findNotesMetadata",
                [
                    1: .string(token), 2: .structure([1: .i32(4), 2: .bool(false)]),
                    3: .i32(Int32(page * length)), 4: .i32(Int32(length)),
                    5: .structure([7: .bool(true), 14: .bool(true)]),
                ])
            guard let notes = result?.structure?[3]?.list else { throw client.malformed(response) }
            let found = notes.compactMap(\.structure).first { $0[14]?.structure?[16]?.string == marker }
            if let note = found?[1]?.string { return .found(note) }
            let isOlder = notes.allSatisfy { note in
                guard let changed = note.structure?[7]?.int else { return false }
                return Date(timeIntervalSince1970: Double(changed) / 1000) < start
            }
            if notes.count < length || isOlder { return .absent }
        }
        return .unclear
    }

    /// `NoteStore.deleteNote`: into the trash. One that is not there is no error.
    func deleteNote(_ guid: String) async throws(SubmissionError) {
        do throws(SubmissionError) {
            _ = try await call(noteStore, "deleteNote", [1: .string(token), 2: .string(guid)])
        } catch {
            if case .gone = error { return }
            throw error
        }
    }

    /// `NoteStore.updateNote`: words alone; what the note shows stays when its content names it.
    func updateNote(_ guid: String, title: String, content: String) async throws(SubmissionError) {
        _ = try await call(
            noteStore, "updateNote",
            [1: .string(token), 2: .structure([1: .string(guid), 2: .string(title), 3: .string(content)])])
    }

    /// `NoteStore.getNote` with its content.
    func content(of guid: String) async throws(SubmissionError) -> String {
        let (response, result) = try await call(
            noteStore, "getNote",
            [
                1: .string(token), 2: .string(guid), 3: .bool(true), 4: .bool(false), 5: .bool(false), 6: .bool(false),
            ])
        guard let content = result?.structure?[3]?.string else { throw client.malformed(response) }
        return content
    }

    /// `UserStore.revokeLongSession`.
    func revoke() async throws(SubmissionError) {
        _ = try await call(userStore, "revokeLongSession", [1: .string(token)])
    }

    // MARK: Sending

    private static let mediaType = "application/x-thrift"

    private func call(
        _ url: String, _ name: String, _ arguments: ThriftStruct, _ role: RequestRole = .preparing, bytes: Int64 = 0,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> (IncomingResponse, ThriftValue?) {
        let response = try await client.response(
            to: OutgoingRequest(
                method: .post, url: url, fields: ["Content-Type": Self.mediaType, "Accept": Self.mediaType],
                body: .bytes(ThriftMessage(.call, name, arguments).serialized),
                timeout: ServiceClient.timeout(uploading: bytes), maxResponseBytes: 8 << 20, addressPolicy: addresses,
                progress: progress), role)
        guard response.status.isSuccess else { throw client.failure(response, role) }
        guard let message = ThriftMessage(parsing: response.body), message.name == name else {
            throw client.malformed(response, role)
        }
        if message.kind == .exception { throw client.malformed(response, role) }
        for field in message.body.fields where field.id != 0 {
            guard let exception = field.value.structure else { continue }
            throw failure(exception, isNotFound: field.id == 3, role, response)
        }
        return (response, message.body[0])
    }
}

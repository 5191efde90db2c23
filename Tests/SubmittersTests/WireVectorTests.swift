internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// The bytes on the wire, compared with other people's implementations.
///
/// `script/wire-vectors` makes the fixtures; each names its source.
struct WireVectorTests {
    /// The vectors of a fixture.
    private static func vectors(_ name: String, at least: Int) throws -> [JSONValue] {
        let path = #filePath.replacing("WireVectorTests.swift", with: "Fixtures/\(name).json")
        let vectors = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: path))))["vectors"]?.array
        let found = try #require(vectors)
        try #require(found.count >= least)
        return found
    }

    @Test func `requests are signed by OAuth 1 as oauthlib signs them`() throws {
        for vector in try Self.vectors("oauth1", at: 50) {
            func text(_ name: String) throws -> String { try #require(vector[name]?.string) }
            let oauth = OAuth1(
                consumerKey: try text("consumer_key"), consumerSecret: try text("consumer_secret"),
                token: try text("token"), tokenSecret: try text("token_secret"))
            var form: FormFields = [:]
            for pair in vector["form"]?.array ?? [] { form.add(pair[0]?.string ?? "", pair[1]?.string ?? "") }
            var extra: FormFields = [:]
            for member in vector["extra"]?.object ?? [:] { extra.add(member.name, member.value.string ?? "") }

            let base = try text("base")
            let header = oauth.authorization(
                for: HTTPMethod(rawValue: try text("method")), try text("url"), form: form, extra: extra,
                nonce: try text("nonce"), timestamp: try #require(Int64(try text("timestamp"))))

            #expect(header.hasPrefix("OAuth "))
            #expect(
                header.dropFirst(6).components(separatedBy: ", ").sorted()
                    == vector["header"]?.array?.compactMap(\.string), "\(base)")
        }
    }

    @Test func `files have the content hash of Dropbox's own hasher`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/file"
        let vectors = try Self.vectors("dropbox-content-hash", at: 10)
        // Byte i is (i * 31) >> 5, which comes again after 8,192 of them.
        let stretch = Data((0..<8192).map { UInt8(truncatingIfNeeded: ($0 * 31) >> 5) })
        let greatest = vectors.compactMap { $0["bytes"]?.int }.max() ?? 0
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        for _ in 0...(greatest / 8192) { try file.write(contentsOf: stretch) }
        try file.close()

        for vector in vectors {
            let length = try #require(vector["bytes"]?.int)
            #expect(
                try DropboxContentHash.of(file: path, offset: 0, length: length) == vector["hash"]?.string,
                "\(length) bytes")
        }
    }

    @Test func `calls of Evernote have the bytes of its own SDK`() async throws {
        for vector in try Self.vectors("evernote-thrift", at: 12) {
            let server = Recording()
            let api = EvernoteAPI(
                client: ServiceClient(service: "Evernote", transport: server, now: { Date() }),
                userStore: "https://evernote.test/edam/user", noteStore: "https://evernote.test/shard/s1/notestore",
                token: "S=s1:U=4711:E=fff:C=1:P=1:A=pics:V=2:H=0", addresses: .any)

            try await call(vector, of: api)

            #expect(server.sent.count == 1)
            #expect(Hex.encode(server[0].body) == vector["bytes"]?.string, "\(vector["call"]?.string ?? "")")
        }
    }

    /// Sends what a vector was made of. Nobody answers.
    private func call(_ vector: JSONValue, of api: EvernoteAPI) async throws {
        let guid = "01234567-89ab-cdef-0123-456789abcdef"
        func text(_ name: String) -> String { vector[name]?.string ?? "" }
        _ = await meaning {
            switch text("call") {
            case "getUser": _ = try await api.user()
            case "revokeLongSession": try await api.revoke()
            case "listNotebooks": _ = try await api.notebooks()
            case "createNotebook": _ = try await api.createNotebook(text("name"))
            case "deleteNote": try await api.deleteNote(guid)
            case "getNote": _ = try await api.content(of: guid)
            case "updateNote": try await api.updateNote(guid, title: text("title"), content: text("content"))
            case "findNotesMetadata": _ = try await api.search(marker: "pics:1", since: .distantPast)
            case "createNote": _ = try await api.createNote(try draft(vector), progress: { _, _ in })
            default: Issue.record("\(text("call")) is not known")
            }
        }
    }

    private func draft(_ vector: JSONValue) throws -> EvernoteAPI.Draft {
        let picture = (0..<3).flatMap { _ in (0...255).map { UInt8($0) } }
        let place = vector["place"]?.array?.compactMap(\.double)
        return EvernoteAPI.Draft(
            title: try #require(vector["title"]?.string), content: try #require(vector["content"]?.string),
            createdAt: Date(timeIntervalSince1970: try #require(vector["created"]?.double) / 1000),
            notebook: vector["notebook"]?.string, picture: picture,
            file: OutgoingFile(
                path: "/nowhere", bytes: Int64(picture.count), mediaType: "image/jpeg",
                width: vector["width"]?.int.map { Int($0) }, height: vector["height"]?.int.map { Int($0) }),
            fileName: "Ab3dE9xZ.jpg", marker: "pics:0198c2b0", position: place.map { ($0[0], $0[1]) })
    }

    @Test func `a WSSE header is the published one, and those that zeep makes`() throws {
        for vector in try Self.vectors("wsse", at: 31) {
            func text(_ name: String) throws -> String { try #require(vector[name]?.string) }
            let time = try #require(Timestamp(try text("created"))).date

            let header = WSSE(username: try text("username"), key: try text("key"))
                .header(nonce: Array(try text("nonce").utf8), at: time)

            #expect(
                header == """
                    UsernameToken Username="\(try text("username"))", PasswordDigest="\(try text("digest"))", \
                    Nonce="\(try text("nonce64"))", Created="\(try text("created"))"
                    """)
        }
    }

    @Test func `facets lie where the SDK of the AT Protocol puts them`() throws {
        for vector in try Self.vectors("bluesky-facets", at: 50) {
            let text = try #require(vector["text"]?.string)

            let facets = RichText(text).facets.map { facet in
                let (type, value) =
                    switch facet.feature {
                    case .link(let uri): ("link", uri)
                    case .tag(let tag): ("tag", tag)
                    case .mention(let handle): ("mention", "did:plc:\(handle)")
                    }
                return "\(facet.bytes) app.bsky.richtext.facet#\(type) \(value)"
            }

            let expected = vector["facets"]?.array?.map {
                "\($0["start"]?.int ?? -1)..<\($0["end"]?.int ?? -1) \($0["type"]?.string ?? "") \($0["value"]?.string ?? "")"
            }
            #expect(facets == expected, "\(text)")
        }
    }

    @Test func `messages of mixi2 are written and read as Google's own library does`() throws {
        for vector in try Self.vectors("mixi2-protobuf", at: 53) {
            func text(_ name: String) -> String { vector[name]?.string ?? "" }
            let hex = text("bytes")
            switch text("message") {
            case "Upload":
                let file = OutgoingFile(
                    path: "/nowhere", bytes: try #require(vector["data_size"]?.int), mediaType: text("content_type"),
                    width: nil, height: nil)
                let message = Mixi2API.upload(file, description: text("description"))
                #expect(Hex.encode(message.serialized) == hex)
            case "CreatePost":
                #expect(Hex.encode(Mixi2API.post(text("text"), media: text("media")).serialized) == hex)
            default:
                let message = try #require(Hex.decode(hex).flatMap { ProtobufMessage(parsing: $0) })
                let posts = try #require(message.messages(1)).map { post -> JSONValue in
                    let counts = (post.messages(12) ?? []).map { JSONValue(Int($0.number(2))) }
                    return [
                        "id": .string(post.text(1)), "deleted": .bool(post.number(2) == 1),
                        "text": .string(post.text(4)), "counts": JSONValue(counts),
                    ]
                }
                #expect(JSONValue(posts) == vector["posts"])
                #expect(Hex.encode(message.serialized) == hex)
            }
        }
    }
}

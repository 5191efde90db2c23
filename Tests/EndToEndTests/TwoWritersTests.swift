import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Two who send to one upload: a phone that is back while its old connection still looks alive.
@Suite(.timeLimit(.minutes(10)))
struct TwoWritersTests {
    /// How a client speaks.
    enum Speech: CaseIterable {
        case tus
        case ietf

        var fields: HTTPFields { self == .tus ? ["Tus-Resumable": "1.0.0"] : ["Upload-Draft-Interop-Version": "8"] }

        func creation(of length: Int) -> HTTPFields {
            var fields = fields
            fields.add("Upload-Length", "\(length)")
            if self == .ietf { fields.add("Upload-Complete", "?0") }
            return fields
        }

        func part(at offset: Int) -> HTTPFields {
            var fields = fields
            fields.add("Upload-Offset", "\(offset)")
            if self == .ietf { fields.add("Upload-Complete", "?1") }
            fields.add("Content-Type", self == .tus ? "application/offset+octet-stream" : "application/partial-upload")
            return fields
        }

        /// Of the last part.
        var end: HTTPStatus { self == .tus ? .noContent : .ok }
    }

    private static let content = [UInt8]((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
    /// How much of it the first writer has sent.
    private static let sent = 150_000

    @Test(arguments: Speech.allCases)
    func `a second writer goes on where the first is, who is told so and writes no more`(speech: Speech) async throws {
        try await withPics { pics in
            let url = try await pics.begin(Self.content.count, speech)
            let first = try await pics.sender(of: Self.content, upTo: Self.sent, to: url, speech)

            let second = try await Self.goOn(at: url, pics, speech)

            #expect(second.status == speech.end)
            #expect(second.fields["Upload-Offset"] == "\(Self.content.count)")
            _ = first.send(Array(Self.content[Self.sent...]))
            let response = first.response()
            #expect(response.components(separatedBy: "HTTP/1.1 ").last?.hasPrefix("409 ") == true)
            #expect(response.contains(#""type":"/problems/superseded""#))
            #expect(try await pics.json(url)["state"] == "complete")
            #expect(try pics.file(ofUpload: url) == Self.content)
        }
    }

    @Test(arguments: Speech.allCases)
    func `a second writer at another offset is told the right one, and nothing is written twice`(
        speech: Speech
    ) async throws {
        try await withPics { pics in
            let url = try await pics.begin(Self.content.count, speech)
            let first = try await pics.sender(of: Self.content, upTo: Self.sent, to: url, speech)

            let early = try await pics.ask(.patch, url, speech.part(at: 1000), Array(Self.content[1000...]))

            #expect(early.status == .conflict)
            let offset = try #require(early.fields["Upload-Offset"].flatMap { Int($0) })
            _ = first.send(Array(Self.content[Self.sent...]))
            #expect(first.response().contains("/problems/superseded"))
            #expect(try await pics.ask(.head, url, speech.fields).fields["Upload-Offset"] == "\(offset)")
            #expect(try pics.file(ofUpload: url) == Array(Self.content[..<offset]))
        }
    }

    /// Sends the rest from where the first writer may be; who is told another offset goes on from there.
    private static func goOn(at url: String, _ pics: Pics, _ speech: Speech) async throws -> IncomingResponse {
        let response = try await pics.ask(.patch, url, speech.part(at: sent), Array(content[sent...]))
        guard response.status == .conflict, let offset = response.fields["Upload-Offset"].flatMap({ Int($0) }) else {
            return response
        }
        return try await pics.ask(.patch, url, speech.part(at: offset), Array(content[offset...]))
    }

    @Test(arguments: Speech.allCases)
    func `four writers who cut each other off leave the file as it is meant`(speech: Speech) async throws {
        try await withPics { pics in
            let url = try await pics.begin(Self.content.count, speech)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await Self.sendAll(to: url, pics, speech) } }
                try await group.waitForAll()
            }

            #expect(try await pics.json(url)["progress"]?["received"]?.int == Int64(Self.content.count))
            #expect(try pics.file(ofUpload: url) == Self.content)
        }
    }

    /// Asks for the offset and sends all that is left, again and again until nothing is. Who is cut off in the midst of its
    /// body may hear no answer.
    private static func sendAll(to url: String, _ pics: Pics, _ speech: Speech) async throws {
        while try await pics.json(url)["state"] == "receiving" {
            let head = try await pics.ask(.head, url, speech.fields)
            let offset = try #require(head.fields["Upload-Offset"].flatMap { Int($0) })
            let response = try? await pics.ask(.patch, url, speech.part(at: offset), Array(content[offset...]))
            // 204: another one was faster with the last part.
            if let response { #expect([speech.end, .noContent, .conflict].contains(response.status)) }
        }
    }

    @Test(arguments: Speech.allCases)
    func `a writer in another process is waited for, and one that was killed locks nothing`(
        speech: Speech
    ) async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let address = database.settings.connection
                let one = try await Pics.start(in: folder, database: address)
                let other = try await Pics.start(in: folder, database: address)
                let url = try await one.begin(Self.content.count, speech)
                let moved = String(url.dropFirst(one.base.count))
                let first = try await one.sender(of: Self.content, upTo: Self.sent, to: url, speech)

                let rest = Array(Self.content[Self.sent...])
                let locked = try await other.ask(.patch, moved, speech.part(at: Self.sent), rest)
                #expect(locked.status.code == 423)
                #expect(locked.fields["Retry-After"] == "1")
                one.process.signal(9)
                _ = await one.process.end()
                let taken = try await Self.goOn(at: moved, other, speech)

                #expect(taken.status == speech.end)
                #expect(first.response() == "")
                #expect(try other.file(ofUpload: url) == Self.content)
                #expect(await other.stop() == 0)
            }
        }
    }
}

extension Pics {
    /// Begins an upload of so many bytes; its URL.
    fileprivate func begin(_ length: Int, _ speech: TwoWritersTests.Speech) async throws -> String {
        let response = try await ask(.post, "/v1/uploads", speech.creation(of: length))
        guard let url = response.fields["Location"] else {
            throw PicsProcess.Failure(description: "no upload: \(response.status.code)")
        }
        return url
    }

    /// A writer that has announced all of `content`, whose first bytes have arrived, and who stays. Asks again and again; the
    /// test's time limit bounds it.
    fileprivate func sender(
        of content: [UInt8], upTo end: Int, to url: String, _ speech: TwoWritersTests.Speech
    ) async throws -> Sender {
        var head = "PATCH \(url.dropFirst(base.count)) HTTP/1.1\r\nHost: pics\r\nAuthorization: Bearer \(try token)\r\n"
        for field in speech.part(at: 0) { head += "\(field.name): \(field.value)\r\n" }
        head += "Connection: close\r\nContent-Length: \(content.count)\r\n\r\n"
        let sender = try Sender(to: self, Array(head.utf8) + content[..<end])
        // The last of it may still be collected in memory.
        try await until { try await json(url)["progress"]?["received"]?.int ?? 0 >= Int64(end / 2) }
        return sender
    }
}

internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools

/// A service that answers from a list, and keeps what it was sent.
final class Recording: Transport {
    /// A request as it went over the wire.
    struct Sent: Sendable, Equatable {
        /// `POST https://social.test/api/v1/statuses`.
        let line: String
        let fields: HTTPFields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue? { try? JSONValue(parsing: body) }
    }

    private struct State {
        var answers: [Result<IncomingResponse, TransportError>]
        var sent: [Sent] = []
    }

    private let state: Lock<State>

    /// Takes the answers in order; after the last nobody can be reached.
    convenience init(_ answers: Result<IncomingResponse, TransportError>...) { self.init(answers) }

    init(_ answers: [Result<IncomingResponse, TransportError>]) { state = Lock(State(answers: answers)) }

    var sent: [Sent] { state.withLock { $0.sent } }

    /// One of `sent`, counted from 0; an empty one where there is none.
    subscript(index: Int) -> Sent {
        let sent = sent
        return sent.indices.contains(index) ? sent[index] : Sent(line: "", fields: [:], body: [])
    }

    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        let sent = Sent(
            line: "\(request.method) \(request.url)", fields: request.fields,
            body: try Self.bytes(of: request.body))
        let response = state.withLock { state in
            state.sent.append(sent)
            return state.answers.isEmpty ? .failure(.notSent("nobody is there")) : state.answers.removeFirst()
        }
        let answer = try response.get()
        guard answer.body.count <= request.maxResponseBytes else {
            throw .responseTooLarge(limit: request.maxResponseBytes)
        }
        return answer
    }

    private static func bytes(of body: OutgoingBody) throws(TransportError) -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .parts(let parts):
            var bytes: [UInt8] = []
            for part in parts {
                switch part {
                case .bytes(let piece):
                    bytes += piece
                case .file(let path, let offset, let length):
                    guard let file = FileManager.default.contents(atPath: path) else { throw .notSent("no file") }
                    bytes += file.dropFirst(Int(offset)).prefix(Int(length))
                }
            }
            return bytes
        }
    }
}

extension Result where Success == IncomingResponse, Failure == TransportError {
    /// An answer with a JSON body.
    static func response(_ status: Int, _ json: JSONValue = [:], fields: HTTPFields = [:]) -> Self {
        .success(IncomingResponse(status: HTTPStatus(code: status), fields: fields, body: json.serialized))
    }
}

extension SubmissionTask {
    /// A task for a photo.
    static func sample(
        _ photo: SamplePhoto, to account: OpenedAccount, over transport: any Transport,
        journal: any Journal = MemoryJournal(), text: String = "Föhn", caption: String? = nil, altText: String = "",
        order: PrintOrder? = nil, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
        clock: TestClock = TestClock()
    ) -> SubmissionTask {
        SubmissionTask(
            submission: .make(), outboundKey: "key-1", photo: photo.photo,
            file: { () async throws(SubmissionError) in try photo.make() },
            address: { "https://pics.test/media/\(photo.photo.code)" }, text: text, caption: caption ?? text,
            altText: altText, shortURL: "https://pics.test/Ab3dE9xZ", order: order, account: account, journal: journal,
            transport: transport, progress: progress, now: clock.read)
    }
}

extension OpenedAccount {
    static func sample(_ credentials: JSONValue, _ settings: JSONValue, remoteID: String = "1") -> OpenedAccount {
        OpenedAccount(
            connection: .make(), remoteID: remoteID, name: "alice", credentials: credentials, settings: settings)
    }
}

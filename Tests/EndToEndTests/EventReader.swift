import Foundation
import HTTP
import TestSupport

/// Follows `/v1/events` with curl, as it speaks to people.
struct EventReader {
    struct Event {
        let id: String?
        let data: JSONValue
    }

    private let process = Process()
    private var pieces: AsyncStream<Data>.AsyncIterator
    private var rest = Data()

    init(_ pics: Pics, lastEventID: String? = nil, token: String? = nil) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments =
            ["-sN", "-H", "Authorization: Bearer \(try token ?? pics.token)"]
            + (lastEventID.map { ["-H", "Last-Event-ID: \($0)"] } ?? []) + ["\(pics.base)/v1/events"]
        let pipe = Pipe()
        process.standardOutput = pipe
        pieces = pipe.pieces().makeAsyncIterator()
        try process.run()
    }

    /// The next event that fits; others are passed over.
    mutating func next(_ fits: (JSONValue) -> Bool) async throws -> Event {
        var id: String?
        while let line = await line() {
            if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
            guard line.hasPrefix("data: ") else { continue }
            let data = try JSONValue(parsing: Array(line.dropFirst(6).utf8))
            if fits(data) { return Event(id: id, data: data) }
        }
        throw PicsProcess.Failure(description: "the events ended")
    }

    /// Waits for the first line: the stream is open.
    mutating func begun() async throws {
        guard await line() != nil else { throw PicsProcess.Failure(description: "the events ended") }
    }

    private mutating func line() async -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            guard let more = await pieces.next(isolation: #isolation) else { return nil }
            rest.append(more)
        }
    }

    func stop() { process.terminate() }
}

import Curl
import Domain
import EventLoops
import Foundation
import HTTP
import Settings

/// A client of a running Pics, for the commands that talk to one.
struct Client {
    let base: String
    private let token: String?
    private let transport: CurlTransport

    /// The server of `--url`, else the one that listens here; the token of `--token`, else of
    /// `PICS_TOKEN`, else the first admin's in the data folder.
    init(_ arguments: Arguments, _ configuration: Configuration) throws {
        base = arguments["url"] ?? Self.local(configuration[PicsSettings.listen])
        let kept = "\(configuration[PicsSettings.dataDir].text)/admin-token"
        token =
            arguments["token"] ?? ProcessInfo.processInfo.environment["PICS_TOKEN"]
            ?? (try? String(contentsOfFile: kept, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        transport = try CurlTransport(
            on: EventLoop(name: "client"), options: CurlOptions(userAgent: "pics/\(version)"))
    }

    /// A server that listens at every address is reached at this machine's own.
    private static func local(_ listen: String) -> String {
        for (wildcard, own) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where listen.hasPrefix(wildcard) {
            return "http://\(own)\(listen.dropFirst(wildcard.count))"
        }
        return "http://\(listen)"
    }

    /// Sends a request and reads the JSON of its answer.
    ///
    /// - Throws: `CommandFailure` with the problem's own words when it is not a success.
    func send(
        _ method: HTTPMethod, _ path: String, body: OutgoingBody = .none, type: String? = nil,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws -> JSONValue {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path, fields: ["Accept": "application/json"],
            body: body, timeout: .seconds(3600), maxResponseBytes: 16 << 20, addressPolicy: .any, progress: progress)
        if let token { request.fields.add("Authorization", "Bearer \(token)") }
        if let type { request.fields.add("Content-Type", type) }
        let response: IncomingResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw CommandFailure("\(base) does not answer: \(error)")
        }
        let answer = try? JSONValue(parsing: response.body)
        guard (200..<300).contains(response.status.code), let answer else {
            let title = answer?["title"]?.string ?? response.status.reason
            let detail = answer?["detail"]?.string.map { " \($0)" } ?? ""
            throw CommandFailure("\(base) answers \(response.status.code): \(title).\(detail)")
        }
        return answer
    }
}

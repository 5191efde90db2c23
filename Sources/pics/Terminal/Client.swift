import Curl
import Domain
import EventLoops
import FoundationEssentials
import HTTP
import Settings
internal import System

/// A client of a running Pics, for the commands that talk to one.
struct Client {
    /// Without a slash at its end.
    let base: String
    private let token: String?
    private let transport: CurlTransport

    /// The server of `--url`, else the running Pics of the data folder, else, with a token that is named, the one that listens here;
    /// the token of `--token`, else of `PICS_TOKEN`, else the first admin's in the data folder.
    ///
    /// The kept token goes nowhere by a guess: any program of this machine may listen where no Pics runs.
    init(_ arguments: Arguments, _ configuration: Configuration) throws {
        let folder = DataFolder(configuration)
        let named =
            arguments["token"] ?? ProcessInfo.processInfo.environment["PICS_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        base = try Self.base(arguments["url"], configuration, mayGuess: named != nil)
        token =
            named
            ?? (try? String(contentsOfFile: folder.adminToken, encoding: .utf8))?
            .trimmed
        transport = try CurlTransport(
            on: EventLoop(name: "client"), threads: BlockingThreads(name: "client-disk", count: 1),
            options: CurlOptions(userAgent: "pics/\(version)"))
    }

    private static func base(
        _ url: String?, _ configuration: Configuration, mayGuess: Bool
    ) throws(UsageError) -> String {
        if let url {
            guard let address = WebAddress(setting: url) else {
                throw UsageError("--url takes a web address such as http://127.0.0.1:8080, not \(url).")
            }
            return address.text
        }
        let folder = DataFolder(configuration)
        let listen = try ListenAddress(configuration.listen)
        if let base = RunFile.address(in: folder) { return base }
        if mayGuess, let base = listen.localURL ?? configuration.baseURL?.text { return base }
        throw UsageError(
            listen.isUnixSocket
                ? "This command does not reach \(listen). Name a web address that leads there with --url."
                : "No Pics runs in \(folder.shown). Name the address of a running one with --url.")
    }

    /// Where the Pics of the data folder runs, or would listen; nil when it runs nowhere and chooses its port at the start.
    static func localBase(_ configuration: Configuration) throws(UsageError) -> String? {
        if let running = RunFile.address(in: DataFolder(configuration)) { return running }
        return try ListenAddress(configuration.listen).localURL
    }

    /// Sends a request and reads the JSON of its response.
    ///
    /// - Throws: `CommandFailure` with the problem's own words when it is not a success.
    func send(
        _ method: HTTPMethod, _ path: String, body: OutgoingBody = .none, type: String? = nil
    ) async throws -> JSONValue {
        var request = OutgoingRequest(
            method: method, url: base + path, fields: ["Accept": "application/json"], body: body,
            timeout: .seconds(3600), maxResponseBytes: 16 << 20, addressPolicy: .any)
        if let token { request.fields.add("Authorization", "Bearer \(token)") }
        if let type { request.fields.add("Content-Type", type) }
        let response: IncomingResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw CommandFailure(
                "\(base) does not answer: \(error). Name the address of a running Pics with --url.".printable)
        }
        let json = try? JSONValue(parsing: response.body)
        guard (200..<300).contains(response.status.code), let json else {
            let title = json?["title"]?.string ?? response.status.reason
            let detail = json?["detail"]?.string.map { " \($0)" } ?? ""
            throw CommandFailure("\(base) answers \(response.status.code): \(title).\(detail)".printable)
        }
        return json
    }
}

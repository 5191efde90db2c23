internal import Blobs
internal import EventLoops
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Logging
internal import System
internal import TLS

/// The server core alone: fixed answers, the files of a folder by sendfile(2), and uploads that are hashed and synced.
enum BenchServer {
    struct Options {
        var port: UInt16 = 8080
        var loops = 1
        /// Serves `/files/{name}` out of it and takes `PUT /blobs/{name}` into a blob store in it.
        var folder: String?
        /// The files of a certificate chain and its key, for a second listener on the next port.
        var certificate: (chain: String, key: String)?
    }

    static func run(_ options: Options) async throws {
        let (server, _) = try await start(options)
        try await Task.sleep(for: .seconds(1 << 30))
        await server.stop(within: .zero)
    }

    /// Starts a server; gives its first listener's port too.
    static func start(_ options: Options) async throws -> (server: Server, port: UInt16) {
        let loops = try (0..<options.loops).map { try EventLoop(name: "bench-\($0)") }
        var configuration = ServerConfiguration()
        configuration.port = options.port
        configuration.accessLog = false
        configuration.limits.requestsPerConnection = .max
        configuration.limits.connections = .max
        configuration.limits.connectionsPerAddress = .max
        configuration.limits.body = .max
        if let (chain, key) = options.certificate {
            let identity = TLSIdentity(certificateChainFile: chain, privateKeyFile: key)
            let context = try TLSServerContext(identities: [identity], protocols: ["h2", "http/1.1"])
            configuration.listeners.append(ListenerConfiguration(port: options.port + 1, tls: context))
        }
        let server = Server(
            configuration: configuration, loops: loops, router: try Router(try routes(options)),
            logger: Logger(threshold: .warning), problem: Server.unknownProblem)
        let addresses = try await server.start()
        for address in addresses { print("listening on \(address)") }
        fflush(nil)
        return (server, addresses[0].port ?? 0)
    }

    private static func routes(_ options: Options) throws -> [Route] {
        let response = HTTPResponse.text("Hello, World!")
        var routes = [
            Route(.get, "/livez", operation: .init("livez", "Is alive.", responses: [])) { _ in response },
            Route(
                .get, "/task", operation: .init("task", "From a task.", responses: []), handler: { _ in response }),
        ]
        guard let folder = options.folder else { return routes }
        let threads = BlockingThreads(name: "disk", count: 8)
        let store = try BlobStore(folder: "\(folder)/blobs", threads: threads)
        routes += [
            Route(
                .get, "/files/{name}", operation: .init("file", "A file of the folder.", responses: []),
                handler: { request in
                    let name = request.parameters["name"] ?? ""
                    return await threads.run { file(name, in: folder) }
                }),
            Route(
                .put, "/blobs/{name}", operation: .init("upload", "Stores the body by its digest.", responses: []),
                handler: { request in
                    let writer = store.begin()
                    try await request.body.forEach(within: store.places) { piece in try await writer.write(piece) }
                    return .text("\(try await writer.finish().digest)", status: .created)
                }),
        ]
        return routes
    }

    private static func file(_ name: String, in folder: String) -> HTTPResponse {
        let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard !name.contains("/"), descriptor >= 0, fstat(descriptor, &status) == 0 else {
            return HTTPResponse(.notFound)
        }
        return HTTPResponse(
            .ok, fields: ["Content-Type": "application/octet-stream"],
            body: .file(FileBody(OpenFile(owning: descriptor), length: Int64(status.st_size))))
    }
}

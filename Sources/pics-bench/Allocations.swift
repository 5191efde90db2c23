internal import Foundation
internal import HTTPServer

/// Counts what the server core allocates for a request, with glibc's own tracer of allocations (mtrace(3)).
///
/// The tracer has to be preloaded, so the program starts itself again with it. The client is in the same process, and uses
/// the same memory again and again: whatever is counted is the server's.
enum Allocations {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let tracer = "libc_malloc_debug.so.0"
    private static let requests = 50

    /// Tells the allocations of a request with as many header fields as are asked for.
    static func count(fields: Int) throws {
        guard let trace = ProcessInfo.processInfo.environment["MALLOC_TRACE"] else { return try startAgain() }
        let server = Task.detached {
            var options = BenchServer.Options()
            options.port = 0
            return try await BenchServer.start(options)
        }
        let (running, port) = try wait(for: server)
        // It is never switched off: other threads may be in the midst of it.
        try beginTracing()
        for path in ["/livez", "/task"] {
            let count = try countAllocations(of: path, fields: fields, port: port, trace)
            print("\(path) with \(fields) fields: \(count) allocations a request")
        }
        unlink(trace)
        withExtendedLifetime(running) {}
    }

    private typealias Started = (server: Server, port: UInt16)

    private static func wait(for server: Task<Started, any Error>) throws -> Started {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<Started, any Error>?
        Task.detached {
            result = await server.result
            done.signal()
        }
        done.wait()
        guard let result else { throw Failure(description: "the server did not start") }
        return try result.get()
    }

    private static func startAgain() throws {
        setenv("LD_PRELOAD", tracer, 1)
        setenv("MALLOC_TRACE", "\(NSTemporaryDirectory())/pics-allocations-\(getpid())", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        throw Failure(description: "execv: errno \(errno)")
    }

    private static func countAllocations(of path: String, fields: Int, port: UInt16, _ trace: String) throws -> Double {
        let request = Array(
            ("GET \(path) HTTP/1.1\r\nHost: bench\r\n"
                + (1..<max(1, fields)).map { "X-Field-\($0): a value of some length that no small string holds\r\n" }
                .joined() + "\r\n").utf8)
        let client = try IdleConnections.ask(port)
        defer { close(client) }
        var response = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<requests { try ask(client, request, &response) }
        // Between the two sizes of the trace nothing but the server allocates.
        let begin = size(of: trace)
        for _ in 0..<requests { try ask(client, request, &response) }
        let end = size(of: trace)
        let lines = try Data(contentsOf: URL(filePath: trace))[begin..<end].split(separator: UInt8(ascii: "\n"))
        // `@ program:[address] + block size` for a new block, `>` for one that has grown.
        let count = lines.count { line in
            let fields = line.split(separator: UInt8(ascii: " "))
            return fields.count > 2 && [Data("+".utf8), Data(">".utf8)].contains(Data(fields[2]))
        }
        return Double(count) / Double(requests)
    }

    private static func size(of file: String) -> Int {
        fflush(nil)
        var status = stat()
        stat(file, &status)
        return Int(status.st_size)
    }

    private typealias Switch = @convention(c) () -> Void

    /// Calls the tracer's `mtrace`; that of the C library itself does nothing.
    private static func beginTracing() throws {
        typealias Lookup =
            @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, UnsafePointer<CChar>) ->
            UnsafeMutableRawPointer?
        guard let lookup = dlsym(nil, "dlvsym").map({ unsafeBitCast($0, to: Lookup.self) }),
            let begin = lookup(dlopen(tracer, RTLD_NOW), "mtrace", "GLIBC_2.2.5")
        else { throw Failure(description: "\(tracer) has no mtrace") }
        unsafeBitCast(begin, to: Switch.self)()
    }

    private static func ask(_ client: Int32, _ request: [UInt8], _ response: inout [UInt8]) throws {
        guard send(client, request, request.count, 0) == request.count, recv(client, &response, response.count, 0) > 0
        else {
            throw Failure(description: "no answer: errno \(errno)")
        }
    }
}

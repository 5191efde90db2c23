package import EventLoops
package import HTTP

/// Sends requests through libcurl, on one event loop, over connections that are kept and used again.
///
/// - HTTP/1.1, and HTTP/2 where TLS has agreed on it or the request assumes it. Certificates are always verified. No proxy, cookies or `.netrc`.
/// - A request whose method is not idempotent is never sent twice: curl's habit of repeating it when a kept connection
///   turns out dead is stopped, unless no byte of it had left.
/// - Every libcurl call is made on the loop, which is the actor's executor.
package actor CurlTransport: Transport {
    private nonisolated let loop: EventLoop
    private nonisolated let options: CurlOptions
    private let multi: Multi

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Prepares a transport without any connection.
    ///
    /// - Throws: `.notSent` when libcurl cannot be set up.
    package init(on loop: EventLoop, options: CurlOptions) throws(TransportError) {
        self.loop = loop
        self.options = options
        multi = try Multi(on: loop)
    }

    // libcurl and the loop's watches must be left on the loop, wherever the last reference goes.
    isolated deinit {}

    /// Sends one request; see `Transport`.
    ///
    /// A URL that carries a user name, or another scheme than `http` and `https`, is refused with `.notSent`.
    package func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let id = multi.nextID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(TransportError) {
                    try multi.start(Exchange(request, options, continuation), id: id)
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.multi.cancel(id) } }
        }
        return try result.get()
    }
}

internal import EventLoops
internal import Logging

/// A connection whose PROXY header is still to come. Confined to its loop.
///
/// It takes exactly the header's bytes from the socket: the TLS or HTTP that follows stays for the next reader.
final class ProxyGate {
    let socket: StreamSocket
    let origin: Origin
    private let context: LoopContext
    private let done: (ProxyHeader?) -> Void
    private var bytes: [UInt8] = []
    private var wanted = ProxyHeader.fixedLength
    private var watch: Watch?
    private var timer: (any ServerTimer)?

    /// `done` is called once with the header, or with nil when there is none; from then on the socket is the caller's.
    init(
        _ socket: StreamSocket, _ origin: Origin, _ context: LoopContext, done: @escaping (ProxyHeader?) -> Void
    ) {
        self.socket = socket
        self.origin = origin
        self.context = context
        self.done = done
    }

    /// Begins to read; the header may take as long as that of a request.
    func open() {
        do throws(EventLoopError) {
            watch = try context.loop.watch(socket.descriptor, for: .readable) { [self] _ in read() }
            timer = context.schedule(after: context.limits.headerTime) { [self] in end(nil) }
        } catch {
            context.logger.warning("connection not served", ["error": error])
            done(nil)
        }
    }

    /// Lets go of the socket; nobody is told.
    func cancel() {
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
    }

    private func end(_ header: ProxyHeader?) {
        cancel()
        done(header)
    }

    private func read() {
        while true {
            var received = ReceivedBytes.blocked
            let fresh = [UInt8](unsafeUninitializedCapacity: wanted - bytes.count) { buffer, count in
                received = socket.receive(into: UnsafeMutableRawBufferPointer(buffer))
                if case .bytes(let number) = received { count = number }
            }
            switch received {
            case .blocked: return
            case .end, .failed: return end(nil)
            case .bytes: bytes += fresh
            }
            do throws(ProxyHeader.Malformed) {
                switch try ProxyHeader.read(bytes.span) {
                case .needs(let count): wanted = count
                case .header(let header): return end(header)
                }
            } catch {
                return end(nil)
            }
        }
    }
}

import Dispatch
import Glibc

/// The requests that signals make to a running Pics.
enum ServiceSignal {
    /// SIGTERM and SIGINT: stop; the second time at once.
    case stop
    /// SIGHUP: read certificates again.
    case reload
    /// SIGUSR2: let the program that lies on the disk now take over.
    case replace

    /// The signals, each as often as it comes.
    static func stream() -> AsyncStream<ServiceSignal> {
        AsyncStream { continuation in
            let meanings: [(Int32, ServiceSignal)] = [
                (SIGTERM, .stop), (SIGINT, .stop), (SIGHUP, .reload), (SIGUSR2, .replace),
            ]
            for (number, meaning) in meanings {
                // The default action would end the process before the source hears of it.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                // The handler keeps its source for as long as the process lives.
                source.setEventHandler { [source] in
                    if !source.isCancelled { continuation.yield(meaning) }
                }
                source.activate()
            }
        }
    }
}

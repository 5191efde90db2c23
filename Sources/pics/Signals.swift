import Dispatch
import Foundation

/// The signals that stop Pics, as a stream: SIGTERM and SIGINT, each as often as it comes.
enum StopSignals {
    static func stream() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            for number in [SIGTERM, SIGINT] {
                // The default action would end the process before the source hears of it.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                // The handler keeps its source for as long as the process lives.
                source.setEventHandler { [source] in
                    if !source.isCancelled { continuation.yield(number) }
                }
                source.activate()
            }
        }
    }
}

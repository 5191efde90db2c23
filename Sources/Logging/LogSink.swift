internal import Glibc
internal import System

/// Where the lines of a log go.
package protocol LogSink: Sendable {
    /// Writes whole lines, each of which ends with its newline, without waiting long: one, or several of `LogLine.limit` bytes together.
    func write(_ lines: [UInt8])
}

/// Writes lines to a descriptor, with one write(2) each time.
///
/// When nobody reads the other end (a full pipe, a stopped terminal), lines are dropped after a short wait instead of
/// stopping the event loop that writes them; the first line after that says how many are missing.
package final class DescriptorSink: LogSink {
    private let descriptor: Int32
    /// Lines.
    private let dropped = Lock(0)

    /// A sink for `descriptor`, which stays the caller's and open.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    package func write(_ lines: [UInt8]) {
        dropped.withLock { dropped in
            // Only the first line waits: a log that nobody reads must cost its writers nothing.
            guard takesALine(within: dropped == 0 ? 20 : 0) else {
                dropped += Self.count(lines)
                return
            }
            if dropped > 0 {
                writeOnce(Array("\(dropped) lines of the log were dropped here because nobody read them\n".utf8))
                dropped = 0
                guard takesALine(within: 0) else {
                    dropped = Self.count(lines)
                    return
                }
            }
            writeOnce(lines)
        }
    }

    private static func count(_ lines: [UInt8]) -> Int {
        lines.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }

    /// Whether a line fits now: a pipe counts as writable when it takes PIPE_BUF bytes, which no line exceeds. One that
    /// lost its reader has an error too, and writing to it would be a signal.
    private func takesALine(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) == 1 && request.revents == Int16(POLLOUT)
    }

    /// What cannot be written has nowhere else to go, hence no error.
    private func writeOnce(_ lines: [UInt8]) {
        var result: Int
        repeat { result = Glibc.write(descriptor, lines, lines.count) } while result < 0 && errno == EINTR
    }
}

/// The process's standard error, shared so that its lines never interleave.
package enum StandardErrorSink {
    /// The one sink for standard error.
    package static let shared: any LogSink = DescriptorSink(STDERR_FILENO)
}

/// Keeps lines in memory, for tests.
package final class RecordingSink: LogSink {
    private let recorded = Lock<[String]>([])

    package init() {}

    /// The lines so far, without their newlines.
    package var lines: [String] { recorded.withLock { $0 } }

    package func write(_ lines: [UInt8]) {
        let lines = String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
        recorded.withLock { $0 += lines }
    }
}

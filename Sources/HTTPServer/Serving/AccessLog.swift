internal import EventLoops
internal import Logging

/// Writes a line for each request. The lines of all requests that end together are written together, each time as many as a pipe takes in one piece.
///
/// Confined to the loop.
final class AccessLog {
    private let logger: Logger
    private let loop: EventLoop
    /// Whole lines that wait for the loop to be idle.
    private var lines: [UInt8] = []

    init(_ logger: Logger, on loop: EventLoop) { (self.logger, self.loop) = (logger, loop) }

    /// Adds the line of a request.
    func add(_ fields: (inout LogLine) -> Void) {
        let end = lines.count
        if end == 0 { loop.whenIdle { [self] in flush() } }
        logger.add(to: &lines, .info, "request", fields)
        if lines.count > LogLine.limit {
            logger.write(Array(lines[..<end]))
            lines.removeSubrange(..<end)
        }
    }

    private func flush() {
        logger.write(lines)
        lines.removeAll(keepingCapacity: true)
    }
}

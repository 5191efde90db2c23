/// What the producer of a streamed answer writes to.
///
/// `write` returns when the kernel has taken every byte, so a slow client slows the producer down and no more than one
/// piece is in memory. On HTTP/2, where many answers share a connection, up to `HTTP2Limits.streamBacklog` bytes may wait.
package struct BodyWriter: Sendable {
    private let sink: any BodySink
    private let exchange: UInt64

    init(sink: any BodySink, exchange: UInt64) {
        self.sink = sink
        self.exchange = exchange
    }

    /// Sends `bytes`; the first call sends the head along.
    ///
    /// - Throws: When nobody reads any more. A producer lets it pass and ends.
    package func write(_ bytes: [UInt8]) async throws(BodyWriteError) {
        try await sink.write(bytes[...], of: exchange)
    }

    /// Sends `bytes`, as `write(_: [UInt8])` does.
    package func write(_ bytes: ArraySlice<UInt8>) async throws(BodyWriteError) {
        try await sink.write(bytes, of: exchange)
    }

    /// Sends text as UTF-8, as `write(_: [UInt8])` does.
    package func write(_ text: String) async throws(BodyWriteError) {
        try await sink.write(Array(text.utf8)[...], of: exchange)
    }

    /// Sends the head now, for a client that waits for it before the first bytes exist.
    package func flush() async throws(BodyWriteError) {
        try await sink.write([], of: exchange)
    }
}

/// Why a streamed answer cannot go on.
package enum BodyWriteError: Error, Equatable, CustomStringConvertible {
    /// The client went away, took nothing for too long, or the server stops.
    case disconnected
    /// More than the declared length was written: a defect of the producer.
    case tooLong

    package var description: String {
        switch self {
        case .disconnected: "nobody reads the answer any more"
        case .tooLong: "the answer is longer than it was declared"
        }
    }
}

/// Where streamed answers go: a connection, which may have gone on to another exchange meanwhile.
protocol BodySink: Sendable {
    func write(_ bytes: ArraySlice<UInt8>, of exchange: UInt64) async throws(BodyWriteError)
}

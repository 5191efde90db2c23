/// Where a connection's bytes come from.
protocol ByteSource {
    /// Receives what is there, at most as much as fits; never waits.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceivedBytes
}

/// What came of a receive.
enum ReceivedBytes: Equatable {
    case bytes(Int)
    /// Nothing is there now.
    case blocked
    /// The peer has ended its side.
    case end
    case failed
}

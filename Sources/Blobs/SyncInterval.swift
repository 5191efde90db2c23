package import EventLoops

/// When bytes that come in are made durable and told of on the way: after so many, or after so long.
///
/// A fast sender is bound by the disk, a slow one wants to see that something moves.
package struct SyncInterval {
    /// In bytes.
    package static let stride: Int64 = 16 << 20
    package static let interval: Duration = .seconds(3)

    private var bytes: Int64
    private var moment: Moment

    /// Begins with so many bytes that are durable.
    package init(from bytes: Int64, at moment: Moment = .now) {
        self.bytes = bytes
        self.moment = moment
    }

    /// Whether it is time, now that there are so many bytes; if so, the next stride begins.
    package mutating func isDue(_ bytes: Int64, at moment: Moment = .now) -> Bool {
        let hasMoved = bytes > self.bytes
        guard hasMoved, bytes - self.bytes >= Self.stride || moment - self.moment >= Self.interval else { return false }
        (self.bytes, self.moment) = (bytes, moment)
        return true
    }
}

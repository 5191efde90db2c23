package import Foundation

extension Pipe {
    /// The pieces as they arrive; ends when nobody can write any more. Read by one reader: asking again takes the
    /// rest away from the first.
    package func pieces() -> AsyncStream<Data> {
        let (pieces, sender) = AsyncStream.makeStream(of: Data.self)
        fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                sender.finish()
            } else {
                sender.yield(data)
            }
        }
        return pieces
    }
}

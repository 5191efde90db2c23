package import Foundation

extension Duration {
    /// In seconds, with their fractions: what Foundation counts time in.
    package var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}

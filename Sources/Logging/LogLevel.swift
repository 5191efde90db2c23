/// How much an event matters; a logger writes the events of its threshold and above.
package enum LogLevel: String, CaseIterable, Sendable, Comparable {
    /// Every step, for finding a defect.
    case trace
    /// What a developer wants to see while working.
    case debug
    /// What the program did.
    case info
    /// What an operator should see on a quiet day.
    case notice
    /// Something went wrong and was dealt with.
    case warning
    /// Something went wrong and somebody has to look.
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        }
    }
}

import Glibc
internal import System

/// Output for the person at the terminal, and questions to them.
enum Terminal {
    /// Prints text at once, also into a pipe: scripts wait for some lines.
    static func say(_ text: String) {
        print(text.printableLines)
        fflush(nil)
    }

    /// Lines of a table, each column as wide as its widest text.
    static func columns(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            zip(row, widths).map { padded($0, to: $1) }.joined(separator: "  ")
        }
    }

    /// `text` with spaces behind it.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Tells what went wrong.
    static func complain(_ text: String) {
        writeToStandardError("pics: \(text.printableLines)\n")
    }

    /// Whether what is said is shown to somebody and not kept.
    static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether somebody types.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks for a line; nil for an empty one. A secret is not shown while it is typed.
    static func ask(_ question: String, default defaultValue: String?, isSecret: Bool) -> String? {
        let isTerminal = isInteractive
        if isTerminal {
            let hint = defaultValue.map { " [\($0)]" } ?? ""
            writeToStandardError("\(question)\(hint): ")
        }
        let line = isSecret && isTerminal ? withoutEcho { readLine() } : readLine()
        guard let line, !line.isEmpty else { return nil }
        return line
    }

    private static func withoutEcho(_ read: () -> String?) -> String? {
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            writeToStandardError("\n")
        }
        return read()
    }
}

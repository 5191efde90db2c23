/// A mistake in a typed command: told without a stack of errors, with exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A command that could not do what it was asked: told in a sentence, with exit status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The words of a command line: `--name value`, `--name=value`, `--flag`, and the rest in order. After `--` all are words.
struct Arguments {
    private(set) var words: [String] = []
    private(set) var options: [String: String] = [:]
    private(set) var flags: Set<String> = []

    /// Sorts the words; `known` names take a value, `knownFlags` take none. `-h` is the flag `help`.
    init(_ arguments: [String], options known: Set<String>, flags knownFlags: Set<String>) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            if word == "-h" {
                flags.insert("help")
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard word.hasPrefix("--"), knownFlags.contains(name) || known.contains(name) else {
                let typed = word.hasPrefix("--") ? "--\(name)" : word
                throw UsageError("There is no option \(typed). `pics help` shows what there is.")
            }
            if knownFlags.contains(name) {
                guard parts.count == 1 else { throw UsageError("--\(name) takes no value.") }
                flags.insert(name)
            } else {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageError("--\(name) needs a value.")
                }
                options[name] = value
            }
        }
    }

    subscript(name: String) -> String? { options[name] }
}

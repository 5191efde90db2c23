internal import FoundationEssentials
internal import System

/// Reads settings from a file, then from the environment, which wins.
///
/// A secret may also come from a file of its own that `PREFIX_NAME_FILE` names; the line ends at its end do not count.
/// An empty environment variable counts as not set, as container tools write it for an absent value.
package struct SettingsReader {
    private let prefix: String
    private let file: String?
    private let fileMayBeMissing: Bool
    private let environment: [String: String]

    /// - Parameters:
    ///   - prefix: The prefix of the names of environment variables, without `_`.
    ///   - file: The path of the configuration file.
    ///   - fileMayBeMissing: Whether an absent file is no mistake, as for a path that nobody chose.
    ///   - environment: The variables of the process.
    package init(prefix: String, file: String?, fileMayBeMissing: Bool = false, environment: [String: String]) {
        self.prefix = prefix
        self.file = file
        self.fileMayBeMissing = fileMayBeMissing
        self.environment = environment
    }

    /// The values of `settings`.
    ///
    /// - Throws: All mistakes at once.
    package func read(_ settings: [any SettingDescriptor]) throws(SettingsMistakes) -> Configuration {
        var reading = Reading(settings)
        if let file { readFile(file, into: &reading) }
        readEnvironment(into: &reading)
        guard reading.mistakes.isEmpty else { throw SettingsMistakes(mistakes: reading.mistakes) }
        return Configuration(descriptors: settings, entries: reading.entries)
    }

    /// The values so far.
    private struct Reading {
        let settings: [any SettingDescriptor]
        var entries: [String: Configuration.Entry] = [:]
        var mistakes: [SettingsMistakes.Mistake] = []

        init(_ settings: [any SettingDescriptor]) { self.settings = settings }

        mutating func accept(
            _ text: String, for setting: any SettingDescriptor, from source: Configuration.Source, at place: String
        ) {
            switch setting.parse(text) {
            case .value(let value): entries[setting.name] = Configuration.Entry(value: value, source: source)
            case .wrong(let reason): note("\(setting.name): \(reason)", at: place)
            }
        }

        mutating func note(_ text: String, at place: String) {
            mistakes.append(SettingsMistakes.Mistake(place: place, text: text))
        }
    }

    private func readFile(_ path: String, into reading: inout Reading) {
        guard !fileMayBeMissing || FileManager.default.fileExists(atPath: path) else { return }
        guard let bytes = contents(of: path) else {
            reading.note("this file cannot be read", at: path)
            return
        }
        let (lines, mistakes) = ConfigurationFile.parse(bytes)
        for mistake in mistakes { reading.note(mistake.text, at: "\(path):\(mistake.number)") }
        for line in lines {
            let place = "\(path):\(line.number)"
            if let setting = reading.settings.first(where: { $0.name == line.name }) {
                reading.accept(line.value, for: setting, from: .file(line: line.number), at: place)
            } else {
                let suggestion = Spelling.suggestion(for: line.name, among: reading.settings.map(\.name))
                reading.note("\(line.name) is not a setting\(meant(suggestion))", at: place)
            }
        }
    }

    private func readEnvironment(into reading: inout Reading) {
        for setting in reading.settings {
            let variable = setting.variable(prefix: prefix)
            let text = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
            let path = setting.isSecret ? environment["\(variable)_FILE"].flatMap { $0.isEmpty ? nil : $0 } : nil
            if text != nil, path != nil { reading.note("\(variable)_FILE is set too; keep one", at: variable) }
            if let text {
                reading.accept(text.trimmed, for: setting, from: .environment(variable), at: variable)
            } else if let path {
                readSecret(setting, variable: "\(variable)_FILE", path: path, into: &reading)
            }
        }
        noteMisspelledVariables(into: &reading)
    }

    private func readSecret(
        _ setting: any SettingDescriptor, variable: String, path: String, into reading: inout Reading
    ) {
        guard let bytes = contents(of: path), let text = String(validating: bytes, as: UTF8.self) else {
            return reading.note("the file \(path) cannot be read, or is not UTF-8", at: variable)
        }
        let value = String(text.reversed().drop { $0.isNewline }.reversed())
        reading.accept(value, for: setting, from: .environment(variable), at: variable)
    }

    /// Only near misses are mistakes: others put variables with this prefix there too, like Kubernetes for a service of
    /// that name.
    private func noteMisspelledVariables(into reading: inout Reading) {
        let known = reading.settings.flatMap { setting -> [String] in
            let variable = setting.variable(prefix: prefix)
            return setting.isSecret ? [variable, variable + "_FILE"] : [variable]
        }
        for name in environment.keys.sorted() where name.hasPrefix(prefix + "_") && !known.contains(name) {
            guard let suggestion = Spelling.suggestion(for: name, among: known) else { continue }
            reading.note("this variable is not a setting\(meant(suggestion))", at: name)
        }
    }

    private func meant(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \($0)?" } ?? ""
    }

    /// The bytes of a file, `nil` when it cannot be read or exceeds 1 MiB.
    private func contents(of path: String) -> [UInt8]? {
        let limit = 1 << 20
        guard let bytes = OpenFile(reading: path)?.readAll(atMost: limit + 1), bytes.count <= limit else { return nil }
        return bytes
    }
}

/// Everything that is wrong with the settings, to be corrected in one go.
package struct SettingsMistakes: Error, Hashable, CustomStringConvertible {
    /// One wrong thing. It never holds the value of a secret.
    package struct Mistake: Hashable, Sendable, CustomStringConvertible {
        /// `config/pics.conf:12`, or the name of an environment variable.
        package let place: String
        /// The mistake, in a sentence.
        package let text: String

        package var description: String { "\(place): \(text)" }
    }

    /// At least one: first what is wrong in the file, then in the environment.
    package let mistakes: [Mistake]

    /// One line per mistake.
    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

/// Finds the name that a mistyped one was meant to be.
enum Spelling {
    /// The nearest of `names` if at most a third of the letters differ, three at most.
    static func suggestion(for name: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(name, $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= min(3, max(1, name.count / 3)) else { return nil }
        return nearest.name
    }

    /// How many letters must be put in, taken out, exchanged or swapped with their neighbour: the optimal string
    /// alignment distance.
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for (row, letter) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                var best = min(rows[row][column + 1] + 1, next[column] + 1)
                best = min(best, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}

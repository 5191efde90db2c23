/// Everything that is wrong with the settings, to be corrected in one go.
package struct SettingsMistakes: Error, Hashable, CustomStringConvertible {
    /// One wrong thing. It never holds the value of a secret.
    package struct Mistake: Hashable, Sendable, CustomStringConvertible {
        /// `config/pics.conf:12`, or the name of an environment variable.
        package let place: String
        /// What is wrong, in a sentence.
        package let text: String

        package var description: String { "\(place): \(text)" }
    }

    /// At least one: first what is wrong in the file, then in the environment.
    package let mistakes: [Mistake]

    /// One line per mistake.
    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

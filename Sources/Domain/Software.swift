/// This build of Pics, as it names itself in pictures and answers.
package enum Software {
    /// `CHANGELOG.md` says what it brings.
    package static let version = "0.2.0"
    package static let name = "Pics \(version)"
}

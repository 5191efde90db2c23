internal import FoundationEssentials
internal import System

/// The name that somebody signs pictures with: 1 to 100 characters on one line.
package struct Signature: Sendable, Equatable {
    package let name: String

    /// The name without spaces around it; nil when nothing is left.
    ///
    /// - Throws: When it is too long or has control characters.
    package static func read(_ text: String) throws(Mistake) -> Signature? {
        let name = text.trimmed
        guard name.unicodeScalars.count <= 100,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Mistake() }
        return name.isEmpty ? nil : Signature(name: name)
    }

    /// It is not what a name may be.
    package struct Mistake: Error, Equatable {}
}

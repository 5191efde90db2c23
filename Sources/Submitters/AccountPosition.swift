package import HTTP

/// Whether what goes to an account may tell where it was taken, as its owner chose (`keep_position` in the account's
/// settings); not unless the owner said so.
package struct AccountPosition: Sendable, Equatable {
    package let isKept: Bool

    /// Reads the account's settings.
    package init(_ settings: JSONValue) {
        isKept = settings["keep_position"]?.bool == true
    }
}

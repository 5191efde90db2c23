package import HTTP

/// Whether photos go to an account unless somebody says otherwise, as its owner chose (`enabled` in the account's
/// settings); they do until the owner says no.
package struct AccountUse: Sendable, Equatable {
    package let isEnabled: Bool

    /// Reads the account's settings.
    package init(_ settings: JSONValue) {
        isEnabled = settings["enabled"]?.bool != false
    }
}

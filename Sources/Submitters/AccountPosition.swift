package import HTTP

/// What photos tell a service of where they were taken.
package enum PositionPolicy: Sendable, Equatable {
    /// Nothing: the service shows no position and throws away what a file says of it.
    case never
    /// What the original says: the archive on this machine, whose photos leave nothing.
    case always
    /// What the owner lets them tell; public copies tell nothing until then.
    case chosen
}

/// Whether what goes to an account may tell where it was taken: as its service is, and where that leaves a choice as its
/// owner chose (`keep_position` in the account's settings); not unless the owner said so.
package struct AccountPosition: Sendable, Equatable {
    package let isKept: Bool

    /// Reads the account's settings.
    package init(_ settings: JSONValue, _ policy: PositionPolicy) {
        isKept =
            switch policy {
            case .never: false
            case .always: true
            case .chosen: settings["keep_position"]?.bool == true
            }
    }
}

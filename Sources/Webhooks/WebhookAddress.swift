internal import FoundationEssentials
internal import HTTP

/// An address that somebody has entered for a webhook and that cannot be one. Whether it is a public one shows when it
/// is connected to.
package enum AddressRefusal: Error, Equatable {
    /// No absolute `http` or `https` address without user name and fragment, at most 2048 bytes of ASCII.
    case malformed
    case insecure

    /// For people.
    package var sentence: String {
        switch self {
        case .malformed: "It must be an address such as https://example.org/pics, without a user name and a fragment."
        case .insecure: "It must begin with https://."
        }
    }
}

/// Reads an address.
func checkedAddress(_ text: String, _ policy: ServerPolicy) throws(AddressRefusal) -> String {
    guard text.isWebAddress, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
        let parts = URLComponents(string: text, encodingInvalidCharacters: false),
        parts.serverHost != nil, parts.fragment == nil
    else { throw .malformed }
    guard policy.allowsScheme(of: text) else { throw .insecure }
    return text
}

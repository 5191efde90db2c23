extension String {
    /// The longest address that is kept, in bytes.
    package static let maximumWebAddressBytes = 2048

    /// Whether this can be shown as a link: `http` or `https`, at most `maximumWebAddressBytes`, without spaces and controls.
    package var isWebAddress: Bool {
        (hasPrefix("https://") || hasPrefix("http://")) && utf8.count <= Self.maximumWebAddressBytes
            && !unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }
}

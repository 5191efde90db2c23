/// Where a server's certificate and its private key are, as PEM files.
package struct TLSIdentity: Sendable, Hashable {
    /// The path of the server's certificate, followed by the intermediate ones up to the root.
    package let certificateChainFile: String
    /// The path of the private key, without a passphrase.
    package let privateKeyFile: String

    /// Names the files; they are read by `TLSServerContext`.
    package init(certificateChainFile: String, privateKeyFile: String) {
        self.certificateChainFile = certificateChainFile
        self.privateKeyFile = privateKeyFile
    }
}

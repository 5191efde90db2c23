/// What sealed credentials are bound to: those of one account cannot be put in another account's row.
package enum CredentialContext {
    package static func of(service: String, remoteID: String) -> String { "connection/\(service)/\(remoteID)" }
}

internal import Crypto
package import Domain
internal import HTTP
internal import Logging
internal import Store
package import Submitters

/// The keys of the applications that this Pics is at the services: the operator's settings, else what an admin has entered
/// over REST. The two are not mixed within a service: an id of one with a secret of the other fits nothing.
package struct OAuthClients: Sendable {
    /// Where a service's keys come from.
    package enum Source: String, Sendable {
        case settings, database
    }

    /// The keys of one service.
    package struct Known: Sendable {
        package let keys: ClientCredentials
        /// Nil when there are none.
        package let source: Source?
    }

    let store: PicsStore
    let keys: KeyRing
    /// By service and field.
    let settings: [String: [String: String]]

    /// The keys for a service.
    ///
    /// - Throws: `StoreError`.
    package func known(for service: String) async throws -> Known { try await known()(service) }

    /// The keys for every service, read once. Entered keys that cannot be opened count as missing.
    ///
    /// - Throws: `StoreError`.
    package func known() async throws -> @Sendable (String) -> Known {
        var entered: [String: [String: String]] = [:]
        for (service, sealed) in try await store.serviceKeys() {
            entered[service] = values(sealed, of: service)
        }
        return { [settings, entered] service in
            if let values = settings[service], !values.isEmpty {
                return Known(keys: ClientCredentials(values), source: .settings)
            }
            return Known(
                keys: ClientCredentials(entered[service] ?? [:]), source: entered[service] == nil ? nil : .database)
        }
    }

    private func values(_ sealed: [UInt8], of service: String) -> [String: String] {
        do {
            let opened = try JSONValue(parsing: keys.open(sealed, context: Self.context(of: service)))
            return Dictionary(
                (opened.object ?? [:]).compactMap { member in member.value.string.map { (member.name, $0) } }
            ) { first, _ in first }
        } catch {
            return [:]
        }
    }

    /// Keeps what an admin has entered, in place of what was there.
    ///
    /// - Throws: `StoreError`, `CryptoError`.
    package func put(_ values: [String: String], for service: String) async throws {
        let json = JSONValue(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        try await store.putServiceKeys(
            of: service, try keys.seal(json.serialized, context: Self.context(of: service)))
    }

    /// Forgets what an admin has entered.
    ///
    /// - Throws: `StoreError`.
    package func remove(_ service: String) async throws {
        try await store.deleteServiceKeys(of: service)
    }

    static func context(of service: String) -> String { "service/\(service)/keys" }
}

extension AccountActions {
    /// Stores the keys that an admin has entered for an application, in place of those that were there.
    ///
    /// - Throws: `MissingApplicationKey` for the first that the service needs; `StoreError`; `CryptoError`.
    package func putKeys(_ values: [String: String], for submitter: any OAuthSubmitter, by admin: User) async throws {
        if let missing = submitter.missingKeys(of: ClientCredentials(values)).first {
            throw MissingApplicationKey(name: missing)
        }
        let service = submitter.description.id
        try await applications.put(values, for: service)
        logger.notice("keys of an application kept", ["service": service, "user": admin.name])
    }

    /// Deletes the keys that an admin has entered. Accounts that are connected keep those they were connected with.
    ///
    /// - Throws: `StoreError`.
    package func deleteKeys(for submitter: any OAuthSubmitter, by admin: User) async throws {
        let service = submitter.description.id
        try await applications.remove(service)
        logger.notice("keys of an application forgotten", ["service": service, "user": admin.name])
    }
}

/// A key of an application that its service needs was not entered.
package struct MissingApplicationKey: Error, Equatable, Sendable {
    /// The field's name.
    package let name: String
}

extension JSONObject {
    /// Members in their order.
    init(_ members: [(String, JSONValue)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}

package import Crypto
internal import Domain
package import Store
internal import Submitters

/// Seals everything anew with the current key of a ring. It may stop at any point: what is done stays done, and the next
/// run goes on with the rest.
package struct KeyRotation: Sendable {
    private let store: PicsStore
    private let keys: KeyRing

    /// The result of one run.
    package struct Report: Sendable, Equatable {
        /// Secrets that have the current key now.
        package var sealed = 0
        /// Secrets that no key of the ring opens, by what they belong to.
        package var unreadable: [String] = []

        package init() {}
    }

    package init(store: PicsStore, keys: KeyRing) {
        self.store = store
        self.keys = keys
    }

    /// Whether something is sealed with another key than the current one.
    ///
    /// - Throws: `StoreError`.
    package func isPending() async throws -> Bool {
        try await !store.sealed(notBy: keys.current.id.bytes, limit: 1).isEmpty
    }

    /// Seals anew what other keys have sealed, `batch` at a time, and pairs the database with the current key.
    ///
    /// - Throws: `StoreError`; `CancellationError` between two batches.
    package func run(batch: Int = 100) async throws -> Report {
        var report = Report()
        var last: SealedRow?
        repeat {
            try Task.checkCancellation()
            last = try await step(batch, after: last, &report)
        } while last != nil
        try await store.setSealingKey(keys.current.id.bytes)
        return report
    }

    /// One batch behind `last`; its own last row, or nil when there is none left.
    package func step(_ batch: Int, after last: SealedRow?, _ report: inout Report) async throws -> SealedRow? {
        let current = keys.current
        let rows = try await store.sealed(notBy: current.id.bytes, after: last, limit: batch)
        for row in rows {
            guard let sealed = reseal(row, with: current) else {
                report.unreadable.append("\(row.kind.rawValue) \(row.id) of \(row.service)")
                continue
            }
            try await store.replace(row, with: sealed)
            report.sealed += 1
        }
        return rows.last
    }

    /// Nil when no key of the ring opens it, or it is damaged.
    private func reseal(_ row: SealedRow, with key: SealingKey) -> [UInt8]? {
        do throws(CryptoError) {
            return try key.seal(try keys.open(row.sealed, context: row.context), context: row.context)
        } catch {
            return nil
        }
    }
}

/// The private keys of certificates that Pics gets by ACME.
package enum CertificateSecrets {
    /// The context to seal the key of an account at a certificate authority.
    package static func context(ofAccountAt directory: String) -> String { "acme_accounts/\(directory)/sealed" }

    /// The context to seal the key of the certificate for `names`, which have spaces between them.
    package static func context(ofKeyFor names: String) -> String { "certificates/\(names)/sealed" }
}

extension SealedRow {
    /// The context that it is bound to.
    fileprivate var context: String {
        switch kind {
        case .acmeAccount: CertificateSecrets.context(ofAccountAt: id)
        case .certificate: CertificateSecrets.context(ofKeyFor: id)
        case .authorization: AccountActions.context(ofAuthorization: id)
        case .connection, .revocation: CredentialContext.of(service: service, remoteID: remoteID)
        case .printOrder: Postcard.context(of: id)
        case .pushKey: PushSubscription.keyContext
        case .pushSecret: PushSubscription.secretContext(of: id)
        case .secondFactor: SecondFactorActions.context(of: id)
        case .serviceKeys: OAuthClients.context(of: id)
        case .webhook: Webhook.secretContext(of: id)
        }
    }
}

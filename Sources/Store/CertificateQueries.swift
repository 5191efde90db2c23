package import FoundationEssentials
import Postgres

/// What the database knows of the certificate for a set of names.
package struct StoredCertificate: Sendable {
    /// In PEM, with the sealed private key; nil until the first was got.
    package let issued: Issued?
    /// When a next one is due.
    package let renewAt: Date
    /// Why the last attempt failed.
    package let problem: String?

    package struct Issued: Sendable, Equatable {
        package let chain: String
        /// The private key.
        package let sealed: [UInt8]
        package let expires: Date

        package init(chain: String, sealed: [UInt8], expires: Date) {
            self.chain = chain
            self.sealed = sealed
            self.expires = expires
        }
    }
}

extension Query where Row == StoredCertificate {
    static func certificate(for names: String) -> Self {
        Query(
            "certificate", "SELECT chain, sealed, expires_at, renew_at, problem FROM certificates WHERE names = $1",
            [names]
        ) { row throws(PostgresError) in
            let chain: String? = try row.get("chain")
            let sealed: [UInt8]? = try row.get("sealed")
            let expires: Date? = try row.get("expires_at")
            var issued: StoredCertificate.Issued?
            if let chain, let sealed, let expires { issued = .init(chain: chain, sealed: sealed, expires: expires) }
            return StoredCertificate(
                issued: issued, renewAt: try row.get("renew_at"), problem: try row.get("problem"))
        }
    }
}

extension Query where Row == Int32 {
    /// Takes the turn for names whose certificate is due; the failures so far.
    static func takeCertificate(for names: String, lease: Duration) -> Self {
        Query(
            "take_certificate",
            """
            INSERT INTO certificates AS c (names, leased_until) VALUES ($1, now() + $2)
            ON CONFLICT (names) DO UPDATE SET leased_until = excluded.leased_until
             WHERE c.renew_at <= now() AND (c.leased_until IS NULL OR c.leased_until <= now())
            RETURNING failures
            """, [names, lease]
        ) { row throws(PostgresError) in try row.get("failures") }
    }
}

extension Query where Row == Void {
    static func putCertificate(_ issued: StoredCertificate.Issued, for names: String, renewAt: Date) -> Self {
        Query(
            "put_certificate",
            """
            UPDATE certificates SET chain = $2, sealed = $3, expires_at = $4, renew_at = $5, failures = 0, problem = NULL,
                   leased_until = NULL, updated_at = now()
             WHERE names = $1
            """, [names, issued.chain, issued.sealed, issued.expires, renewAt])
    }

    static func noteCertificateProblem(_ problem: String, for names: String, retryAfter: Duration) -> Self {
        Query(
            "note_certificate_problem",
            """
            UPDATE certificates SET failures = failures + 1, problem = $2, renew_at = now() + $3, leased_until = NULL,
                   updated_at = now()
             WHERE names = $1
            """, [names, problem, retryAfter])
    }

    static func retryCertificate(for names: String) -> Self {
        Query(
            "retry_certificate",
            """
            UPDATE certificates SET renew_at = now() WHERE names = $1 AND (chain IS NULL OR failures > 0)
            """, [names])
    }

    static func putACMEAccount(_ sealed: [UInt8], at directory: String, replacing former: [UInt8]) -> Self {
        Query(
            "put_acme_account",
            """
            INSERT INTO acme_accounts AS a (directory, sealed) VALUES ($1, $2)
            ON CONFLICT (directory) DO UPDATE SET sealed = excluded.sealed WHERE a.sealed = $3
            """, [directory, sealed, former])
    }
}

extension Query where Row == [UInt8] {
    static func acmeAccount(at directory: String) -> Self {
        Query("acme_account", "SELECT sealed FROM acme_accounts WHERE directory = $1", [directory]) {
            row throws(PostgresError) in try row.get("sealed")
        }
    }
}

extension PicsStore {
    /// The certificate for `names`, which have spaces between them; nil before the first attempt.
    package func certificate(for names: String) async throws(StoreError) -> StoredCertificate? {
        try await first(.certificate(for: names))
    }

    /// Lets this process alone ask for a certificate that is due, until `lease` is over.
    ///
    /// - Returns: The failures in a row so far; nil when none is due, or another process asks.
    package func takeCertificate(for names: String, lease: Duration) async throws(StoreError) -> Int? {
        try await first(.takeCertificate(for: names, lease: lease)).map { Int($0) }
    }

    /// Keeps a certificate, and gives the turn back.
    package func putCertificate(
        _ issued: StoredCertificate.Issued, for names: String, renewAt: Date
    ) async throws(StoreError) {
        try await execute(.putCertificate(issued, for: names, renewAt: renewAt))
    }

    /// Keeps why there is no certificate, and gives the turn back until `retryAfter` is over.
    package func noteCertificateProblem(
        _ problem: String, for names: String, retryAfter: Duration
    ) async throws(StoreError) {
        try await execute(.noteCertificateProblem(problem, for: names, retryAfter: retryAfter))
    }

    /// The sealed key of the account at an authority, nil when none was made.
    package func acmeAccount(at directory: String) async throws(StoreError) -> [UInt8]? {
        try await first(.acmeAccount(at: directory))
    }

    /// Lets a certificate that could not be got or used be asked for at once.
    package func retryCertificate(for names: String) async throws(StoreError) {
        try await execute(.retryCertificate(for: names))
    }

    /// Keeps the sealed key of a new account, in place of `former`, or where there is none.
    ///
    /// - Returns: The one that the database has now.
    package func putACMEAccount(
        _ sealed: [UInt8], at directory: String, replacing former: [UInt8]?
    ) async throws(StoreError) -> [UInt8] {
        try await execute(.putACMEAccount(sealed, at: directory, replacing: former ?? []))
        guard let kept = try await acmeAccount(at: directory) else { throw .unavailable }
        return kept
    }
}

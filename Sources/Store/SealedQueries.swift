import Postgres

/// Something sealed, and where it lies.
package struct SealedRow: Sendable, Equatable {
    /// Which table it is of.
    package enum Kind: String, Sendable {
        case acmeAccount = "acme_account"
        case authorization
        case certificate
        case connection
        case printOrder = "print_order"
        case pushKey = "push_key"
        case pushSecret = "push_secret"
        case revocation
        case secondFactor = "second_factor"
        case serviceKeys = "service_keys"
        case webhook
    }

    package let kind: Kind
    /// An identifier's text, a service's name, an authority's directory, or the names of a certificate.
    package let id: String
    package let service: String
    /// Of a connection, also one that was disconnected; else empty.
    package let remoteID: String
    package let sealed: [UInt8]
}

extension Query where Row == SealedRow {
    /// Rows sealed with another key than the one of these 4 bytes, in order, after `last`.
    static func sealed(notBy key: [UInt8], after last: SealedRow?, limit: Int) -> Self {
        Query(
            "sealed_rows",
            """
            SELECT kind, id, service, remote_id, sealed
              FROM (SELECT 'acme_account' AS kind, directory AS id, 'certificates' AS service, '' AS remote_id, sealed
                      FROM acme_accounts
                    UNION ALL
                    SELECT 'authorization', id::text, service, '', sealed FROM authorizations WHERE sealed IS NOT NULL
                    UNION ALL
                    SELECT 'certificate', names, 'certificates', '', sealed FROM certificates WHERE sealed IS NOT NULL
                    UNION ALL
                    SELECT 'connection', id::text, service, remote_id, credentials FROM connections
                     WHERE state <> 'disabled'
                    UNION ALL
                    SELECT 'print_order', id::text, 'postcards', '', sealed FROM print_orders WHERE sealed IS NOT NULL
                    UNION ALL
                    SELECT 'push_key', 'push', 'push', '', sealed FROM push_keys
                    UNION ALL
                    SELECT 'push_secret', id::text, 'push', '', secret FROM push_subscriptions
                    UNION ALL
                    SELECT 'revocation', c.id::text, c.service, c.remote_id, r.credentials
                      FROM revocations r JOIN connections c ON c.id = r.connection_id
                    UNION ALL
                    SELECT 'second_factor', user_id::text, 'sign-in', '', sealed FROM second_factors
                    UNION ALL
                    SELECT 'service_keys', service, service, '', sealed FROM service_keys
                    UNION ALL
                    SELECT 'webhook', id::text, 'webhooks', '', secret FROM webhooks) s
             WHERE substring(sealed FROM 2 FOR 4) <> $1 AND (kind, id) > ($2, $3)
             ORDER BY kind, id LIMIT $4::int
            """, [key, last?.kind.rawValue ?? "", last?.id ?? "", Int32(limit)]
        ) { row throws(PostgresError) in
            SealedRow(
                kind: try row.value("kind") { SealedRow.Kind(rawValue: $0) }, id: try row.get("id"),
                service: try row.get("service"), remoteID: try row.get("remote_id"), sealed: try row.get("sealed"))
        }
    }
}

extension Query where Row == Void {
    /// Replaces what was sealed unless it has changed meanwhile.
    static func replaceSealed(_ row: SealedRow, with sealed: [UInt8]) -> Self {
        switch row.kind {
        case .acmeAccount:
            Query(
                "reseal_acme_account", "UPDATE acme_accounts SET sealed = $3 WHERE directory = $1 AND sealed = $2",
                [row.id, row.sealed, sealed])
        case .certificate:
            Query(
                "reseal_certificate", "UPDATE certificates SET sealed = $3 WHERE names = $1 AND sealed = $2",
                [row.id, row.sealed, sealed])
        case .authorization:
            Query(
                "reseal_authorization",
                "UPDATE authorizations SET sealed = $3 WHERE id = $1::text::uuid AND sealed = $2",
                [row.id, row.sealed, sealed])
        case .connection:
            Query(
                "reseal_connection",
                "UPDATE connections SET credentials = $3 WHERE id = $1::text::uuid AND credentials = $2",
                [row.id, row.sealed, sealed])
        case .printOrder:
            Query(
                "reseal_print_order",
                "UPDATE print_orders SET sealed = $3 WHERE id = $1::text::uuid AND sealed = $2",
                [row.id, row.sealed, sealed])
        case .pushKey:
            Query(
                "reseal_push_key", "UPDATE push_keys SET sealed = $2 WHERE sealed = $1", [row.sealed, sealed])
        case .pushSecret:
            Query(
                "reseal_push_secret",
                "UPDATE push_subscriptions SET secret = $3 WHERE id = $1::text::uuid AND secret = $2",
                [row.id, row.sealed, sealed])
        case .revocation:
            Query(
                "reseal_revocation",
                "UPDATE revocations SET credentials = $3 WHERE connection_id = $1::text::uuid AND credentials = $2",
                [row.id, row.sealed, sealed])
        case .secondFactor:
            Query(
                "reseal_second_factor",
                "UPDATE second_factors SET sealed = $3 WHERE user_id = $1::text::uuid AND sealed = $2",
                [row.id, row.sealed, sealed])
        case .serviceKeys:
            Query(
                "reseal_service_keys", "UPDATE service_keys SET sealed = $3 WHERE service = $1 AND sealed = $2",
                [row.id, row.sealed, sealed])
        case .webhook:
            Query(
                "reseal_webhook", "UPDATE webhooks SET secret = $3 WHERE id = $1::text::uuid AND secret = $2",
                [row.id, row.sealed, sealed])
        }
    }

    static func putServiceKeys(of service: String, _ sealed: [UInt8]) -> Self {
        Query(
            "put_service_keys",
            """
            INSERT INTO service_keys (service, sealed) VALUES ($1, $2)
            ON CONFLICT ON CONSTRAINT service_keys_pkey DO UPDATE SET sealed = excluded.sealed, updated_at = now()
            """, [service, sealed])
    }

    static func deleteServiceKeys(of service: String) -> Self {
        Query("delete_service_keys", "DELETE FROM service_keys WHERE service = $1", [service])
    }
}

extension Query where Row == (service: String, sealed: [UInt8]) {
    static func serviceKeys() -> Self {
        Query("service_keys", "SELECT service, sealed FROM service_keys") { row throws(PostgresError) in
            (service: try row.get("service"), sealed: try row.get("sealed"))
        }
    }
}

internal import Domain
import Postgres

extension Query where Row == (service: String, isOffered: Bool) {
    static var serviceChoices: Self {
        Query("service_choices", "SELECT service, is_offered FROM service_choices", []) { row throws(PostgresError) in
            (try row.get("service"), try row.get("is_offered"))
        }
    }
}

extension Query where Row == Void {
    static func chooseServices(_ services: [String], _ isOffered: [Bool]) -> Self {
        Query(
            "choose_services",
            """
            INSERT INTO service_choices (service, is_offered) SELECT * FROM unnest($1::text[], $2::bool[])
            ON CONFLICT (service) DO UPDATE SET is_offered = EXCLUDED.is_offered
             WHERE service_choices.is_offered <> EXCLUDED.is_offered
            """, [services, isOffered])
    }
}

extension PicsStore {
    /// The choices of admins: by service, whether it is offered.
    package func serviceChoices() async throws(StoreError) -> [String: Bool] {
        Dictionary(
            try await rows(.serviceChoices).map { ($0.service, $0.isOffered) }, uniquingKeysWith: { _, last in last })
    }

    /// Keeps whether services are offered; others keep what was chosen.
    package func chooseServices(_ choices: [String: Bool]) async throws(StoreError) {
        let offered = choices.filter(\.value).keys.sorted().joined(separator: " ")
        try await execute(
            .chooseServices(Array(choices.keys), Array(choices.values)),
            audited: AuditEntry(.servicesChosen, nil, ["services": offered]))
    }
}

/// What the checks of nodes, of what they keep together, of uploads that they share, and of backups refuse.
enum NodeConstraints {
    static let refused = [
        Refused("nodes_name_length", node(name: "''")),
        Refused("nodes_version_length", node(version: "repeat('1', 101)")),
        Refused("nodes_unknown_proxy_short", node(proxy: "''")),
        Refused("nodes_most_connections_not_negative", node(connections: -1)),
        Refused("uploads_told_natural", upload(told: -1)),
        Refused("uploads_writer_at_natural", upload(begun: -1)),
        Refused("backups_id_form", backup(id: "'today'")),
        Refused("backups_place_short", backup(place: "''")),
        Refused("backups_problem_short", backup(problem: "repeat('a', 4097)", end: "now()")),
        Refused("backups_problem_ends", backup(problem: "'no room'")),
        Refused("shared_limits_key_length", "INSERT INTO shared_limits (key, full_at) VALUES ('\\x00', now())"),
    ]

    /// A process that is inserted with these values.
    private static func node(
        name: String = "'a/1'", version: String = "'0.2.0'", proxy: String = "NULL", connections: Int = 0
    ) -> String {
        """
        INSERT INTO nodes (id, name, version, serves, works, resident_bytes, disk_free_bytes, disk_total_bytes, started_at,
                           unknown_proxy, most_connections)
        VALUES (gen_random_uuid(), \(name), \(version), true, true, 0, 0, 0, now(), \(proxy), \(connections))
        """
    }

    /// A backup that is inserted with these values.
    private static func backup(
        id: String = "'20261127T031112Z'", place: String = "'/mnt'", problem: String = "NULL", end: String = "NULL"
    ) -> String {
        "INSERT INTO backups (id, place, problem, ended_at) VALUES (\(id), \(place), \(problem), \(end))"
    }

    /// An upload that is inserted with these values.
    private static func upload(told: Int = 0, begun: Int = 0) -> String {
        """
        INSERT INTO uploads (id, owner_id, protocol, expires_at, told, writer_at)
        SELECT gen_random_uuid(), id, 'tus', now(), \(told), \(begun) FROM users
        """
    }
}

internal import FoundationEssentials
internal import System

/// The server programs of one PostgreSQL version.
struct Installation: Equatable {
    /// The oldest major version that the statements of this server may rely on.
    static let oldestMajor = 15

    /// The folder that holds `postgres` and `initdb`.
    let programs: String
    let major: Int

    /// The installation for a new cluster (`clusterMajor` is `nil`), or the one for the cluster in `folder`.
    static func find(
        for clusterMajor: Int?, in folder: String, among installed: [Installation] = all()
    ) throws(PostgresClusterError) -> Installation {
        if let clusterMajor {
            guard let match = installed.first(where: { $0.major == clusterMajor }) else {
                throw .otherVersion(cluster: clusterMajor, folder: folder)
            }
            return match
        }
        guard let match = installed.first(where: { $0.major >= oldestMajor }) else {
            let found = installed.map { "version \($0.major) in \($0.programs)" }.joined(separator: ", ")
            throw .notInstalled(found.isEmpty ? "no server was found" : "found was only \(found)")
        }
        return match
    }

    /// The major version that made the cluster in `folder`, or `nil` when there is no cluster.
    static func major(ofClusterFolder folder: String) -> Int? {
        OwnedDescriptor.text(ofFile: folder + "/PG_VERSION").flatMap {
            Int($0.trimmed)
        }
    }

    /// The installations: the one that pg_config names, then Debian's folders from new to old, then PATH.
    static func all() -> [Installation] {
        var folders: [String] = []
        if let named = ChildProcess.output(of: ["pg_config", "--bindir"]) {
            folders.append(named.trimmed)
        }
        folders += debianVersions().sorted(by: >).map { "\(debian)/\($0)/bin" }
        folders += ChildProcess.path.split(separator: ":").filter { $0.hasPrefix("/") }.map { String($0) }

        var seen: Set<String> = []
        return folders.compactMap { folder in
            guard seen.insert(folder).inserted, FileManager.default.isExecutableFile(atPath: folder + "/initdb"),
                let text = ChildProcess.output(of: [folder + "/postgres", "--version"]),
                let major = major(inVersion: text)
            else { return nil }
            return Installation(programs: folder, major: major)
        }
    }

    private static let debian = "/usr/lib/postgresql"

    private static func debianVersions() -> [Int] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: debian).compactMap { Int($0) }
        } catch {
            return []  // Not Debian, or nothing installed.
        }
    }

    /// 15 of `postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)`, 18 of `postgres (PostgreSQL) 18beta1`.
    static func major(inVersion text: String) -> Int? {
        guard let number = text.split(separator: " ").dropFirst(2).first else { return nil }
        return Int(number.prefix { $0.isASCII && $0.isNumber })
    }
}

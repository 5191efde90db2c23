internal import Glibc
internal import System

/// The user that PostgreSQL runs as: PostgreSQL refuses to run as root.
struct ServerUser: Equatable {
    let user: uid_t
    let group: gid_t

    /// The owner of the cluster; for a new one the process's own user or, for root, the user `postgres` or else `nobody`.
    ///
    /// A cluster that belongs to root, as after a restored copy, is given to that user.
    static func choose(forClusterFolder folder: String) throws(PostgresClusterError) -> ServerUser {
        let owner = owner(of: folder)
        guard geteuid() == 0 else {
            if let owner, owner.user != geteuid() {
                throw .refused(
                    "\(folder) belongs to \(owner.name): start as that user, or give it to this one with chown -R")
            }
            return ServerUser(user: geteuid(), group: getegid())
        }
        if let owner, owner.user != 0 { return owner }
        guard let servant = named("postgres") ?? named("nobody") else {
            throw .refused("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody")
        }
        if owner != nil {
            guard ChildProcess.output(of: ["chown", "-R", "\(servant.user):\(servant.group)", folder]) != nil else {
                throw .refused("cannot give \(folder) to \(servant.name) with chown -R")
            }
        }
        return servant
    }

    /// The words before a command that run it as this user. It gets SIGINT, PostgreSQL's fast shutdown, when its parent dies.
    var prefix: [String] {
        var words = ["setpriv", "--no-new-privs", "--pdeathsig", "INT"]
        if geteuid() == 0 { words += ["--reuid", String(user), "--regid", String(group), "--clear-groups"] }
        return words + ["--"]
    }

    /// Whether this user can reach what lies in `folder`; a parent folder may forbid it.
    func canEnter(_ folder: String) -> Bool {
        ChildProcess.output(of: prefix + ["test", "-x", folder]) != nil
    }

    /// Makes `folder` if it is missing, as this user's own: mode 0700, not a link, nobody else's.
    func own(_ folder: String) throws(PostgresClusterError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw .refused("cannot make \(folder): \(String(cString: strerror(errno)))")
        }
        let opened = try OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        var status = stat()
        guard fstat(opened.number, &status) == 0, status.st_uid == user || status.st_uid == geteuid() else {
            throw .refused("\(folder) belongs to another user: remove it")
        }
        // Where it is this user's already, a service manager may forbid the call.
        let isOwn = status.st_uid == user && status.st_gid == group
        guard isOwn || fchown(opened.number, user, group) == 0, fchmod(opened.number, 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw .refused("cannot give \(folder) to \(name): \(reason)")
        }
    }

    /// For messages.
    var name: String {
        guard let entry = getpwuid(user) else { return "user \(user)" }
        return String(cString: entry.pointee.pw_name)
    }

    /// The name of the user that a folder belongs to; nil when it is not there, or the user has none.
    static func nameOfOwner(of folder: String) -> String? {
        owner(of: folder).flatMap { getpwuid($0.user) }.map { String(cString: $0.pointee.pw_name) }
    }

    private static func named(_ name: String) -> ServerUser? {
        getpwnam(name).map { ServerUser(user: $0.pointee.pw_uid, group: $0.pointee.pw_gid) }
    }

    private static func owner(of folder: String) -> ServerUser? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        return ServerUser(user: status.st_uid, group: status.st_gid)
    }
}

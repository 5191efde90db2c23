internal import Foundation
internal import System

/// Everything decided that it takes to create and to start a server.
struct ClusterServer {
    let folders: ClusterFolders
    let user: ServerUser
    let installation: Installation
    /// Whether the server's user can reach the data folder by its path.
    let canEnter: Bool

    /// Makes the cluster beside its place and moves it there when it is complete.
    func create(_ lock: borrowing OwnedDescriptor) throws(PostgresClusterError) {
        do {
            if access(folders.unfinished, F_OK) == 0 { try FileManager.default.removeItem(atPath: folders.unfinished) }
        } catch {
            throw .refused("cannot remove \(folders.unfinished): \(error.localizedDescription)")
        }
        try user.own(folders.unfinished)

        let logStart = folders.log.size
        let null = try OwnedDescriptor(opening: "/dev/null", O_RDONLY)
        let output = try folders.log.open()
        let door = try OwnedDescriptor(opening: folders.unfinished, O_RDONLY | O_DIRECTORY)
        let child = try ChildProcess(
            user.prefix + ClusterCreation.command(installation, target: path(of: folders.unfinished)),
            descriptors: [null.number, output.number, output.number, lock.number, door.number])
        var status = child.exitStatus()
        while status == nil {
            if Task.isCancelled {
                child.terminate()
                _ = child.waitForExit()
                throw .cancelled
            }
            Cluster.pause()
            status = child.exitStatus()
        }
        guard status == 0 else {
            throw .failed("initdb did not make a cluster", log: folders.log.lastLines(after: logStart))
        }

        let parent = try OwnedDescriptor(opening: folders.data, O_RDONLY | O_DIRECTORY)
        guard rename(folders.unfinished, folders.cluster) == 0, fsync(parent.number) == 0 else {
            throw .refused("cannot move the new cluster to \(folders.cluster): \(String(cString: strerror(errno)))")
        }
    }

    /// Starts the server with the settings that must hold whatever its configuration says.
    func start(_ lock: borrowing OwnedDescriptor) throws(PostgresClusterError) -> Supervisor {
        guard access(folders.cluster + "/PG_VERSION", F_OK) == 0 else {
            throw .refused("\(folders.cluster) is no PostgreSQL cluster: move it away")
        }
        let socket = SocketFolder(dataFolder: folders.data, canEnter: canEnter)
        try user.own(socket.path)
        let door = try OwnedDescriptor(opening: folders.cluster, O_RDONLY | O_DIRECTORY)
        let settings = [
            "listen_addresses=", "port=5432", "unix_socket_directories=\(socket.path)", "unix_socket_permissions=0700",
            "fsync=on", "full_page_writes=on", "synchronous_commit=on", "logging_collector=off",
        ]
        let command =
            user.prefix + [installation.programs + "/postgres", "-D", path(of: folders.cluster)]
            + settings.flatMap { ["-c", $0] }
        return try Supervisor(command, socketFolder: socket.path, lock: lock, door: door, log: folders.log)
    }

    /// How the server names the folder it gets as descriptor 4.
    ///
    /// Below a folder that only root may enter, such as /root or one that mktemp made, the server could not find its files by
    /// their path. The descriptor leads there without passing the parents. Source: proc(5), /proc/pid/fd.
    private func path(of folder: String) -> String { canEnter ? folder : "/proc/self/fd/4" }
}

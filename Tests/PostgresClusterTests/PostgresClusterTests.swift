import Foundation
import Logging
import System
import TestTools
import Testing

@testable import PostgresCluster

@ClusterThread
struct PostgresClusterTests {
    private let folder: TemporaryFolder
    private let probe: ClusterProbe

    init() throws {
        folder = try TemporaryFolder()
        probe = try ClusterProbe(folder)
    }

    private func cluster() -> Cluster {
        Cluster(dataFolder: probe.folders.data, logger: .silent)
    }

    @Test func `the first start makes a durable cluster that only a socket leads to`() async throws {
        let cluster = cluster()

        let connection = try await cluster.ensureRunning()

        let settings =
            "fsync full_page_writes synchronous_commit data_checksums server_encoding lc_collate listen_addresses"
        let answers = try settings.split(separator: " ").map { try probe.response("SHOW \($0)", at: connection) }
        #expect(answers == ["on", "on", "on", "on", "UTF8", "C.UTF-8", ""])
        #expect(try probe.response("SELECT current_user, current_database()", at: connection) == "pics|pics")
        await cluster.stop()
    }

    @Test func `stop leaves no process, and a second start finds the data`() async throws {
        let first = cluster()
        _ = try probe.response("CREATE TABLE kept AS SELECT 42 AS answer", at: try await first.ensureRunning())

        await first.stop()
        let postmasterAfterStop = probe.postmaster
        let second = cluster()
        let response = try probe.response("SELECT answer FROM kept", at: try await second.ensureRunning())

        #expect(postmasterAfterStop == 0)
        #expect(response == "42")
        await second.stop()
    }

    @Test func `two that start at once share one server, and the second carries on after the first`() async throws {
        let (first, second) = (cluster(), cluster())

        async let one = first.ensureRunning()
        async let other = second.ensureRunning()
        let connections = try await [one, other]
        await first.stop()
        let later = try await second.ensureRunning()

        #expect(connections[0] == connections[1])
        #expect(try probe.response("SELECT 1", at: later) == "1")
        await second.stop()
        await first.stop()
        try probe.waitForEnd()
    }

    @Test func `a running server is left alone`() async throws {
        let cluster = cluster()
        let connection = try await cluster.ensureRunning()
        let postmaster = probe.postmaster

        let again = try await cluster.ensureRunning()

        #expect(again == connection)
        #expect(probe.postmaster == postmaster)
        await cluster.stop()
    }

    @Test func `a server that was killed is started again`() async throws {
        let cluster = cluster()
        _ = try await cluster.ensureRunning()
        let killed = probe.postmaster

        kill(killed, SIGKILL)
        try probe.waitForEnd()
        let connection = try await cluster.ensureRunning()

        #expect(probe.postmaster != killed)
        #expect(try probe.response("SELECT 1", at: connection) == "1")
        await cluster.stop()
    }

    @Test func `a server whose guardian was killed stops and is started again`() async throws {
        let guardian = try probe.startUnattended()

        kill(guardian.process.id, SIGKILL)
        let cluster = cluster()
        let connection = try await cluster.ensureRunning()

        #expect(guardian.process.waitForExit() == 128 + SIGKILL)
        #expect(try probe.response("SELECT 1", at: connection) == "1")
        await cluster.stop()
    }

    @Test func `the server stops when the process in charge is killed`() throws {
        let guardian = try probe.startUnattended()
        let inCharge = try probe.holder(of: guardian.lifeline.number)
        let process = guardian.process
        _ = consume guardian

        kill(inCharge.id, SIGKILL)
        try probe.waitForEnd()

        #expect(inCharge.waitForExit() == 128 + SIGKILL)
        #expect(process.waitForExit() == 0)
        #expect(probe.postmaster == 0)
    }

    @Test func `a start right after the process in charge has died waits for its server to end`() async throws {
        let guardian = try probe.startUnattended()
        let process = guardian.process
        let cluster = cluster()

        _ = consume guardian
        let connection = try await cluster.ensureRunning()

        #expect(process.exitStatus() == 0)
        #expect(try probe.response("SELECT 1", at: connection) == "1")
        await cluster.stop()
    }

    @Test func `a process number that somebody else has by now does not stop a start`() async throws {
        let earlier = cluster()
        _ = try await earlier.ensureRunning()
        await earlier.stop()
        let stale = "\(getpid())\n\(probe.folders.cluster)\n1\n5432\n/run\n\n 1 1\nready   \n"
        try stale.write(toFile: probe.folders.cluster + "/postmaster.pid", atomically: false, encoding: .utf8)

        let cluster = cluster()
        let connection = try await cluster.ensureRunning()

        #expect(try probe.response("SELECT 1", at: connection) == "1")
        await cluster.stop()
    }

    @Test func `a creation that was interrupted is done again`() async throws {
        try FileManager.default.createDirectory(atPath: probe.folders.unfinished, withIntermediateDirectories: false)
        try "15\n".write(toFile: probe.folders.unfinished + "/PG_VERSION", atomically: false, encoding: .utf8)
        let cluster = cluster()

        let connection = try await cluster.ensureRunning()

        #expect(try probe.response("SELECT 1", at: connection) == "1")
        #expect(access(probe.folders.unfinished, F_OK) != 0)
        await cluster.stop()
    }

    @Test(arguments: [String(repeating: "long", count: 40), "a name, with 'signs'"])
    func `a data folder may have a name that no socket can have`(name: String) async throws {
        let cluster = Cluster(dataFolder: probe.folders.data + "/" + name, logger: .silent)

        let connection = try await cluster.ensureRunning()

        #expect(try probe.response("SELECT 1", at: connection) == "1")
        await cluster.stop()
    }

    @Test func `a start that fails tells what PostgreSQL said`() async throws {
        let earlier = cluster()
        _ = try await earlier.ensureRunning()
        await earlier.stop()
        let configuration = probe.folders.cluster + "/postgresql.conf"
        try "wrong_setting = 1\n".write(toFile: configuration, atomically: false, encoding: .utf8)

        let error = await #expect(throws: PostgresClusterError.self) { try await cluster().ensureRunning() }

        #expect(error?.description.contains("unrecognized configuration parameter \"wrong_setting\"") == true)
    }

    @Test func `a wait ends when its task is cancelled`() async throws {
        let charge = try OwnedDescriptor(opening: probe.folders.charge, O_RDWR | O_CREAT)
        #expect(try charge.lock())
        let cluster = cluster()
        let waiting = Task { try await cluster.ensureRunning() }

        waiting.cancel()

        await #expect(throws: PostgresClusterError.cancelled) { try await waiting.value }
    }

    @Test func `a cluster of a version that is not installed is refused`() async throws {
        try FileManager.default.createDirectory(atPath: probe.folders.cluster, withIntermediateDirectories: false)
        try "9\n".write(toFile: probe.folders.cluster + "/PG_VERSION", atomically: false, encoding: .utf8)
        let cluster = cluster()

        await #expect(throws: PostgresClusterError.otherVersion(cluster: 9, folder: probe.folders.cluster)) {
            try await cluster.ensureRunning()
        }
    }

    @Test func `a folder that is no cluster is refused`() async throws {
        try FileManager.default.createDirectory(atPath: probe.folders.cluster, withIntermediateDirectories: false)
        let cluster = cluster()

        await #expect(
            throws: PostgresClusterError.refused("\(probe.folders.cluster) is no PostgreSQL cluster: move it away")
        ) {
            try await cluster.ensureRunning()
        }
    }
}

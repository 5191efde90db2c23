import Foundation
import TestTools
import Testing

@testable import PostgresCluster

@ClusterThread
struct ClusterPartsTests {
    @Test func `postmaster.pid tells the process, the socket and the state`() {
        let text = "4711\n/data/postgres\n1790000000\n5432\n/data/run\n\n 16229000 5\nready   \n"

        let file = PostmasterFile(parsing: text)

        #expect(file?.process == 4711)
        #expect(file?.connection?.conninfo == "host=/data/run port=5432 user=pics dbname=pics")
        #expect(file?.isReady == true)
    }

    @Test(arguments: [("postgres", "postgres"), ("o'brien\\x", "o\\'brien\\\\x")])
    func `only the server's own user is believed at the socket`(name: String, quoted: String) {
        let connection = ConnectionInfo(socketFolder: "/data/run", port: 5432, user: name)

        #expect(connection.conninfo == "host=/data/run port=5432 user=pics dbname=pics requirepeer='\(quoted)'")
    }

    @Test(arguments: ["4711", "4711\n/data/postgres\n179", "4711\n/d\n1\n5432\n/data/run\n\n 1 5\nstopping\n"])
    func `a postmaster.pid that is half written or says something else is not ready`(text: String) {
        let file = PostmasterFile(parsing: text)

        #expect(file?.process == 4711)
        #expect(file?.isReady == false)
    }

    @Test(arguments: ["", "\n", "-4711\n", "word"])
    func `a postmaster.pid without a process number is none`(text: String) {
        #expect(PostmasterFile(parsing: text) == nil)
    }

    @Test func `a process that is no PostgreSQL server is not taken for one`() throws {
        let file = try #require(PostmasterFile(parsing: "\(getpid())\n"))

        #expect(!file.isAlive)
    }

    @Test(arguments: [
        ("postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n", 15), ("postgres (PostgreSQL) 18beta1\n", 18),
        ("something else\n", nil),
    ])
    func `the major version is read from what the server prints`(text: String, major: Int?) {
        #expect(Installation.major(inVersion: text) == major)
    }

    @Test func `a new cluster takes the first version that is new enough, an old one its own`() throws {
        let installed = [13, 15, 17].map { Installation(programs: "/pg/\($0)", major: $0) }

        #expect(try Installation.find(for: nil, in: "/data", among: installed).major == 15)
        #expect(try Installation.find(for: 17, in: "/data", among: installed).major == 17)
        #expect(throws: PostgresClusterError.otherVersion(cluster: 16, folder: "/data")) {
            try Installation.find(for: 16, in: "/data", among: installed)
        }
        #expect(throws: PostgresClusterError.notInstalled("found was only version 13 in /pg/13")) {
            try Installation.find(for: nil, in: "/data", among: Array(installed.prefix(1)))
        }
    }

    @Test func `a socket lies in the data folder when its path may`() {
        #expect(SocketFolder(dataFolder: "/var/lib/pics", canEnter: true).path == "/var/lib/pics/run")
    }

    @Test(arguments: [
        ("/" + String(repeating: "d", count: 89), true), ("/data folder", true), ("/дані", true), ("/root/data", false),
    ])
    func `else it lies in a folder with a short plain name of its own`(dataFolder: String, canEnter: Bool) {
        let path = SocketFolder(dataFolder: dataFolder, canEnter: canEnter).path

        #expect(path.hasPrefix("/run/pics-") || path.hasPrefix("/tmp/pics-"))
        #expect(path.utf8.count < 60)
        #expect(path == SocketFolder(dataFolder: dataFolder, canEnter: canEnter).path)
        #expect(path != SocketFolder(dataFolder: dataFolder + "2", canEnter: false).path)
    }

    @Test func `the longest path of a socket is used to its last byte`() {
        let longest = "/" + String(repeating: "d", count: 107 - "/.s.PGSQL.5432".count - "/run".count - 1)

        #expect(SocketFolder(dataFolder: longest, canEnter: true).path == longest + "/run")
        #expect(SocketFolder(dataFolder: longest + "d", canEnter: true).path != longest + "d/run")
    }

    @Test func `a folder that belongs to somebody else is not used for the socket`() throws {
        let user = ServerUser(user: 4711, group: 4711)

        #expect(throws: PostgresClusterError.self) { try user.own("/proc/1") }
    }

    @Test func `a log that is too long moves aside`() throws {
        let folder = try TemporaryFolder()
        let log = ServerLog(path: folder.path + "/log")
        try Data(count: Int(ServerLog.limit) + 1).write(to: URL(fileURLWithPath: log.path))

        log.trim()

        #expect(log.size == 0)
        #expect(ServerLog(path: log.path + ".1").size == ServerLog.limit + 1)
    }

    @Test func `the last lines of a log are those written since a moment`() throws {
        let folder = try TemporaryFolder()
        let log = ServerLog(path: folder.path + "/log")
        try "before\nfirst\nlast\n".write(toFile: log.path, atomically: false, encoding: .utf8)

        #expect(log.lastLines(after: 7) == ["first", "last"])
    }
}

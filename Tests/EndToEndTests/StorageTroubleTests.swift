import Foundation
import Glibc
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Disks that take nothing, made with mounts.
@Suite(.enabled(if: geteuid() == 0 && Mounts.areAllowed, "only root mounts file systems"))
struct StorageTroubleTests {
    @Test(.timeLimit(.minutes(10)))
    func `while the disk is read-only Pics is not ready and says why, and goes on afterwards`() async throws {
        try await withPics { pics in
            #expect(try await pics.readiness() == .ok)
            let blobs = "\(pics.folder)/data/blobs"
            #expect(Mounts.run("--bind", blobs, blobs))
            #expect(Mounts.run("-o", "remount,ro,bind", blobs))

            try await until { try await pics.readiness() != .ok }
            let ready = try await pics.send(.get, "/readyz", isAnonymous: true)
            let refused = try await pics.post(CameraPhoto.jpeg(), caption: "no room")

            #expect(ready.status == .serviceUnavailable)
            let body = try JSONValue(parsing: ready.body)
            #expect(body["checks"]?["disk"]?.string == "fail" && body["checks"]?["database"]?.string == "pass")
            #expect(body["problems"]?["disk"]?.string == "The disk is read-only.")
            #expect(refused.status == .serviceUnavailable && refused.fields["Retry-After"] == "30")
            #expect(try JSONValue(parsing: refused.body)["detail"]?.string == "The disk is read-only.")
            #expect(Mounts.unmount(blobs))
            try await until { try await pics.readiness() == .ok }
            #expect(try await pics.post(CameraPhoto.jpeg(), caption: "room").status == .created)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `without room for another file Pics is not ready`() async throws {
        try await withTestDatabase { database in
            try await withFolder { folder in
                let data = "\(folder)/data"
                #expect(mkdir(data, 0o700) == 0)
                #expect(Mounts.run("-t", "tmpfs", "-o", "size=256m,nr_inodes=600", "tmpfs", data))
                defer { Mounts.unmount(data) }
                let pics = try await Pics.start(in: folder, database: database.settings.connection)
                #expect(try await pics.readiness() == .ok)
                var number = 0
                while FileManager.default.createFile(atPath: "\(data)/filler-\(number)", contents: nil) { number += 1 }

                try await until { try await pics.readiness() != .ok }

                let body = try JSONValue(parsing: try await pics.send(.get, "/readyz", isAnonymous: true).body)
                #expect(body["problems"]?["disk"]?.string == "The disk is full: it has no room for another file.")
                #expect(try await pics.post(CameraPhoto.jpeg(), caption: "no room").status.code == 507)
                #expect(await pics.stop() == 0)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func `a start on a full disk says so and names the folder`(hasCluster: Bool) async throws {
        try await withFolder { folder in
            let data = "\(folder)/data"
            #expect(mkdir(data, 0o711) == 0)
            #expect(Mounts.run("-t", "tmpfs", "-o", "size=\(hasCluster ? 160 : 8)m,mode=711", "tmpfs", data))
            defer { Mounts.unmount(data) }
            if hasCluster {
                #expect(await (try Pics.start(in: folder, database: nil)).stop() == 0)
                let filler = open("\(data)/filler", O_WRONLY | O_CREAT, 0o600)
                let block = [UInt8](repeating: 7, count: 4096)
                while write(filler, block, block.count) == block.count {}
                close(filler)
            }

            let pics = try PicsProcess(
                ["serve"], environment: ["PICS_DATA_DIR": data, "PICS_LISTEN": "127.0.0.1:0"], folder: folder)

            #expect(await pics.end().status == 1)
            #expect(pics.logged.contains("the disk of \(data) is full"), "\(pics.logged)")
        }
    }
}

extension Pics {
    fileprivate func readiness() async throws -> HTTPStatus {
        try await send(.get, "/readyz", isAnonymous: true).status
    }
}

/// Mounts of the test process's own namespace.
private enum Mounts {
    /// A container may forbid them, root or not.
    static let areAllowed: Bool = {
        let folder = "/tmp/pics-mount-\(getpid())"
        guard mkdir(folder, 0o700) == 0 else { return false }
        defer { rmdir(folder) }
        return run("-t", "tmpfs", "tmpfs", folder) && unmount(folder)
    }()

    static func run(_ arguments: String...) -> Bool { start("/bin/mount", arguments) }

    @discardableResult
    static func unmount(_ folder: String) -> Bool { start("/bin/umount", ["--lazy", folder]) }

    private static func start(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

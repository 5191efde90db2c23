import EventLoops
import Foundation
import Glibc
import System
import TestTools

/// An nginx that caches what a server says may be cached, as a content delivery network does; a test moves its clock.
final class CachingProxy: Sendable {
    /// Scheme, host and port.
    let base: String
    private let folder: String
    private let process: pid_t
    private let start = Date()
    private static let threads = BlockingThreads(name: "nginx", count: 4)

    private static let program = "/usr/sbin/nginx"
    private static let clockLibrary = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketime.so.1"

    private static var machine: String {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }

    /// Whether nginx and libfaketime are installed; `script/bootstrap tests` sees to that on Debian.
    static var isInstalled: Bool { access(program, X_OK) == 0 && access(clockLibrary, F_OK) == 0 }

    /// Starts one at a port of this machine; it serves what `origin` serves, under its own name.
    init(at port: Int, before origin: String, in folder: String) throws {
        self.folder = folder
        base = "http://127.0.0.1:\(port)"
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        let configuration = """
            daemon off;
            master_process off;
            # It forgets all other variables.
            env FAKETIME_TIMESTAMP_FILE;
            env FAKETIME_NO_CACHE;
            env FAKETIME_DONT_FAKE_MONOTONIC;
            pid \(folder)/nginx.pid;
            error_log \(folder)/nginx.log;
            events {}
            http {
                access_log off;
                \(places.joined(separator: "\n    "))
                proxy_cache_path \(folder)/cache keys_zone=pictures:1m;
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass \(origin);
                        proxy_set_header Host $http_host;
                        proxy_cache pictures;
                        proxy_cache_revalidate on;
                        add_header X-Cache $upstream_cache_status always;
                    }
                }
            }
            """
        try configuration.write(toFile: "\(folder)/nginx.conf", atomically: false, encoding: .utf8)
        try Self.set(start, in: folder)
        let variables: [String] = [
            "LD_PRELOAD=\(Self.clockLibrary)", "FAKETIME_TIMESTAMP_FILE=\(folder)/clock", "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1",
        ]
        let command: [String] = [Self.program, "-p", folder, "-c", "\(folder)/nginx.conf"]
        var words = command.map { strdup($0) } + [nil]
        var settings = variables.map { strdup($0) } + [nil]
        defer { for word in words + settings { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, Self.program, nil, nil, &words, &settings) == 0 else {
            throw PicsProcess.Failure(description: "nginx does not start")
        }
        process = child
    }

    /// Moves its clock so far from where it began.
    func advance(by seconds: TimeInterval) throws { try Self.set(start.addingTimeInterval(seconds), in: folder) }

    /// The clock stands still at a time of UTC.
    private static func set(_ time: Date, in folder: String) throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        // As the process has it, which is the one that libfaketime reads it by.
        format.timeZone = .current
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        try format.string(from: time).write(toFile: "\(folder)/clock", atomically: true, encoding: .utf8)
    }

    /// Ends it at once.
    func stop() async {
        kill(process, SIGKILL)
        await Self.threads.run { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }
}

internal import EventLoops
internal import Foundation
internal import HTTPServer

/// Small servers and measurements for `docs/performance.md`.
@main
enum PicsBench {
    /// Not `async`: the main thread of an asynchronous program ends in a way that callgrind cannot follow.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.first == "server" else {
            print(help)
            exit(arguments.isEmpty || arguments == ["--help"] ? 0 : 2)
        }
        var options = ["--port": 8080, "--loops": 1]
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard options[name] != nil, let value = rest.popFirst().flatMap({ Int($0) }) else {
                print(help)
                exit(2)
            }
            options[name] = value
        }
        let port = UInt16(clamping: options["--port"] ?? 0)
        let loops = max(1, options["--loops"] ?? 1)
        Task.detached {
            do {
                try await BenchServer.run(port: port, loops: loops)
            } catch {
                print("pics-bench: \(error)")
                exit(1)
            }
        }
        while true { sleep(3600) }
    }

    private static let help = """
        Usage: pics-bench server [--port NUMBER] [--loops NUMBER]

          server   Answers /livez with 13 bytes and /task with the same from a task, on 127.0.0.1, until it is ended.
                   --port defaults to 8080, 0 takes a free one; --loops defaults to 1.
        """
}

internal import Glibc
internal import Imaging
internal import Media
internal import System

/// `pics-media ROLE LIMITS`: reads and makes pictures for the process that started it, over its standard input.
@main
struct PicsMedia {
    static func main() {
        guard CommandLine.arguments.count == 3, let role = MediaRole(rawValue: CommandLine.arguments[1]) else {
            end("started by pics alone, with role and limits as arguments and a socket as standard input", status: 64)
        }
        do {
            try ImagingService.run(as: role, argument: CommandLine.arguments[2])
        } catch {
            end("\(error)", status: 1)
        }
    }

    private static func end(_ reason: String, status: Int32) -> Never {
        writeToStandardError("pics-media: \(reason)\n")
        exit(status)
    }
}

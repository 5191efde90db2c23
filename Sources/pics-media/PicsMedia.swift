internal import Foundation
internal import Imaging

/// `pics-media LIMITS`: reads and makes pictures for the process that started it, over its standard input.
@main
struct PicsMedia {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            end("started by pics alone, with limits as its argument and a socket as its standard input", status: 64)
        }
        do {
            try ImagingService.run(argument: CommandLine.arguments[1])
        } catch {
            end("\(error)", status: 1)
        }
    }

    private static func end(_ reason: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("pics-media: \(reason)\n".utf8))
        exit(status)
    }
}

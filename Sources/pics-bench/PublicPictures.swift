internal import Domain
internal import Foundation
internal import Logging
internal import Media

/// Makes all public pictures of one file, as Pics does, and tells what it took.
enum PublicPictures {
    /// Prints the seconds for all pictures and the most memory that their process held, in bytes.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - formats: Of each size.
    ///   - program: The path of `pics-media`.
    /// - Throws: What kept them from being made.
    static func make(of file: String, in formats: [Rendition.Format], by program: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pics-bench-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pool = MediaPool(
            MediaPool.Configuration(program: program, children: 1, deadline: .seconds(120)),
            logger: Logger(threshold: .warning, sink: StandardOutput()))
        let wanted = PublicRendition.allCases.flatMap { size in
            formats.map { format in
                let fit: Rendition.Fit = size.isSquare ? .square(side: size.side) : .inside(maxSide: size.side)
                return (
                    rendition: Rendition(fit, format, quality: format == .avif ? 55 : 80),
                    output: "\(folder)/\(size.rawValue).\(format.rawValue)"
                )
            }
        }
        // The process is there already when a photo comes.
        _ = try await pool.probe(file)
        let start = ContinuousClock.now
        _ = try await pool.render(file, wanted)
        let duration = (ContinuousClock.now - start) / .seconds(1)
        let peaks = pool.processes.compactMap { peak(of: $0) }
        print(duration, peaks.max() ?? 0)
        await pool.stop()
    }

    /// VmHWM (proc(5)), in bytes.
    private static func peak(of process: Int32) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/)
        else { return nil }
        return Int(match.1).map { $0 * 1024 }
    }
}

/// Complaints go where the figures go.
private struct StandardOutput: LogSink {
    func write(_ line: [UInt8]) { print(String(decoding: line, as: UTF8.self), terminator: "") }
}

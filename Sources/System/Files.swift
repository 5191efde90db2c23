internal import FoundationEssentials
internal import Glibc

/// Sizes of files, and how people read them: in powers of 1,024.
package enum FileSize {
    /// The size of a file in bytes; nil when it cannot be looked at (stat(2)).
    package static func ofFile(at path: String) -> Int64? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
    }

    private static let units: [(name: String, decimals: Int)] = [("kB", 0), ("MB", 1), ("GB", 2), ("TB", 2), ("PB", 2)]

    /// `512 bytes`, `977 kB`, `1.4 MB`, `4.66 GB`; zeros behind the point are left out.
    package static func text(_ bytes: Int64) -> String {
        guard bytes.magnitude >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var size = Double(bytes)
        for unit in units {
            size /= 1024
            var scale = 1.0
            for _ in 0..<unit.decimals { scale *= 10 }
            let rounded = (size * scale).rounded() / scale
            guard rounded.magnitude < 1000 || unit.name == "PB" else { continue }
            return "\(rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)) \(unit.name)"
        }
        return "\(bytes) bytes"
    }
}

extension Error {
    /// Why the system refused a call about a file: its own words, such as "Permission denied"; of any other error what it says.
    package var fileReason: String {
        guard let code = ((self as? CocoaError)?.underlying as? POSIXError)?.code else { return "\(self)" }
        return String(cString: strerror(code.rawValue))
    }
}

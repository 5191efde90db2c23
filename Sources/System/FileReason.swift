internal import FoundationEssentials
internal import Glibc

extension Error {
    /// Why the system refused a call about a file: its own words, such as "Permission denied"; of any other error what it says.
    package var fileReason: String {
        guard let code = ((self as? CocoaError)?.underlying as? POSIXError)?.code else { return "\(self)" }
        return String(cString: strerror(code.rawValue))
    }
}

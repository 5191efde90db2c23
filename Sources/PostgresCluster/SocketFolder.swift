internal import Foundation

/// The folder of the cluster's socket.
///
/// A socket's path has at most 107 bytes (unix(7), `sun_path` with its final zero), and libpq and PostgreSQL both give a
/// meaning to some characters of it. Hence the folder is `run` in the data folder if its path is short and plain, else one with a
/// short name that follows from the data folder's.
struct SocketFolder {
    static let longestPath = 107
    private static let socketName = "/.s.PGSQL.5432"

    let path: String

    /// The folder for the cluster in `dataFolder`, an absolute path without links, which the server may be unable to enter.
    init(dataFolder: String, canEnter: Bool) {
        let inside = dataFolder + "/run"
        if canEnter, Self.isPlain(inside), inside.utf8.count + Self.socketName.utf8.count <= Self.longestPath {
            path = inside
        } else {
            // Not XDG_RUNTIME_DIR: it goes away when its user logs out, and the server may stay.
            let user = geteuid()
            path = (user == 0 ? "/run/pics-" : "/tmp/pics-\(user)-") + Self.hash(of: dataFolder)
        }
    }

    private static func isPlain(_ path: String) -> Bool {
        path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// FNV-1a with 64 bits, as 16 digits: the same in every process, which Swift's own hashes are not.
    private static func hash(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

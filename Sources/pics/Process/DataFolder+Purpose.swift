import Glibc
import Settings

/// The use that a command makes of the data folder.
enum Purpose {
    /// To begin a Pics where there is none.
    case beginning
    /// To use the database alone.
    case database
    /// To seal credentials.
    case credentials
    /// To work with photos.
    case photos
}

extension DataFolder {
    /// Makes the folder for a command that begins a Pics, and looks for it for all others: in a mistyped place there must
    /// not come to be a second, empty Pics. With a PostgreSQL elsewhere there may be no folder at all.
    func prepare(for purpose: Purpose, _ configuration: Configuration) throws(CommandFailure) {
        switch purpose {
        case .beginning:
            return try make([path, blobs, copies])
        case .database:
            break
        case .credentials:
            if configuration[PicsSettings.secretKey] == nil { try demand(path) }
        case .photos:
            try demand(blobs)
            try make([copies])
        }
        guard configuration[PicsSettings.databaseURL] == nil else { return }
        if isThere(blobs), !isThere(cluster) {
            throw CommandFailure(
                "The Pics in \(shown) has no PostgreSQL of its own. Name its server in database_url, or start it with "
                    + "pics serve.")
        }
        try demand(cluster)
    }

    private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private func demand(_ path: String) throws(CommandFailure) {
        if isThere(path) { return }
        guard errno != EACCES else {
            throw CommandFailure("This user may not look into \(shown). Run the command as the user that runs Pics.")
        }
        throw CommandFailure(
            "There is no Pics in \(shown). Name its folder with --data-dir, or start it with pics serve.")
    }

    private func make(_ folders: [String]) throws(CommandFailure) {
        for folder in folders {
            let code = Self.makeFolder(folder)
            guard code == 0 else {
                throw CommandFailure(
                    "The data folder \(shown) cannot be used: \(String(cString: strerror(code))) at \(folder). "
                        + "Choose another with --data-dir.")
            }
        }
    }

    /// Makes a folder, and those above it, for its owner alone.
    ///
    /// - Returns: 0 when it is there and may be written to, else the `errno`.
    private static func makeFolder(_ folder: String) -> Int32 {
        var code = mkdir(folder, 0o700) == 0 ? 0 : errno
        if code == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            code = makeFolder(String(folder[..<slash]))
            guard code == 0 else { return code }
            code = mkdir(folder, 0o700) == 0 ? 0 : errno
        }
        guard code == EEXIST else { return code }
        // With the dot a file in its place is none.
        return access("\(folder)/.", R_OK | W_OK | X_OK) == 0 ? 0 : errno
    }
}

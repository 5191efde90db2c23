/// Why a backup was not made, or cannot be used; the texts are for the operator.
package enum BackupError: Error, Equatable, CustomStringConvertible {
    /// There is none, or not the one that was asked for.
    case notFound(String)
    /// It is encrypted, and no passphrase was given.
    case locked
    /// It is encrypted with another passphrase.
    case wrongPassphrase
    /// Another Pics keeps its backups there.
    case ofAnother(String)
    /// There are backups without encryption, and a passphrase was given.
    case plain(String)
    /// Files are in it that are not what was written.
    case damaged(String)
    /// A local file cannot be written or read.
    case file(String)
    /// A later release has made it.
    case newer(release: String)
    /// Something is where it is to be restored.
    case notEmpty(String)
    /// It does not hold the sealing key, and that is not here either.
    case noKey(id: String, path: String)

    package var description: String {
        switch self {
        case .notFound(let place): "There is no backup at \(place)."
        case .locked:
            "The backup is encrypted. Set its passphrase: PICS_BACKUP_PASSPHRASE, or PICS_BACKUP_PASSPHRASE_FILE for a file."
        case .wrongPassphrase: "The passphrase is not that of these backups."
        case .ofAnother(let place): "\(place) has the backups of another Pics. Name another place."
        case .plain(let place):
            "The backups at \(place) are not encrypted. Name another place for encrypted ones, or leave the passphrase away."
        case .damaged(let name): "\(name) of the backup is missing or damaged."
        case .file(let path): "\(path) cannot be written or read: is the disk full?"
        case .newer(let release):
            "The backup is of Pics \(release), which is newer than this program. Install that release first."
        case .notEmpty(let what): "\(what) Nothing was changed: restore into an empty place."
        case .noKey(let id, let path):
            """
            The backup was made without its sealing key, and the key \(id) is not in \(path). Copy that file there from where you keep it, \
            and try again; or restore with --without-key: then all accounts have to be connected again.
            """
        }
    }
}

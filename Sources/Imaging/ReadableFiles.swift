internal import CLinux
internal import Glibc

/// What this process and all it starts may read from now on (landlock(7)): programs and libraries, and one file.
///
/// A video that takes ffmpeg over could otherwise read secrets of the same user, and show them as its picture.
package enum ReadableFiles {
    /// What programs consist of. On Debian 12 all else below `/` that these need leads to `/usr`.
    private static let programs = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache"]
    private static let (execute, readFile, readFolder) = (
        UInt64(LANDLOCK_ACCESS_FS_EXECUTE), UInt64(LANDLOCK_ACCESS_FS_READ_FILE), UInt64(LANDLOCK_ACCESS_FS_READ_DIR)
    )
    /// All rights of Landlock's first version, of Linux 5.13: the lowest thirteen bits.
    private static let all = (UInt64(1) << 13) - 1

    /// Takes everything else away from the calling thread.
    ///
    /// - Parameter input: The one file, open; nil for none.
    /// - Returns: False when this kernel has no Landlock: then nothing has changed.
    @discardableResult
    package static func restrict(to input: Int32?) -> Bool {
        let rules = pics_landlock_begin(all)
        guard rules >= 0 else { return false }
        defer { close(rules) }
        for path in programs {
            let place = open(path, O_RDONLY | O_CLOEXEC)
            guard place >= 0 else { continue }
            defer { close(place) }
            var facts = stat()
            guard fstat(place, &facts) == 0 else { continue }
            // A file has no right to be listed.
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            _ = pics_landlock_allow(rules, place, isFolder ? execute | readFile | readFolder : readFile)
        }
        if let input { _ = pics_landlock_allow(rules, input, readFile) }
        return pics_landlock_enter(rules) == 0
    }
}

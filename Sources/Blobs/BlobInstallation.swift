internal import Crypto
internal import EventLoops
package import Foundation

/// The identifier of the installation that the files belong to, in the file `installation` of the store's folder.
extension BlobStore {
    /// The identifier, nil when none was written yet.
    ///
    /// - Throws: `invalidInstallation` when the file holds none.
    package func installation() async throws(BlobError) -> UUID? {
        let path = folder.installation
        return try await threads.run { () throws(BlobError) in
            guard try Disk.status(of: path) != nil else { return nil }
            let descriptor = try Disk.open(path, O_RDONLY)
            defer { close(descriptor) }
            var bytes: [UInt8] = []
            try Disk.readBlocks(of: descriptor) { block in bytes += block.prefix(64) }
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let id = UUID(uuidString: text) else { throw .invalidInstallation(path: path) }
            return id
        }
    }

    /// Writes the identifier durably, in place of another.
    package func setInstallation(_ id: UUID) async throws(BlobError) {
        let folder = folder
        try await threads.run { () throws(BlobError) in
            let temporary = "\(folder.temporary)/\(Hex.encode(randomBytes(count: 16)))"
            do throws(BlobError) {
                let descriptor = try Disk.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
                defer { close(descriptor) }
                try Disk.write(Array("\(id.uuidString.lowercased())\n".utf8)[...], to: descriptor)
                try Disk.synchronizeData(of: descriptor)
                try Disk.rename(temporary, to: folder.installation)
            } catch {
                _ = try Disk.remove(temporary)
                throw error
            }
            try Disk.synchronizeFolder(folder.path)
        }
    }
}

package import FoundationEssentials

/// The contents of one backup: `backups/ID/manifest.json`, which is written last. A backup without it was never finished.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// A table as `tables/NAME.copy.gz`: the text format of `COPY`.
    package struct Table: Codable, Sendable, Equatable {
        package let name: String
        package let columns: [String]
        package let rows: Int64
        /// Of the compressed file.
        package let bytes: Int64
        /// Of the compressed file, before it was encrypted.
        package let sha256: String

        func file(in id: String) -> String { "\(BackupManifest.folder(id))tables/\(name).copy.gz" }
    }

    /// The newest form that this program reads.
    static let form = 1

    package var form = BackupManifest.form
    /// The moment of its state, such as `20261127T031112Z`: its folder's name.
    package var id: String
    package var madeAt: Date
    /// Of the program that made it.
    package var release: String
    /// The last migration.
    package var schema = 0
    package var installation: UUID?
    /// The identifier of the sealing key, 8 hexadecimal digits.
    package var sealingKey: String?
    /// Whether `secret.key` is in it.
    package var hasKey: Bool
    package var tables: [Table] = []
    /// The numbers that sequences have given last.
    package var sequences: [String: Int64] = [:]
    /// The files that its state names, in `files.gz`: a digest and a size a line.
    package var files = 0
    package var bytes: Int64 = 0
    package var filesSHA256 = ""
    /// Digests of files that were missing or damaged when it was made.
    package var faulty: [String] = []
    /// Settings that are no secrets, by their names.
    package var settings: [String: String]

    /// Of a table's rows; 0 for one that is not in it.
    package func rows(of table: String) -> Int64 { tables.first { $0.name == table }?.rows ?? 0 }

    static func folder(_ id: String) -> String { "backups/\(id)/" }
    static func name(_ id: String) -> String { "\(folder(id))manifest.json" }

    /// The name of a backup of this moment.
    package static func id(of moment: Date) -> String {
        let text = moment.ISO8601Format(.iso8601WithTimeZone(includingFractionalSeconds: false))
        return text.filter { $0 != "-" && $0 != ":" }
    }

    /// As JSON.
    func serialized() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        encoder.dateEncodingStrategy = .iso8601
        return [UInt8](try encoder.encode(self))
    }

    init(parsing bytes: [UInt8], named name: String) throws(BackupError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        struct Form: Decodable { let form: Int, release: String }
        do {
            let form = try decoder.decode(Form.self, from: Data(bytes))
            guard form.form <= Self.form else { throw BackupError.newer(release: form.release) }
            self = try decoder.decode(Self.self, from: Data(bytes))
        } catch let error as BackupError {
            throw error
        } catch {
            throw .damaged(name)
        }
        // They become parts of paths and of statements.
        let names = tables.map(\.name) + sequences.keys
        guard Self.name(id) == name, names.allSatisfy(Self.isName) else { throw .damaged(name) }
    }

    /// Whether it is a name of Pics' own tables and sequences.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x5F }
    }
}

extension BackupManifest {
    init(id: String, madeAt: Date, release: String, hasKey: Bool, settings: [String: String]) {
        self.id = id
        self.madeAt = madeAt
        self.release = release
        self.hasKey = hasKey
        self.settings = settings
    }
}

internal import Blobs
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import Imports
internal import Media
internal import System

/// The posts of a run, from the first file of each to its photo. Files of archives lie in the temporary folder until their post has all.
struct ImportedPosts {
    private let reading: ImportReading
    private let run: ImportRun
    private let zone: Zone
    private var isEnded: [Bool]
    /// Posts that have some of their files.
    private var begun: [Int: (item: ImportItem, files: [Int: String])] = [:]
    /// Paths of theirs that are to be removed, by post in the order in which they began.
    private var order: [Int] = []

    /// Posts that wait for files at once; those of one lie together in every archive that is known.
    private static let mostBegun = 100
    /// How often the reader of an archive may die over a file and be started again.
    private static let mostDeaths = 5

    init(_ reading: ImportReading, _ run: ImportRun, zone: Zone) {
        self.reading = reading
        self.run = run
        self.zone = zone
        isEnded = Array(repeating: false, count: reading.items.count)
    }

    /// Ends those that have nothing to begin with, and names the files that others lack.
    mutating func beginWithout() async throws {
        for (post, planned) in reading.items.enumerated() {
            if let text = planned.unreadable {
                isEnded[post] = true
                try run.countFailed(.badText, text)
            } else if planned.files.isEmpty {
                isEnded[post] = true
                try run.countFailed(.missing, planned.missing.first ?? "-")
            }
        }
    }

    // MARK: Files

    mutating func take(_ files: [Int], ofFolder folder: String) async throws {
        for file in files {
            try Task.checkCancellation()
            guard let post = try await wanting(file) else { continue }
            // Nobody but the owner of the folder wrote it, and it is read where it lies.
            try await take("\(folder)/\(reading.tree.files[file].name)", file, of: post)
        }
    }

    mutating func take(_ files: [Int], ofArchive path: String) async throws {
        var reader: ArchiveReader?
        var deaths = 0
        do {
            for file in files {
                try Task.checkCancellation()
                guard let post = try await wanting(file) else { continue }
                let known = reading.tree.files[file]
                if known.isEncrypted {
                    try await fail(post, .encrypted, file)
                    continue
                }
                if let size = known.size, size > run.context.limits.fileBytes {
                    try await fail(post, .tooLong, file)
                    continue
                }
                do {
                    let open: ArchiveReader
                    if let reader { open = reader } else { open = try await self.open(path) }
                    reader = open
                    try await take(try await extract(known, from: open), file, of: post)
                } catch let error as ArchiveError {
                    if error == .tooCostly, deaths < Self.mostDeaths {
                        deaths += 1
                        await close(reader)
                        reader = nil
                    }
                    guard error != .failed else { throw error }
                    try await fail(post, ImportProblem(error), file)
                }
            }
        } catch {
            await close(reader)
            throw error
        }
        await close(reader)
    }

    private func open(_ path: String) async throws -> ArchiveReader {
        try await run.threads.run { [run] in
            try run.context.media.archive(at: path, longest: run.context.limits.fileBytes)
        }
    }

    private func close(_ reader: ArchiveReader?) async {
        guard let reader else { return }
        await run.threads.run { reader.close() }
    }

    /// Writes a file of an archive to a path of its own.
    private func extract(_ file: ImportTree.File, from reader: ArchiveReader) async throws -> String {
        let path = run.actions.photos.temporaryPath("import")
        // What has more bytes than the archive says is none of its files.
        let limit = min(run.context.limits.fileBytes, file.size ?? .max)
        try await run.threads.run {
            guard try reader.seek(to: file.number) else { throw ArchiveError.cutOff }
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw SpoolFile.Failure("a file of the import cannot be made") }
            let output = OpenFile(owning: descriptor)
            do { _ = try reader.extract(to: output.descriptor, limit: limit) } catch {
                unlink(path)
                throw error
            }
        }
        return path
    }

    // MARK: Posts

    /// The post that waits for a file; nil when it has ended. Says of a post what its source does, and ends one that is known.
    private mutating func wanting(_ file: Int) async throws -> Int? {
        guard let post = reading.itemOfFile[file], !isEnded[post] else { return nil }
        guard begun[post] == nil else { return post }
        let item: ImportItem?
        do {
            item = try await run.threads.run { [reading] in
                try reading.format.item(reading.items[post], reading.tree, reading.texts)
            }
        } catch let problem as ImportProblem {
            try await fail(post, problem, file)
            return nil
        }
        guard let item else {
            // Its source says that it is none, such as what lies in a bin.
            isEnded[post] = true
            run.countKnown()
            return nil
        }
        if let identity = item.identity,
            try await run.endKnown(ImportKey(type(of: reading.format).source, identity: identity), item.album)
        {
            isEnded[post] = true
            return nil
        }
        begun[post] = (item, [:])
        order.append(post)
        if begun.count > Self.mostBegun, let oldest = order.first(where: { begun[$0] != nil }) {
            try await fail(oldest, .scattered, reading.items[oldest].files[0])
        }
        return begun[post] == nil ? nil : post
    }

    /// Takes a file of a post; with the last one it becomes a photo.
    private mutating func take(_ path: String, _ file: Int, of post: Int) async throws {
        begun[post]?.files[file] = path
        let planned = reading.items[post]
        guard let (item, files) = begun[post], files.count == planned.files.count else { return }
        let paths = planned.files.compactMap { files[$0] }
        do {
            let first = reading.tree.files[planned.files[0]]
            let source = type(of: reading.format).source
            try await run.create(item, of: source, paths, fileDate: first.modified, in: zone)
            await end(post)
            // The rest of it is here; what was not among the files is named.
            for name in planned.missing { try run.countFailed(.missing, name) }
        } catch {
            guard let problem = ImportProblem(ofPost: error) else {
                await end(post)
                throw error
            }
            try await fail(post, problem, planned.files[0])
        }
    }

    private mutating func fail(_ post: Int, _ problem: ImportProblem, _ file: Int) async throws {
        await end(post)
        try run.countFailed(problem, reading.tree.files[file].name)
    }

    private mutating func end(_ post: Int) async {
        isEnded[post] = true
        let files = begun.removeValue(forKey: post)?.files ?? [:]
        order.removeAll { $0 == post }
        await removeFiles(files)
    }

    /// Those of folders stay.
    private func removeFiles(_ files: [Int: String]) async {
        let temporary = "\(run.context.temporaryFolder)/"
        let paths = files.values.filter { $0.hasPrefix(temporary) }
        if !paths.isEmpty { await run.context.blobs.remove(filesAt: paths) }
    }

    /// Ends those whose files have not all come.
    mutating func end() async throws {
        for post in order { try await fail(post, .missing, reading.items[post].files[0]) }
    }

    /// Removes what was written and is of no use any more.
    func removeAll() async {
        for (_, post) in begun { await removeFiles(post.files) }
    }
}

extension ImportProblem {
    /// What is wrong with a post; nil for what is not its fault.
    init?(ofPost error: any Error) {
        switch error {
        case let problem as ImportProblem: self = problem
        case ActionError.storageQuotaUsed: self = .quota
        case ActionError.unsupportedMediaType: self = .unsupported
        case MediaError.refused(.unknownType): self = .unsupported
        case MediaError.refused(.tooManyPixels), BlobError.tooLarge: self = .tooLong
        case MediaError.refused: self = .damaged
        case is InvalidField: self = .badText
        default: return nil
        }
    }
}

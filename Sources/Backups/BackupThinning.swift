internal import Blobs
internal import Crypto
internal import EventLoops
package import FoundationEssentials

/// Which backups are kept: those of the last 24 hours, and the newest of each of so many days, weeks and months.
package struct BackupSchedule: Sendable, Equatable {
    package var days: Int
    package var weeks: Int
    package var months: Int

    package init(days: Int, weeks: Int, months: Int) {
        (self.days, self.weeks, self.months) = (days, weeks, months)
    }

    /// Those that are kept among backups of these moments; the newest always is.
    func kept(_ backups: [(id: String, madeAt: Date)], at now: Date) -> Set<String> {
        let newestFirst = backups.sorted { $0.madeAt > $1.madeAt }
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let recent = newestFirst.filter { now.timeIntervalSince($0.madeAt) < 86_400 }
        var kept = Set(newestFirst.prefix(1).map(\.id) + recent.map(\.id))
        let spans: [(Int, Set<Calendar.Component>)] = [
            (days, [.year, .month, .day]), (weeks, [.yearForWeekOfYear, .weekOfYear]), (months, [.year, .month]),
        ]
        for (count, components) in spans {
            var seen: Set<DateComponents> = []
            for backup in newestFirst where seen.count < count {
                if seen.insert(calendar.dateComponents(components, from: backup.madeAt)).inserted {
                    kept.insert(backup.id)
                }
            }
        }
        return kept
    }
}

extension BackupPlace {
    /// Removes the backups that a schedule does not keep, and the files that no other names.
    ///
    /// No backup may be made at this place meanwhile. `goesOn` is called now and then.
    ///
    /// - Returns: The backups that were removed.
    /// - Throws: `BackupError`, `BlobError`.
    package func thin(
        _ schedule: BackupSchedule, at now: Date, _ goesOn: @Sendable () async -> Void = {}
    ) async throws -> [String] {
        var all: [BackupManifest] = []
        for id in try await backups() { all.append(try await manifest(id)) }
        try await removeUnfinished(begunBefore: BackupManifest.id(of: now.addingTimeInterval(-86_400)))
        let kept = schedule.kept(all.map { ($0.id, $0.madeAt) }, at: now)
        let ended = all.filter { !kept.contains($0.id) }
        guard !ended.isEmpty else { return [] }
        for manifest in ended {
            // Without it the rest is no backup any more.
            try await files.remove(BackupManifest.name(manifest.id))
            for file in try await files.list(BackupManifest.folder(manifest.id)) { try await files.remove(file.name) }
        }
        try await removeBlobs(exceptOf: all.filter { kept.contains($0.id) }, goesOn)
        return ended.map(\.id)
    }

    /// Removes what interrupted backups have left; their files stay for the next one.
    private func removeUnfinished(begunBefore id: String) async throws {
        let finished = Set(try await backups())
        for file in try await files.list("backups/") {
            let other = file.name.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            if !finished.contains(other), other < id { try await files.remove(file.name) }
        }
    }

    private func removeBlobs(
        exceptOf backups: [BackupManifest], _ goesOn: @Sendable () async -> Void
    ) async throws {
        // By the first 8 bytes: two that share them keep each other, which does no harm.
        var named: Set<UInt64> = []
        for manifest in backups {
            await goesOn()
            let list = newPath()
            try await threads.removing([list]) { () async throws in
                let name = "\(BackupManifest.folder(manifest.id))files.gz"
                guard try await get(name, to: list)?.hex == manifest.filesSHA256 else {
                    throw BackupError.damaged(name)
                }
                let lines = try await ListedFiles.open(list, threads: threads)
                while case let group = try await lines.next(1024), !group.isEmpty {
                    for digest in group { named.insert(Self.beginning(of: self.name(ofBlob: digest))) }
                }
            }
        }
        for byte in UInt8.min...UInt8.max {
            await goesOn()
            for file in try await files.list(Self.shard(byte)) where !named.contains(Self.beginning(of: file.name)) {
                try await files.remove(file.name)
            }
        }
    }

    private static func beginning(of name: String) -> UInt64 {
        UInt64(name.split(separator: "/").last?.prefix(16) ?? "", radix: 16) ?? 0
    }
}

import Domain
import EventLoops
import FoundationEssentials
import Glibc
import Settings
import Store
import TLS
import Web

/// What can be wrong with the machine, the database and the backups.
extension Doctor {
    /// With fewer inodes an upload may fail soon.
    private static let scarceNames: UInt64 = 10_000
    /// The clocks of two machines; signed addresses and one-time passwords bear not much more.
    private static let clockDifference: TimeInterval = 10
    /// Before the end of a certificate.
    private static let certificateNotice: TimeInterval = 14 * 86_400

    /// A version of PostgreSQL that its makers do not mend any more, or that Pics was never tried with.
    func database() async throws -> [Finding] {
        let version = try await runtime.store.databaseVersion()
        let major = version / 10_000
        guard major < 15 else { return [] }
        return [
            Finding(
                Phrase("PostgreSQL is of version \(major).", ja: "PostgreSQLのバージョンが\(major)です。"),
                remedy: Phrase("Pics needs version 15 or newer.", ja: "バージョン15以降が必要です。"))
        ]
    }

    /// A clock that is not that of the database: times of photos and of leases are compared.
    func clock() async throws -> [Finding] {
        let begun = Date()
        let theirs = try await runtime.store.currentTime()
        let difference = theirs.timeIntervalSince(begun)
        guard abs(difference) > Self.clockDifference else { return [] }
        return [
            Finding(
                Phrase(
                    "The clock of this machine and that of the database differ by \(Int(abs(difference))) seconds.",
                    ja: "このマシンとデータベースの時計が\(Int(abs(difference)))秒ずれています。"),
                remedy: Phrase(
                    "Let both machines set their clocks by NTP (`timedatectl set-ntp true`).",
                    ja: "両方のマシンでNTPによる時刻同期を有効にしてください（`timedatectl set-ntp true`）。"))
        ]
    }

    /// A disk that is nearly full, of bytes or of names.
    func disk() async -> [Finding] {
        let folder = runtime.folder.path
        let facts = await runtime.threads.run { () -> statvfs? in
            var facts = statvfs()
            return statvfs(folder, &facts) == 0 ? facts : nil
        }
        guard let facts else { return [] }
        var findings: [Finding] = []
        let free = Int64(facts.f_bavail) * Int64(facts.f_frsize)
        if free < ProcessStatus.scarceDiskBytes {
            findings.append(
                Finding(
                    Phrase(
                        "The disk of \(runtime.folder.shown) has only \(free >> 20) MiB left.",
                        ja: "\(runtime.folder.shown) のディスクの空きが\(free >> 20) MiBしかありません。"),
                    remedy: Phrase(
                        "Make room, or move the data folder to a larger disk.",
                        ja: "空きを増やすか、データフォルダーをより大きなディスクへ移してください。")))
        }
        // Some file systems have no bound, and say 0.
        if facts.f_files > 0, facts.f_favail < Self.scarceNames {
            findings.append(
                Finding(
                    Phrase(
                        "The disk of \(runtime.folder.shown) takes only \(facts.f_favail) more files (inodes).",
                        ja: "\(runtime.folder.shown) のディスクに作成できるファイルは残り\(facts.f_favail)個です（iノード）。"),
                    remedy: Phrase(
                        "Delete small files, or move the data folder to a file system with more inodes.",
                        ja: "小さなファイルを削除するか、iノードの多いファイルシステムへ移してください。")))
        }
        return findings
    }

    /// A data folder that others may look into.
    func permissions() async -> [Finding] {
        let folder = runtime.folder.path
        let mode = await runtime.threads.run { () -> mode_t in
            var facts = stat()
            return stat(folder, &facts) == 0 ? facts.st_mode : 0
        }
        guard mode & 0o006 != 0 else { return [] }
        return [
            Finding(
                Phrase(
                    "Other users of this machine may look into \(runtime.folder.shown).",
                    ja: "このマシンの他のユーザーが \(runtime.folder.shown) を参照できます。"),
                remedy: Phrase(
                    "`chmod o-rwx \(folder)`: files of photos and keys are their owner's alone.",
                    ja: "`chmod o-rwx \(folder)` を実行してください。写真や鍵は所有者だけのものです。"))
        ]
    }

    /// A replica that is not read from.
    func replica() async throws -> [Finding] {
        guard let replica = runtime.store.replica else { return [] }
        // It needs a moment to reach what was committed just now.
        for _ in 0..<20 {
            await replica.compare(with: runtime.store)
            if replica.status.state == .used { return [] }
            try await runtime.workLoop.sleep(for: .milliseconds(100))
        }
        let (fault, remedy) =
            switch replica.status.state {
            case .used, .behind:
                (
                    Phrase("The read replica does not follow the database.", ja: "リードレプリカがデータベースに追従していません。"),
                    Phrase(
                        "Look at `pg_stat_replication` of the primary and the log of the standby.",
                        ja: "プライマリーの`pg_stat_replication`とスタンバイのログを確認してください。")
                )
            case .unreachable:
                (
                    Phrase("The read replica cannot be reached.", ja: "リードレプリカに接続できません。"),
                    Phrase(
                        "Start it, or correct `database_replica_url`; until then the primary is read.",
                        ja: "起動するか、`database_replica_url` を訂正してください。それまではプライマリーから読み取ります。")
                )
            case .foreign:
                (
                    Phrase(
                        "`database_replica_url` leads to no standby of this database.",
                        ja: "`database_replica_url` の接続先は、このデータベースのスタンバイではありません。"),
                    Phrase(
                        "Name a standby there, or remove the setting.",
                        ja: "スタンバイを指定するか、設定を削除してください。")
                )
            }
        return [Finding(fault, remedy: remedy)]
    }

    /// Proxies that are not known to be ones.
    func proxies(_ nodes: [NodeStatus]) -> [Finding] {
        let addresses = Set(nodes.filter { $0.state != .lost }.compactMap(\.unknownProxy))
        guard !addresses.isEmpty else { return [] }
        let list = addresses.sorted().joined(separator: ", ")
        return [
            Finding(
                Phrase(
                    "Requests come through a proxy at \(list) that `trusted_proxies` does not name: all its clients share the limits of one address.",
                    ja: "`trusted_proxies` にないプロキシ（\(list)）を経由したリクエストがあります。そのすべての利用者が1つのアドレスの上限を共有します。"),
                remedy: Phrase(
                    "If it is yours, add the address to `trusted_proxies`.",
                    ja: "自分のプロキシであれば、そのアドレスを `trusted_proxies` に追加してください。"))
        ]
    }

    /// More connections than PostgreSQL takes; a pooler bundles them.
    func connections(_ nodes: [NodeStatus]) async throws -> [Finding] {
        guard runtime.configuration[PicsSettings.databaseDirectURL] == nil else { return [] }
        let nodes = nodes.filter { $0.state != .lost }
        let sum = nodes.reduce(0) { $0 + $1.mostConnections }
        let limit = try await runtime.store.connectionLimit()
        guard sum > limit else { return [] }
        return [
            Finding(
                Phrase(
                    "\(nodes.count) processes may open \(sum) connections to PostgreSQL, which takes \(limit).",
                    ja: "\(nodes.count)個のプロセスがPostgreSQLに最大\(sum)の接続を開く可能性がありますが、受け付けられるのは\(limit)までです。"),
                remedy: Phrase(
                    "Lower `database_connections`, raise PostgreSQL's `max_connections`, or put pgbouncer between.",
                    ja: "`database_connections` を下げるか、PostgreSQLの `max_connections` を上げるか、pgbouncerを使ってください。"))
        ]
    }

    /// Processes that were lost, or run another release.
    func processes(_ nodes: [NodeStatus]) -> [Finding] {
        var findings = nodes.filter { $0.state == .lost }.map { node in
            Finding(
                Phrase("\(node.name) does not respond any more.", ja: "\(node.name) が応答していません。"),
                remedy: Phrase(
                    "Start it again; the others go on with its work. It leaves the list after a day.",
                    ja: "再起動してください。処理は他のプロセスが引き継ぎます。一覧からは1日後に消えます。"))
        }
        let versions = Set(nodes.filter { $0.state != .lost }.map(\.version)).sorted()
        if versions.count > 1 {
            let list = versions.joined(separator: ", ")
            findings.append(
                Finding(
                    Phrase("The processes are of several releases: \(list).", ja: "プロセスのバージョンが混在しています：\(list)"),
                    remedy: Phrase(
                        "Fine during an upgrade. Else restart the older ones with the new program.",
                        ja: "アップグレード中なら問題ありません。そうでなければ、古いプロセスを新しいプログラムで再起動してください。")))
        }
        return findings
    }

    /// Backups that failed or are late; nothing where nobody wants any.
    func backup() async throws -> [Finding] {
        let configuration = runtime.configuration
        let every = configuration[PicsSettings.backupEvery]
        guard configuration[PicsSettings.backupTo] != nil, every > .zero else { return [] }
        let backups = try await runtime.store.backups()
        let last = backups.first { $0.endedAt != nil && $0.problem == nil }
        let limit = 2 * Double(every.components.seconds) + 3600
        if let last, -last.begunAt.timeIntervalSinceNow < limit {
            guard last.faulty > 0 else { return [] }
            return [
                Finding(
                    Phrase(
                        "The last backup lacks \(last.faulty) files that are missing or damaged here.",
                        ja: "最新のバックアップには、失われたか破損した\(last.faulty)件のファイルが含まれていません。"),
                    remedy: Phrase(
                        "`pics blobs check` names their photos.", ja: "対象の写真は `pics blobs check` で確認できます。"))
            ]
        }
        let problem = backups.first { $0.problem != nil }?.problem
        let age = last.map { Int(-$0.begunAt.timeIntervalSinceNow / 3600) }
        let reason = problem.map { ": \($0)" } ?? ""
        return [
            Finding(
                Phrase(
                    age.map { "The last backup is \($0) hours old\(reason)." } ?? "There is no backup yet\(reason).",
                    ja: age.map { "最新のバックアップは\($0)時間前のものです\(reason)。" } ?? "バックアップがまだありません\(reason)。"),
                remedy: Phrase(
                    "Let `pics serve` run and reach `backup_to`; `pics backup` makes one now and says what is wrong.",
                    ja: "`pics serve` を稼働させ、`backup_to` に書き込めるようにしてください。`pics backup` で今すぐ作成し、原因を確認できます。"))
        ]
    }

    /// Videos that get no pictures.
    func videos() async -> [Finding] {
        let isThere = await runtime.threads.run { access("/usr/bin/ffmpeg", X_OK) == 0 }
        guard !isThere else { return [] }
        return [
            Finding(
                Phrase("Videos get no pictures: there is no ffmpeg.", ja: "ffmpegがないため、動画の画像を作成できません。"),
                remedy: Phrase("Install it: `apt-get install ffmpeg`.", ja: "`apt-get install ffmpeg` でインストールしてください。"))
        ]
    }

    /// Certificates of `tls_certificates` that cannot be read, or end soon.
    func ownCertificates() async -> [Finding] {
        let configuration = runtime.configuration
        guard configuration[PicsSettings.tlsCertificates] != nil, configuration.listenTLS != nil,
            configuration[PicsSettings.tlsDomain].isEmpty
        else { return [] }
        let notice = Date().addingTimeInterval(Self.certificateNotice)
        let troubles = await runtime.threads.run { () -> [String] in
            do {
                return try Listeners.certificates(configuration[PicsSettings.tlsCertificates]).warnings(at: notice).map
                { "\($0)" }
            } catch {
                return ["\(error)"]
            }
        }
        return troubles.map { trouble in
            Finding(
                Phrase(
                    "A certificate of `tls_certificates` cannot be used or ends within two weeks: \(trouble).",
                    ja: "`tls_certificates` の証明書が使用できないか、2週間以内に失効します：\(trouble)"),
                remedy: Phrase(
                    "Renew its files; SIGHUP reads them again.", ja: "ファイルを更新し、SIGHUPを送って再読み込みさせてください。"))
        }
    }
}

extension Doctor {
    /// Stored files that had to be restored from a copy: a disk that has lost some may lose more.
    func restoredFiles() async throws -> [Finding] {
        let count = try await runtime.store.blobFaults().healed
        guard count > 0 else { return [] }
        return [
            Finding(
                Phrase(
                    "\(count) stored files were missing or damaged, and were restored from a copy within the last 30 days.",
                    ja: "保存されたファイル\(count)件が失われたか破損していたため、過去30日以内に複製から復元しました。"),
                remedy: Phrase(
                    "Check the disk, for example with `smartctl -a`. The log names the files; damaged ones are in `damaged` for four weeks.",
                    ja: "`smartctl -a` などでディスクを確認してください。ファイル名はログにあり、破損したものは4週間 `damaged` に残ります。"))
        ]
    }
}

internal import Domain
internal import FoundationEssentials
internal import Store

/// The response to: is it working, and if not, what is to be done?
struct StatusSummary {
    enum Severity: String {
        case good
        /// It works, but somebody has to do something.
        case warn
        case wrong
    }

    let severity: Severity
    let sentence: Phrase
    let advice: Phrase?

    /// A longer wait than this, while nothing is held back, is too long.
    private static let timeout: TimeInterval = 900

    private static let allPaused = Phrase(
        "Everything is paused: photos are stored and wait.", ja: "すべての送信を停止しています。写真は保存され、待機します。")

    private init(_ severity: Severity, _ sentence: Phrase, _ advice: Phrase? = nil) {
        (self.severity, self.sentence, self.advice) = (severity, sentence, advice)
    }

    /// The worst comes first.
    static func of(_ process: ProcessStatus, _ system: SystemStatus, now: Date) -> StatusSummary {
        if process.diskFreeBytes < ProcessStatus.scarceDiskBytes {
            return StatusSummary(
                .wrong, Phrase("The disk is nearly full.", ja: "ディスクの空きがほとんどありません。"),
                Phrase(
                    "Make room on the disk of the data folder, or move the folder to a larger one. Without room no photo is taken.",
                    ja: "データフォルダーのあるディスクの空きを増やすか、より大きなディスクへ移してください。空きがないと写真を受け取れません。"))
        }
        let faulty = system.faults.map { $0.missing + $0.damaged } ?? 0
        if faulty > 0 {
            return StatusSummary(
                .wrong,
                Phrase(
                    "\(faulty) stored file\(faulty == 1 ? " is" : "s are") missing or damaged.",
                    ja: "保存されたファイルのうち\(faulty)件が失われたか破損しています。"),
                Phrase(
                    "Restore the files from a backup, or store their photos again; `pics blobs check` lists them. They are sent nowhere until then.",
                    ja: "バックアップから復元するか、写真を再度アップロードしてください。一覧は `pics blobs check` で確認できます。それまでは送信されません。"))
        }
        if let all = system.gates.first(where: { $0.name == "*" && $0.isPaused }) {
            return StatusSummary(
                .warn, allPaused,
                Phrase(
                    "\(all.reason.map { "The reason: \($0). " } ?? "")`pics queue resume` lets them go on.",
                    ja: "\(all.reason.map { "理由：\($0)。" } ?? "")`pics queue resume` で再開します。"))
        }
        return ofAccounts(
            system, process, now: now,
            unknown: Phrase(
                "Look at the accounts, and say below or with `pics queue` what is there.",
                ja: "アカウントを確認し、下の一覧か `pics queue` で結果を指定してください。"))
    }

    /// For a user: about their own accounts alone.
    static func ofAccounts(_ system: SystemStatus, now: Date) -> StatusSummary {
        if system.gates.contains(where: { $0.name == "*" && $0.isPaused }) { return StatusSummary(.warn, allPaused) }
        return ofAccounts(
            system, nil, now: now,
            unknown: Phrase(
                "Look at the accounts, and tell an admin whether the posts are there.",
                ja: "アカウントを確認し、投稿の有無を管理者に知らせてください。"))
    }

    private static func ofAccounts(
        _ system: SystemStatus, _ process: ProcessStatus?, now: Date, unknown advice: Phrase
    ) -> StatusSummary {
        let logins = system.services.map(\.accountsNeedingLogin).reduce(0, +)
        if logins > 0 {
            return StatusSummary(
                .warn,
                Phrase(
                    "Pics works, but \(Phrase.accountsNeedLogin(logins).english).",
                    ja: "動作中ですが、\(Phrase.accountsNeedLogin(logins).japanese)。"),
                Phrase(
                    process == nil
                        ? "Connect them again in your settings; what waits goes on by itself then."
                        : "Their owners connect them again in their settings; what waits goes on by itself then.",
                    ja: process == nil
                        ? "設定で接続し直すと、待機中の投稿は自動的に再開します。" : "所有者が設定で接続し直すと、待機中の投稿は自動的に再開します。"))
        }
        if let away = system.gates.first(where: { $0.breaker != .closed }) {
            return StatusSummary(
                .warn, Phrase("Pics works, but \(away.name) does not.", ja: "動作中ですが、\(away.name) が応答していません。"),
                Phrase(
                    "Nothing to do. Pics retries by itself; nothing is lost.",
                    ja: "対応は不要です。自動的に再試行し、失われるものはありません。"))
        }
        let unknown = system.services.compactMap { $0.submissions["unknown"] }.reduce(0, +)
        if unknown > 0 {
            return StatusSummary(
                .warn,
                Phrase(
                    "Pics works, but nobody knows whether \(unknown) of its posts arrived.",
                    ja: "動作中ですが、\(unknown)件の投稿の結果が不明です。"),
                advice)
        }
        return ordinary(process, system, now)
    }

    private static func ordinary(_ process: ProcessStatus?, _ system: SystemStatus, _ now: Date) -> StatusSummary {
        guard !system.services.isEmpty else {
            return StatusSummary(
                .good, Phrase("Pics works. No account is connected yet.", ja: "正常に動作しています。接続されたアカウントはまだありません。"),
                Phrase(
                    "Photos are stored and shown; connect an account in your settings to send them on.",
                    ja: "写真は保存・表示されます。他のサービスへ送るには設定で接続してください。"))
        }
        let count = system.services.map { $0.waiting + $0.running }.reduce(0, +)
        let isLate = system.services.contains { service in
            service.blockedUntil == nil && service.running == 0
                && service.oldestWaiting.map { now.timeIntervalSince($0) > timeout } == true
        }
        if isLate, process?.isWorking == false {
            return StatusSummary(
                .warn, Phrase("Photos wait longer than they should.", ja: "待機が長引いています。"),
                Phrase(
                    "This process leaves the queue to others: see that `pics work` runs somewhere.",
                    ja: "このプロセスは送信を担当しません。`pics work` が動いているか確認してください。"))
        }
        let words =
            count == 0
            ? Phrase("Everything works. Nothing is waiting.", ja: "正常に動作しています。待機中の投稿はありません。")
            : Phrase("Pics works. \(count) on the way.", ja: "正常に動作しています。\(count)件を処理中です。")
        return StatusSummary(.good, words)
    }
}

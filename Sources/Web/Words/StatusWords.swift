internal import Domain
internal import FoundationEssentials
internal import Store

/// Words of the status page.
extension Phrase {
    static let status = Phrase("Status", ja: "稼働状況")
    static let picsWorks = Phrase("Pics works.", ja: "正常に動作しています。")
    static let picsDoesNotWork = Phrase("Pics does not work at the moment.", ja: "現在、正常に動作していません。")
    static let refreshesByItself = Phrase("Refreshes by itself", ja: "自動で更新する")
    static let services = Phrase("Services", ja: "サービス")
    static let service = Phrase("Service", ja: "サービス")
    static let accountsHead = Phrase("Accounts", ja: "アカウント")
    static let waitingHead = Phrase("Waiting", ja: "待機")
    static let oldestHead = Phrase("Oldest", ja: "最長待ち")
    static let runningHead = Phrase("Running", ja: "送信中")
    static let doneHead = Phrase("Done", ja: "完了")
    static let refusedHead = Phrase("Refused", ja: "拒否")
    static let lastSuccess = Phrase("Last success", ja: "最後の成功")
    static let lastProblem = Phrase("Last problem", ja: "最後の問題")
    static let stateHead = Phrase("State", ja: "状態")
    static let noneYet = Phrase("none yet", ja: "なし")
    static let lastDay = Phrase("The last 24 hours", ja: "直近24時間")
    static let hour = Phrase("Hour", ja: "時刻")
    static let published = Phrase("Published", ja: "投稿済み")
    static let triedAgain = Phrase("Retrying", ja: "再試行")
    static let failed = Phrase("Failed", ja: "失敗")
    static let asTable = Phrase("As a table", ja: "表で見る")
    static let needsALook = Phrase("Needs attention", ja: "確認が必要な投稿")
    static let nothingToLookAt = Phrase("No problems.", ja: "確認が必要な投稿はありません。")
    static let nothingAtAll = Phrase("No problems, and nothing to fix.", ja: "確認や対処が必要なものはありません。")
    static let retry = Phrase("Try again", ja: "再試行")
    static let cancel = Phrase("Cancel", ja: "取り消す")
    static let itWasPosted = Phrase("It was posted", ja: "投稿されていた")
    static let itWasNotPosted = Phrase("Not posted: post it", ja: "されていない：投稿する")
    static let toMend = Phrase("To fix", ja: "対処が必要な点")
    static let nothingToMend = Phrase("Nothing to fix.", ja: "不足はありません。")
    static let thisMachine = Phrase("System", ja: "システム")
    static let database = Phrase("Database", ja: "データベース")
    static let replica = Phrase("Read replica", ja: "リードレプリカ")
    static let disk = Phrase("Disk", ja: "ディスク")
    static let version = Phrase("Version", ja: "バージョン")
    static let contents = Phrase("Photos", ja: "写真")
    static let leavesTheQueue = Phrase("other processes send", ja: "送信は別のプロセスが担当")
    static let processes = Phrase("Processes", ja: "プロセス")
    static let servesAndSends = Phrase("serves and sends", ja: "配信と送信")
    static let servesOnly = Phrase("serves", ja: "配信のみ")
    static let sendsOnly = Phrase("sends", ja: "送信のみ")
    static let runs = Phrase("running", ja: "稼働中")
    static let stopping = Phrase("stopping", ja: "停止処理中")
    static let wasLost = Phrase("not responding", ja: "応答なし")
    static let wasDone = Phrase("Done.", ja: "実行しました。")
    static let hasEnded = Phrase("This post has already finished.", ja: "すでに終了しています。")
    static let works = Phrase("works", ja: "正常")
    static let breakerOpen = Phrase("paused after failures", ja: "失敗が続いたため停止中")
    static let breakerProbing = Phrase("checking whether the service is back", ja: "復旧を確認中")

    static func ago(_ span: Phrase) -> Phrase { Phrase("\(span.english) ago", ja: "\(span.japanese)前") }

    static func until(_ span: Phrase) -> Phrase { Phrase("for \(span.english)", ja: "あと\(span.japanese)") }

    static func limited(_ span: Phrase) -> Phrase {
        Phrase("limit of the service, resets in \(span.english)", ja: "サービスの制限中、\(span.japanese)後に解除")
    }

    static func lastSeen(_ ago: Phrase) -> Phrase { Phrase("last seen \(ago.english)", ja: "最終確認：\(ago.japanese)") }

    static func sendingNow(_ count: String) -> Phrase { Phrase("sending \(count)", ja: "送信中\(count)件") }

    static func freeDisk(_ free: String, of total: String) -> Phrase {
        let free = Phrase.free(free, of: total)
        return Phrase("disk \(free.english)", ja: "ディスク\(free.japanese)")
    }

    static func free(_ free: String, of total: String) -> Phrase {
        Phrase("\(free) free of \(total)", ja: "\(total)中\(free)空き")
    }

    static func photosOf(_ photos: String, users: String) -> Phrase {
        Phrase("\(photos) by \(users) user\(users == "1" ? "" : "s")", ja: "\(users)人の\(photos)枚")
    }

    static func up(_ version: String, _ span: Phrase) -> Phrase {
        Phrase("\(version), up \(span.english)", ja: "\(version)、稼働\(span.japanese)")
    }

    static func about(_ number: String) -> Phrase { Phrase("about \(number)", ja: "約\(number)") }

    static func pausedBecause(_ reason: String?) -> Phrase {
        Phrase("paused by the operator\(reason.map { ": \($0)" } ?? "")", ja: "管理者が停止中\(reason.map { "：\($0)" } ?? "")")
    }

    static func accountsFailing(_ failing: Int, of all: Int) -> Phrase {
        Phrase("\(failing) of \(all) accounts failing", ja: "\(all)件中\(failing)件のアカウントで失敗")
    }

    static func capUsed(_ used: Int, of cap: Int) -> Phrase {
        Phrase("\(used) of \(cap) allowed posts used", ja: "上限\(cap)件中\(used)件を使用")
    }

    static func accountsNeedLogin(_ count: Int) -> Phrase {
        Phrase(
            "\(count) account\(count == 1 ? "" : "s") must be connected again", ja: "\(count)件のアカウントの再接続が必要です")
    }

    /// Where a submission stands.
    static func state(_ state: Submission.State) -> Phrase {
        switch state {
        case .waiting: Phrase("waiting", ja: "待機中")
        case .running: Phrase("being sent", ja: "送信中")
        case .done: Phrase("posted", ja: "投稿済み")
        case .rejected: Phrase("refused", ja: "拒否されました")
        case .cancelled: Phrase("cancelled", ja: "取り消し済み")
        case .unknown: Phrase("unknown whether it was posted", ja: "投稿されたか不明")
        case .paused: Phrase("paused", ja: "一時停止中")
        case .deleted: Phrase("deleted", ja: "削除済み")
        case .needsLogin: Phrase("needs a new login", ja: "再ログインが必要")
        }
    }

    /// A stretch of time to its greatest unit.
    static func span(_ seconds: TimeInterval) -> Phrase {
        switch max(0, Int(seconds)) {
        case let seconds where seconds < 60: Phrase("\(seconds) s", ja: "\(seconds)秒")
        case let seconds where seconds < 3600: Phrase("\(seconds / 60) min", ja: "\(seconds / 60)分")
        case let seconds where seconds < 172_800: Phrase("\(seconds / 3600) h", ja: "\(seconds / 3600)時間")
        case let seconds: Phrase("\(seconds / 86_400) days", ja: "\(seconds / 86_400)日")
        }
    }
}

extension Phrase {
    /// What becomes of the standby that lists are read from.
    static func state(of replica: Replica.Status) -> Phrase {
        switch replica.state {
        case .used: Phrase("In use", ja: "使用中")
        case .behind: Phrase("Not used: too far behind", ja: "使用していません（遅延が大きすぎます）")
        case .unreachable: Phrase("Not used: it cannot be reached", ja: "使用していません（接続できません）")
        case .foreign: Phrase("Not used: it is no standby of this database", ja: "使用していません（このデータベースのスタンバイではありません）")
        }
    }
}

package import Domain
internal import FoundationEssentials
internal import System

/// Why a post, an account or a service is in trouble. The English words stand in `Domain`, for the API and the command line too. A text has
/// two parts: what happened, and who acts next.
extension Phrase {
    package init(_ problem: Problem) {
        // What a person or an earlier release wrote is in one language.
        let isWritten = problem.code == .servicePaused && problem.parameters.words != nil
        guard problem.code != .other, !isWritten else {
            self.init(told: problem.text)
            return
        }
        self.init(
            problem.text { "\(Language.english.moment($0, in: .utc)) UTC" },
            ja: [problem.japaneseFact, problem.japaneseNextStep].compactMap { $0 }.joined())
    }
}

extension Problem {
    private var service: String { parameters.service ?? "サービス" }
    private var status: String { parameters.status.map { "（HTTP \($0)）" } ?? "" }

    fileprivate var japaneseFact: String {
        switch code {
        case .unreachable: "\(service) に接続できませんでした。"
        case .noResponse: "\(service) から応答がありませんでした。"
        case .timedOut: "\(service) の処理に時間がかかりすぎました。"
        case .unreadableResponse: "\(service) の応答を解釈できませんでした。"
        case .serverError: "\(service) でサーバーエラーが起きました\(status)。"
        case .busy: "\(service) が混み合っています。"
        case .blockedByFirewall: "\(service) の手前のファイアウォールにリクエストを拒否されました。"
        case .addressUnusable: japaneseUnusableAddress
        case .rateLimited:
            parameters.scope == .app
                ? "\(service) に対するこの Pics 全体の利用制限に達しました。" : "\(service) の利用制限に達しました。"
        case .quotaExceeded:
            parameters.scope == .app
                ? "\(service) でアプリのキーに割り当てられた利用枠を使い切りました。" : "\(service) のアカウントの利用枠を使い切りました。"
        case .storageFull: "\(service) のアカウントの容量がいっぱいです。"
        case .serviceEnded: "\(service) は終了しています。"
        case .serviceUnknown: "この Pics は \(service) に対応していません。"
        case .credentialsRefused: "\(service) に認証情報を拒否されました。"
        case .permissionDenied: "\(service) で Pics に必要な権限が許可されていません。"
        case .senderRefused: "\(service) はこのアカウントが\(parameters.label ?? "このアドレス")から送信することを認めていません。"
        case .accountBlocked: "\(service) にアカウントを一時的に制限されています。"
        case .accountClosed: "\(service) のこのアカウントは停止または閉鎖されています。"
        case .deviceLimitReached: "アカウントの端末数が \(service) の上限に達しています。"
        case .authenticationUnsupported:
            "\(service) が求める認証方式\(parameters.scheme.map { "（\($0)）" } ?? "")に対応していません。使えるのは Basic 認証だけです。"
        case .appPasswordRequired: "これはアカウント本来のパスワードです。"
        case .appKeysRefused: "この Pics のアプリのキーが \(service) に受け付けられません。"
        case .appKeysMissing: "この Pics には \(parameters.service ?? "このサービス") のアプリのキーがありません。"
        case .credentialsDamaged: "保存された認証情報が壊れています。"
        case .keyMissing: "アカウントの認証情報を開く鍵がこの Pics にありません。"
        case .authorizationRefused: "Pics によるアカウントの利用が許可されませんでした。"
        case .authorizationExpired: "この認可はもう使えません。"
        case .valueRequired: "「\(japaneseLabel ?? "値")」を入力してください。"
        case .valueInvalid: "「\(japaneseLabel ?? "値")」が正しくありません。"
        case .destinationMissing: "「\(japaneseLabel ?? "投稿先")」が見つかりません。"
        case .destinationAmbiguous: "\(service) の投稿先が複数あります。"
        case .albumsMadeThere: "アルバムは \(service) のサイトで作成します。"
        case .destinationEncrypted: "\(service) のこの投稿先は暗号化されていて、Pics では使えません。"
        case .albumNameInvalid: "\(service) のアルバムやフォルダーにこの名前は付けられません。"
        case .postRefused:
            isConnecting
                ? "入力した内容が \(service) に受け付けられません\(status)。" : "\(service) にこの写真または文章を拒否されました\(status)。"
        case .textRefused: "\(service) に文章を拒否されました。"
        case .captionTooLong: "キャプションが \(service) の文字数を超えています。短くしてから再試行してください。"
        case .tooManyTags: "ハッシュタグまたはメンションの数が \(service) の上限を超えています。"
        case .duplicatePost: "同じ文章の投稿が \(service) に既にあります。"
        case .postingNotAllowed: "\(service) のこのアカウントではそこに投稿できません。"
        case .recipientRefused: "\(service) は\(parameters.label ?? "宛先")に配信できません。"
        case .fileTooLarge: "ファイルが \(service) の上限を超えています。"
        case .unsupportedType: "\(service) はこの種類のファイルに対応していません。"
        case .fileRefused: "\(service) がファイルを処理できませんでした。"
        case .uploadLost: "アップロードしたファイルが \(service) からなくなりました。"
        case .uploadFailed: "\(service) がファイルを保存できませんでした。"
        case .fileNotFetched: "\(service) がこのPicsのアドレスからファイルを取得できませんでした。"
        case .stillProcessing: "\(service) がまだファイルを処理しています。"
        case .nameTaken: "同じ名前の別のものが \(service) に既にあります。"
        case .albumMissing: "\(service) のアルバムまたはフォルダーがなくなりました。"
        case .postMissing: "この投稿は \(service) にもうありません。"
        case .notFound:
            isConnecting ? "このアドレスには \(service) がありません。" : "アカウントに必要なものが \(service) になくなりました。"
        case .unconfirmed: "\(service) が投稿の完了を確認しませんでした。"
        case .changeUnsupported:
            parameters.reason == .delete ? "\(service) では Pics から投稿を削除できません。" : "\(service) では Pics から投稿を編集できません。"
        case .orderMissing: "\(service) に写真を送れるのは、料金を確認した注文だけです。"
        case .priceChanged: "\(service) の料金が確認したときから変わりました。注文していません。"
        case .paymentRequired: "\(service) で支払い、支払い方法の登録、またはアカウントの確認が必要です。"
        case .countryNotServed: "\(service) はこのはがきをこの国に送っていません。"
        case .tooLateToCancel: "\(service) へのこの注文はもうキャンセルできません。"
        case .fileMissing: "写真のファイルがありません。"
        case .fileDamaged: "写真のファイルが壊れています。"
        case .fileUnreadable: "写真のファイルを読み込めませんでした。"
        case .pictureNotPrepared: "画像を用意できませんでした。"
        case .mediaUnusable: japaneseUnusable
        case .archiveNotWritable: "アーカイブのフォルダーに書き込めません。"
        case .newerReleaseRequired: "新しいバージョンの Pics がこの投稿を始めており、そちらで続けます。"
        case .databaseUnavailable: "データベースに接続できませんでした。"
        case .internalError: "Pics の内部でエラーが起きました。"
        case .interrupted: "処理が中断されました。"
        case .accountPaused: "アカウントは一時停止中です。"
        case .servicePaused: parameters.words ?? "管理者が一時停止しています。"
        case .accountDisconnected:
            parameters.reason == .edit ? "アカウントの接続が解除されました。投稿はそのまま残ります。" : "アカウントの接続が解除されました。"
        case .attemptsExhausted: "\(japaneseCause)\(japaneseGaveUp)"
        case .outcomeUnknown: japaneseUnknown
        case .other: text
        }
    }

    private var japaneseLabel: String? { parameters.label.map { Phrase.problemLabels[$0] ?? $0 } }

    private var japaneseUnusableAddress: String {
        switch parameters.reason {
        case .redirected: "\(service) が別のアドレスに転送しています。"
        case .invalidCertificate: "サーバーの証明書が、その名前に対して有効ではありません。"
        case .notEncrypted: "サーバーが暗号化された接続に対応していません。"
        case .noLogin: "このポートのサーバーはログインに対応していません。"
        default: "\(service) のアドレスは公開されていないため、Pics から接続できません。"
        }
    }

    private var japaneseUnusable: String {
        switch parameters.reason {
        case .cannotFit: "画像をサービスの上限に収められません。"
        case .cannotEdit: "動画は編集できません。"
        case .cannotStrip: "動画から個人に関わるメタデータを取り除けません。"
        default: "ファイルを用意できません。"
        }
    }

    private var japaneseCause: String {
        guard let cause = parameters.cause, cause != .attemptsExhausted else {
            return parameters.words ?? "投稿できませんでした。"
        }
        return Problem(cause, parameters).japaneseFact
    }

    private var japaneseGaveUp: String {
        switch parameters.reason {
        case .edit: "投稿の編集をやめました。"
        case .delete: "投稿の削除をやめました。"
        default: "再試行をやめました。"
        }
    }

    private var japaneseUnknown: String {
        switch parameters.reason {
        case .photoDeleted: "投稿の途中で写真が削除されました。"
        case .photoChanged: "投稿の途中で写真が変更されました。"
        case .cancelled: "キャンセルされましたが、その前に投稿された可能性があります。"
        case .disconnected: "投稿されたかどうか分かる前にアカウントの接続が解除されました。"
        case .attemptsExhausted: "\(japaneseCause)再試行をやめましたが、投稿された可能性があります。"
        default: "投稿の途中で接続が切れ、投稿されたかどうかを \(service) に確認できません。"
        }
    }

    fileprivate var japaneseNextStep: String? {
        switch code {
        case .deviceLimitReached: return "そこで端末を減らしてから、アカウントを接続し直してください。"
        case .appPasswordRequired: return "Pics 用のアプリパスワードを作成してください。"
        case .authenticationUnsupported: return "サーバーで Basic 認証を有効にしてください。"
        case .authorizationRefused, .authorizationExpired: return "もう一度最初から接続してください。"
        case .valueInvalid: return parameters.example.map { "例：\($0)" }
        case .destinationAmbiguous: return "投稿先の名前か番号を入力してください。"
        case .destinationEncrypted: return "暗号化されていない投稿先を接続してください。"
        case .recipientRefused: return isInteractive ? nil : "正しい宛先で別のアカウントを接続してください。"
        case .duplicatePost: return "キャプションを変えてから再試行してください。"
        case .albumMissing: return "別のものを選んでください。"
        case .fileMissing, .fileDamaged: return "バックアップから復元するか、写真を送り直してください。"
        case .priceChanged: return "新しい料金で注文し直してください。"
        case .countryNotServed: return nil
        case .internalError: return "理由はログにあります。"
        case .valueRequired, .albumNameInvalid, .attemptsExhausted, .servicePaused: return nil
        default: break
        }
        switch code.nextStep {
        case .picsRetries:
            guard let until = parameters.until else {
                return isInteractive ? "後でもう一度お試しください。" : "Pics が自動で再試行します。"
            }
            let time = "\(Language.japanese.moment(until, in: .utc))（UTC）"
            return isInteractive ? "\(time)以降にもう一度お試しください。" : "\(time)に再試行します。"
        case .picsChecks: return isInteractive ? "後でもう一度お試しください。" : "投稿されたかどうかを Pics が確認します。"
        case .userReconnects: return isConnecting ? nil : "アカウントを接続し直してください。"
        case .userCorrects where isInteractive: return nil
        case .userCorrects:
            return code == .addressUnusable ? "アカウントのアドレスを確認してください。" : "写真または文章を変えてから再試行してください。"
        case .userLooks: return "\(service) で確認してください。"
        case .userResumes: return "準備ができたら再開してください。"
        case .adminActs: return "管理者に問い合わせてください。"
        case .none: return nil
        }
    }
}

internal import Domain

/// Words about apps that people let in.
extension Phrase {
    static let apps = Phrase("Apps", ja: "アプリ")
    static let letAppIn = Phrase("Allow an app", ja: "アプリを許可する")
    static let allow = Phrase("Allow", ja: "許可する")
    static let deny = Phrase("Deny", ja: "許可しない")
    static let account = Phrase("Account", ja: "アカウント")
    static let appAddress = Phrase("Its address", ja: "アプリのアドレス")
    static let appWebsite = Phrase("Website, as it says", ja: "ウェブサイト（アプリの申告）")
    static let appSendsYouTo = Phrase("Sends you back to", ja: "許可後の戻り先")
    static let appOnThisDevice = Phrase("an app on this device", ja: "この端末のアプリ")
    static let codeOnScreen = Phrase("this page, with a code to copy", ja: "このページ（コードを表示します）")
    static let appWillBeAbleTo = Phrase("It will be able to:", ja: "このアプリにできること:")
    static let appWillNotBeAbleTo = Phrase(
        "It will not see where photos were taken, your original files, your connected accounts, or your settings.",
        ja: "撮影場所、元のファイル、接続済みアカウント、設定は見られません。")
    static let appLearnsYourAddress = Phrase(
        "It will learn the address of your gallery, and nothing else.", ja: "ギャラリーのアドレスだけを知ります。")
    static let appCanBeRemoved = Phrase(
        "You can remove it at any time in Settings, Apps.", ja: "「設定」の「アプリ」でいつでも解除できます。")
    static let useAnotherAccount = Phrase("Use another account", ja: "別のアカウントを使う")
    static let appCannotBeLetIn = Phrase("The app cannot be allowed", ja: "このアプリは許可できません")
    static let appAskedWrongly = Phrase(
        "The app has sent a request that Pics does not take. Begin again in the app; if it does not help, tell its makers.",
        ja: "アプリからのリクエストを受け付けられません。アプリでもう一度やり直してください。解決しない場合は、アプリの開発者にお知らせください。")
    static let backToApp = Phrase("Back to the app", ja: "アプリに戻る")
    static let codeForApp = Phrase("Code for the app", ja: "アプリ用のコード")
    static let code = Phrase("Code", ja: "コード")
    static let codeLife = Phrase("It works once, within ten minutes.", ja: "10分以内に一度だけ使えます。")

    static let noApps = Phrase("No app is allowed.", ja: "許可したアプリはありません。")
    static let appsExplained = Phrase(
        "Apps that you have allowed to use your photos. In an app for Mastodon, enter this address as the server.",
        ja: "写真の利用を許可したアプリです。Mastodon用アプリでは、サーバーとして次のアドレスを入力します。")
    static let serverAddress = Phrase("Server", ja: "サーバー")
    static let removeApp = Phrase("Remove", ja: "解除する")
    static let appWasRemoved = Phrase("The app was removed.", ja: "アプリの許可を解除しました。")

    /// What scopes let an app do, in the order in which people care.
    static func rights(of scopes: AppScopes) -> [Phrase] {
        let rights = scopes.rights
        let words: [(Scope, Phrase)] = [
            (.profile, Phrase("see your name and profile", ja: "名前とプロフィールを見る")),
            (
                .readPhotos,
                Phrase(
                    "see your photos, private ones too, what came back to them, and what your connected accounts follow",
                    ja: "写真（非公開のものも）、写真への反応、接続済みアカウントのタイムラインを見る")
            ),
            (
                .createPhotos,
                Phrase(
                    "post photos, comments and replies, also to your connected accounts",
                    ja: "写真、コメント、返信を投稿する（接続済みアカウントへの投稿を含む）")
            ),
            (.draftPhotos, Phrase("save photos as drafts", ja: "写真を下書きに保存する")),
            (.uploadFiles, Phrase("upload files", ja: "ファイルをアップロードする")),
            (.editPhotos, Phrase("edit your photos", ja: "写真を編集する")),
            (.deletePhotos, Phrase("delete your photos, comments and replies", ja: "写真、コメント、返信を削除する")),
            (
                .likePhotos,
                Phrase(
                    "like, repost and bookmark, also with your connected accounts",
                    ja: "「いいね」、リポスト、ブックマークをする（接続済みアカウントでの操作を含む）")
            ),
            (.editProfile, Phrase("edit your profile", ja: "プロフィールを編集する")),
        ]
        return words.filter { rights.contains($0.0) }.map(\.1)
    }
}

extension MarkedPhrase {
    static func appWantsIn(_ name: String) -> MarkedPhrase {
        MarkedPhrase("Allow <bdi>\(name)</bdi> to use your photos?", ja: "<bdi>\(name)</bdi> に写真の利用を許可しますか？")
    }

    static func copyCode(_ name: String) -> MarkedPhrase {
        MarkedPhrase(
            "Copy this code into <bdi>\(name)</bdi>.", ja: "このコードを <bdi>\(name)</bdi> にコピーしてください。")
    }
}

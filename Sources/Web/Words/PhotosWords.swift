internal import Domain

/// Words of the page with one's own photos.
extension Phrase {
    static let newPhoto = Phrase("New", ja: "投稿")
    static let activity = Phrase("Activity", ja: "履歴")
    static let noActivity = Phrase("No posts yet.", ja: "投稿はまだありません。")
    static let olderPosts = Phrase("Older posts", ja: "以前の投稿")
    static let yourPhotos = Phrase("Your photos", ja: "あなたの写真")
    static let search = Phrase("Search", ja: "検索")
    static let searchInPhotos = Phrase("Search captions and descriptions", ja: "キャプションと説明を検索")
    static let filters = Phrase("Filters", ja: "絞り込み")
    static let all = Phrase("All", ja: "すべて")
    static let album = Phrase("Album", ja: "アルバム")
    static let state = Phrase("State", ja: "状態")
    static let visibility = Phrase("Visibility", ja: "公開範囲")
    static let yearOfPhoto = Phrase("Year", ja: "年")
    static let showPhotos = Phrase("Show", ja: "表示")
    static let clearFilters = Phrase("Clear filters", ja: "絞り込みを解除")
    static let noPhotoFound = Phrase("No photos found.", ja: "写真が見つかりません。")
    static let unreadableFilter = Phrase("The filter cannot be read", ja: "絞り込みの条件を読み取れません")
    static let filterAgain = Phrase("Go to your photos and choose it again.", ja: "写真の一覧で、もう一度選んでください。")
    static let noPhotoPosted = Phrase("No photos yet", ja: "写真はまだありません")
    static let firstSteps = Phrase("First steps", ja: "はじめに")
    static let connectAnAccount = Phrase("Connect an account", ja: "アカウントを連携する")
    static let whyConnect = Phrase(
        "Photos stay on your server. Connect the services that they go to.",
        ja: "写真はこのサーバーに保存されます。投稿先のサービスを連携してください。")
    static let postAPhoto = Phrase("Post a photo", ja: "写真を投稿する")
    static let whyPost = Phrase(
        "Choose a photo, write a caption, and send it to your accounts.",
        ja: "写真を選び、キャプションを書いて、連携したアカウントに送ります。")
    static let morePhotos = Phrase("More photos", ja: "続きの写真")
    static let morePhotosFailed = Phrase("More photos could not be loaded.", ja: "続きの写真を読み込めませんでした。")
    static let retryLoading = Phrase("Retry", ja: "再試行")

    static func state(_ state: Photo.State) -> Phrase {
        switch state {
        case .draft: Phrase("Draft", ja: "下書き")
        case .attention: Phrase("Needs you", ja: "要対応")
        case .failed: Phrase("Failed", ja: "失敗")
        case .sending: Phrase("On its way", ja: "送信中")
        case .scheduled: Phrase("Scheduled", ja: "予約済み")
        case .sent: Phrase("Sent", ja: "送信済み")
        case .stored: Phrase("Stored", ja: "保存済み")
        }
    }

    static func visibility(_ visibility: Visibility) -> Phrase {
        switch visibility {
        case .public: Phrase("Public", ja: "公開")
        case .unlisted: Phrase("Unlisted", ja: "限定公開")
        case .private: Phrase("Private", ja: "非公開")
        }
    }
}

/// Words of Pics as an app.
extension Phrase {
    static let wasUpdated = Phrase("Pics was updated.", ja: "Picsが更新されました。")
    static let reload = Phrase("Reload", ja: "再読み込み")
    static let offline = Phrase("You are offline", ja: "オフラインです")
    static let offlineExplained = Phrase(
        "Pics cannot be reached. What you post here waits on this device.",
        ja: "Picsに接続できません。ここで投稿した写真はこの端末に保存されます。")
    static let nobodyIsSignedIn = Phrase(
        "Nobody is signed in. Sign in once you are online, and post it then.",
        ja: "ログインしていません。オンラインになったらログインし、あらためて投稿してください。")
    static let waitingOnThisDevice = Phrase("Waiting on this device", ja: "この端末で送信を待っています")
    static let notPostedYet = Phrase("Not posted yet", ja: "まだ投稿されていません")
    static let sharedAndNotPosted = Phrase(
        "Not posted yet. What another app has shared stays here for 7 days.",
        ja: "まだ投稿されていません。ほかのアプリから共有された写真は、ここに7日間残ります。")
    static let writtenByNobody = Phrase(
        "Written on this device while nobody was signed in", ja: "ログインしていないときにこの端末で作成した投稿")
    static let waitsForTheNetwork = Phrase("Sent when you are online", ja: "オンラインになると送信されます")
    static let wasRefused = Phrase("Refused", ja: "拒否されました")
    static let mayHaveBeenPosted = Phrase(
        "It may have been posted. Look at your photos before you retry.", ja: "すでに投稿された可能性があります。再試行する前に写真を確認してください。")
    static let saveFile = Phrase("Save file", ja: "ファイルを保存")
    static let signInToSend = Phrase("Sign in to send", ja: "送信するにはログインしてください")
    static let shareAgain = Phrase(
        "The photos did not arrive. Share them again, or choose them here.",
        ja: "写真を受け取れませんでした。もう一度共有するか、ここで選択してください。")
    static let putOnHomeScreen = Phrase("Put Pics on the home screen", ja: "ホーム画面に追加する")
    static let whyInstall = Phrase(
        "In the browser's menu: Add to Home Screen, or Install.", ja: "ブラウザーのメニューから「ホーム画面に追加」または「インストール」を選びます。")
    static let install = Phrase("Install", ja: "インストール")
    static let needsHTTPS = Phrase(
        "This address has no HTTPS. Installing Pics, sharing photos to it and posting offline need it.",
        ja: "このアドレスはHTTPSではありません。インストール、ほかのアプリからの共有、オフラインでの投稿にはHTTPSが必要です。")
    static let adminSetsUpHTTPS = Phrase("The admin of this server can set it up.", ja: "このサーバーの管理者が設定できます。")
    static let setUpHTTPS = Phrase(
        "If a name leads to this server, this gets a certificate for it:", ja: "このサーバーを指すドメイン名があれば、次のコマンドで証明書を取得できます。")
    static let otherWaysToHTTPS = Phrase(
        "Other ways (a certificate of yours, a proxy, a VPN) are in docs/operation.md.",
        ja: "ほかの方法（手持ちの証明書、プロキシ、VPN）は docs/operation.md にあります。")
}

/// Around a name that a script writes: the server does not know who reads it.
extension MarkedPhrase {
    static let sentAsOwner = MarkedPhrase(
        "It is sent to all accounts of <bdi data-owner></bdi> once you are online.",
        ja: "オンラインになると、<bdi data-owner></bdi>のすべてのアカウントに送信されます。")
    static let postAsOwner = MarkedPhrase("Post as <bdi data-owner></bdi>", ja: "<bdi data-owner></bdi>として投稿")
}

/// Words for those who have not signed in.
extension Phrase {
    static let welcomeInvitation = Phrase(
        "An invitation from an admin of this server gives you an account.", ja: "アカウントの作成には、このサーバーの管理者からの招待が必要です。")
}

/// Words of the page where a photo is posted.
extension Phrase {
    static let newPhotoTitle = Phrase("New photo", ja: "新しい写真")
    static let photosOrVideo = Phrase("Photos, or a video", ja: "写真または動画")
    static let pickersChangeFiles = Phrase(
        "Some phones convert a photo and remove its place when they hand it over.",
        ja: "端末によっては、渡すときに写真が変換され、位置情報が削除されます。")
    static let place = Phrase("Place", ja: "場所")
    static let latitudeAndLongitude = Phrase("Latitude, longitude", ja: "緯度, 経度")
    static let placeExplained = Phrase(
        "For every photo in this post. Leave it empty to keep the place in each photo. Only you and the accounts that you allow see it.",
        ja: "この投稿のすべての写真に付けます。空なら写真の位置情報のままです。見られるのは自分だけで、許可したアカウントだけに送られます。")
    static let useMyPosition = Phrase("Use my position", ja: "現在地を使う")
    static let locating = Phrase("Looking for your position…", ja: "現在地を調べています…")
    static let noPosition = Phrase(
        "Your browser did not share your position.", ja: "ブラウザーから現在地を取得できませんでした。")
    static let chooseAPhoto = Phrase("Choose a photo or video.", ja: "写真または動画を選んでください。")
    static let caption = Phrase("Caption", ja: "キャプション")
    static let description = Phrase("Description", ja: "説明")
    static let whatItShows = Phrase(
        "What it shows, for people who cannot see it.", ja: "写真を見ることができない人のための説明です。")
    static let moveUp = Phrase("Move up", ja: "前へ")
    static let moveDown = Phrase("Move down", ja: "後ろへ")
    static let removeFromPost = Phrase("Remove", ja: "取り除く")
    static let accounts = Phrase("Accounts", ja: "アカウント")
    static let postLater = Phrase("Post later", ja: "日時を指定して投稿")
    static let post = Phrase("Post", ja: "投稿する")
    static let saveDraft = Phrase("Save draft", ja: "下書きを保存")
    static let draftIsSaved = Phrase("Draft saved. Only you see it.", ja: "下書きを保存しました。あなただけに表示されます。")
    static let ownText = Phrase("Another text for this account", ja: "このアカウント用の文章")
    static let contentLabels = Phrase("Content warning, language", ja: "閲覧注意・言語")
    static let sensitiveContent = Phrase("Sensitive content", ja: "閲覧注意の内容")
    static let sensitiveExplained = Phrase(
        "The photo is covered until a reader wants to see it.", ja: "閲覧者が表示を選ぶまで、写真は隠されます。")
    static let contentWarning = Phrase("Content warning", ja: "閲覧注意の説明")
    static let languageOfCaption = Phrase("Language of the caption", ja: "キャプションの言語")
    static let notStated = Phrase("Not stated", ja: "指定なし")
    static let show = Phrase("Show", ja: "表示する")
    static let uploading = Phrase("Uploading", ja: "アップロード中")
    static let uploadFailed = Phrase(
        "The upload failed. Retry when you are online.", ja: "アップロードできませんでした。接続を確認して、もう一度お試しください。")
    static func photosOfPost(_ count: Int) -> Phrase { Phrase("\(count) photos", ja: "\(count)枚") }
    static let photoIsPosted = Phrase("Photo saved. It is on its way to your accounts.", ja: "写真を保存しました。アカウントに送信しています。")
    static let photoIsStored = Phrase("Photo saved.", ja: "写真を保存しました。")

    static func characters(_ count: Int, of limit: Int) -> Phrase {
        Phrase("\(count) of \(limit) characters", ja: "\(limit)文字中\(count)文字")
    }

    static let tooLongForAccount = Phrase(
        "Too long: the photo is not sent here.", ja: "長すぎるため、ここへは送られません。")

    static func posts(_ count: Int) -> Phrase {
        Phrase("A thread of \(count) posts", ja: "\(count)件のスレッド")
    }

    static func postLaterHint(_ zone: String) -> Phrase {
        Phrase("Empty posts it now. Time zone: \(zone)", ja: "空欄ならすぐに投稿します。タイムゾーン: \(zone)")
    }
}

/// Words of the tools on the page of one's own photo.
extension Phrase {
    static let posts = Phrase("Posts", ja: "投稿先")
    static let goesNowhere = Phrase("Stored here alone.", ja: "このサーバーにのみ保存されています。")
    static let draftExplained = Phrase(
        "A draft. Only you see it, and it goes nowhere before you post it.",
        ja: "下書きです。あなただけに表示され、投稿するまでどこにも送信されません。")
    static let editDraft = Phrase("Edit and post", ja: "編集して投稿")
    static let publishNow = Phrase("Post now", ja: "今すぐ投稿")
    static let photoIsPublished = Phrase("The photo is posted.", ja: "写真を投稿しました。")
    static func isPublishedAt(_ moment: String) -> Phrase {
        Phrase("Posted on \(moment). Only you see it until then.", ja: "\(moment)に投稿されます。それまではあなただけに表示されます。")
    }
    static let openPost = Phrase("Open", ja: "開く")
    static let sendNow = Phrase("Send now", ja: "今すぐ送る")
    static let loginAgain = Phrase("Connect again", ja: "再接続")
    static let sendOn = Phrase("Send to more accounts", ja: "ほかのアカウントにも送る")
    static let send = Phrase("Send", ja: "送る")
    static let editPhoto = Phrase("Edit", ja: "編集")
    static let deletePhoto = Phrase("Delete photo", ja: "写真を削除")
    static let deletePhotoExplained = Phrase(
        "The photo is removed from this server, and its link stops working. For a day you can restore it.",
        ja: "写真はこのサーバーから削除され、リンクも無効になります。1日以内なら元に戻せます。")
    static func descriptionOfPhoto(_ number: Int) -> Phrase {
        Phrase("Description of photo \(number)", ja: "\(number)枚目の写真の説明")
    }

    static let photoIsEdited = Phrase("Saved. Posts are updated.", ja: "保存しました。投稿も更新されます。")
    static let photoIsSent = Phrase("The photo is on its way.", ja: "写真を送信しています。")
    static let photoIsDeleted = Phrase("Photo deleted.", ja: "写真を削除しました。")
    static let undo = Phrase("Undo", ja: "元に戻す")
    static let restorePhoto = Phrase("Restore photo", ja: "写真を元に戻す")
    static let photoIsRestored = Phrase("Photo restored.", ja: "写真を元に戻しました。")
    static func restorableUntil(_ moment: String) -> Phrase {
        Phrase(
            "You can restore it until \(moment). Posts that were deleted or cancelled with it stay so.",
            ja: "\(moment)までは元に戻せます。一緒に削除または取り消した投稿は元に戻りません。")
    }
    static let photoHasChanged = Phrase(
        "The photo was changed elsewhere meanwhile. Look at it, then edit it again.",
        ja: "写真はほかの場所で変更されました。内容を確認して、もう一度編集してください。")
    static let couldNotBeSaved = Phrase(
        "It could not be saved. Check what you entered.", ja: "保存できませんでした。入力内容を確認してください。")
    static let chooseAnAccount = Phrase("Choose an account.", ja: "アカウントを選んでください。")
    static let photoWasMadePrivate = Phrase(
        "The photo was made private, so it is not sent.", ja: "写真が非公開になったため、送信されません。")

    static let deletePost = Phrase("Delete post", ja: "投稿を削除")
    static let postAgain = Phrase("Post again", ja: "もう一度投稿")
    static let postIsBeingDeleted = Phrase(
        "The post is being deleted. After that you can post the photo again.", ja: "投稿を削除しています。削除後にもう一度投稿できます。")
    static let photoIsPrivateNow = Phrase(
        "The photo is private. Nothing more of it is sent.", ja: "写真を非公開にしました。これ以降は送信されません。")

    static let editIsOnItsWay = Phrase("Your last edit is on its way.", ja: "最後の編集を反映しています。")
    static let editArrived = Phrase("The post has your last edit.", ja: "最後の編集が反映されています。")
    static let editDidNotArrive = Phrase(
        "Your last edit did not arrive. Save the words again to retry, or delete the post and post again.",
        ja: "最後の編集は反映されていません。文章をもう一度保存すると再試行します。投稿を削除してもう一度投稿することもできます。")
    static let postStaysAsItWas = Phrase(
        "The post does not have your last edit, and Pics cannot change it. Delete the post and post again to replace it.",
        ja: "この投稿に最後の編集は反映されず、Picsから変更できません。置き換えるには、投稿を削除してもう一度投稿してください。")

    static func editDidNotArrive(at service: String) -> Phrase {
        Phrase(
            "Your last edit did not arrive. Save the words again to retry, or change the post at \(service).",
            ja: "最後の編集は反映されていません。文章をもう一度保存すると再試行します。\(service)で変更することもできます。")
    }

    static func postStaysAsItWas(at service: String) -> Phrase {
        Phrase(
            "The post does not have your last edit, and Pics cannot change it. Change it at \(service).",
            ja: "この投稿に最後の編集は反映されず、Picsから変更できません。\(service)で変更してください。")
    }

    static func photoIsPrivateBut(_ services: String) -> Phrase {
        Phrase(
            "The photo is private here, and nothing more of it is sent. Posts that are out stay: \(services). Delete them below.",
            ja: "このサーバーでは非公開になり、これ以降は送信されません。次のサービスの投稿は残ります: \(services)。下で削除できます。")
    }

    static func photoIsEditedBut(_ services: String) -> Phrase {
        Phrase(
            "Saved. Posts cannot be changed at: \(services). To change one, delete the post and post again.",
            ja: "保存しました。次のサービスの投稿は変更できません: \(services)。変更するには、投稿を削除してもう一度投稿してください。")
    }

    static func deletePostsToo(_ services: String) -> Phrase {
        Phrase("Delete its posts too: \(services)", ja: "投稿も削除する: \(services)")
    }

    static func postsStay(_ services: String) -> Phrase {
        Phrase("Posts that Pics cannot delete stay: \(services)", ja: "次のサービスの投稿は削除できず、残ります: \(services)")
    }
}

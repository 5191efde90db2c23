internal import Domain

/// Words of the second factor: authenticator apps and recovery codes.
extension Phrase {
    static let secondFactor = Phrase("Two-factor sign-in", ja: "2段階認証")
    static let secondFactorExplained = Phrase(
        "Off. Turn it on, and Pics will also ask for a code from an authenticator app when you sign in.",
        ja: "オフです。オンにすると、ログイン時に認証アプリのコードも確認します。")
    static let asksForCode = Phrase(
        "On: after the password, Pics asks for a code.", ja: "オン：パスワードのあとにコードを確認します。")
    static let secondFactorIsOff = Phrase("Two-factor sign-in is off.", ja: "2段階認証はオフです。")
    static let secondFactorIsOn = Phrase("Two-factor sign-in is on.", ja: "2段階認証をオンにしました。")
    static let setUp = Phrase("Set up", ja: "設定する")
    static let manage = Phrase("Manage", ja: "管理する")
    static let turnSecondFactorOff = Phrase("Turn off two-factor sign-in", ja: "2段階認証をオフにする")
    static let turnSecondFactorOn = Phrase("Turn on", ja: "オンにする")
    static let scanCode = Phrase(
        "Scan this QR code with an authenticator app, then enter the code that the app shows.",
        ja: "認証アプリでこのQRコードを読み取り、アプリに表示されるコードを入力してください。")
    static let typeSecret = Phrase("Or enter this key in the app:", ja: "または、このキーをアプリに入力してください：")
    static let openInApp = Phrase("Open in authenticator app", ja: "認証アプリで開く")
    static let secretAsQRCode = Phrase("The key as a QR code", ja: "キーのQRコード")
    static let appCodeHint = Phrase("Six digits.", ja: "6桁の数字")
    static let setupHasEnded = Phrase("This page is too old. Begin again.", ja: "ページの有効期限が切れました。もう一度やり直してください。")

    static let recoveryCodes = Phrase("Recovery codes", ja: "リカバリーコード")
    static let makeRecoveryCodes = Phrase("Create new codes", ja: "新しいコードを作成する")
    static let copyCodesNow = Phrase(
        "Each works once, in place of a code from the app. Keep them somewhere safe: they are not shown again.",
        ja: "アプリのコードの代わりに、それぞれ1回だけ使えます。再び表示されることはないので、安全な場所に保管してください。")
    static let codesAreKept = Phrase("I have saved them", ja: "保存しました")
    static let recoveryCodesAreNew = Phrase(
        "New recovery codes. The old ones no longer work.", ja: "リカバリーコードを新しくしました。以前のコードは使えません。")

    static func codesLeft(_ count: Int) -> Phrase {
        Phrase(
            count == 1 ? "1 code left. New codes replace it." : "\(count) codes left. New codes replace them.",
            ja: "残り\(count)個です。新しいコードを作成すると、以前のコードは使えなくなります。")
    }

    static let enterCode = Phrase("Enter a code", ja: "コードの入力")
    static let codeHint = Phrase(
        "From your authenticator app, or a recovery code.", ja: "認証アプリのコード、またはリカバリーコード")
    static let wrongCode = Phrase("Wrong code, or it was used before.", ja: "コードが違うか、すでに使用されています。")
    static let wrongSetupCode = Phrase(
        "Wrong code. Check that your phone's clock is right.", ja: "コードが違います。スマートフォンの時刻が正しいか確認してください。")
    static let otherPerson = Phrase("Sign in as somebody else", ja: "別のユーザーでログイン")
    static let lostCodes = Phrase(
        "No app and no recovery codes? Ask an admin of this Pics.",
        ja: "アプリもリカバリーコードも使えない場合は、このPicsの管理者にお問い合わせください。")

    /// After too many wrong codes.
    static func tooManyWrongCodes(_ pause: Duration?) -> Phrase {
        let wait = minutes(pause ?? .zero)
        return Phrase(
            "Too many wrong codes. Nothing was compared. Wait \(wait.english).",
            ja: "コードの間違いが続いたため、照合を中止しました。\(wait.count)分後にもう一度お試しください。")
    }

    static let hasSecondFactor = Phrase("two-factor sign-in", ja: "2段階認証")
    static let removeSecondFactor = Phrase("Remove two-factor sign-in", ja: "2段階認証を解除する")

    static func secondFactorWasRemoved(of name: String) -> Phrase {
        Phrase(
            "Two-factor sign-in of \(name) removed. Their password alone signs in now.",
            ja: "\(name)さんの2段階認証を解除しました。パスワードだけでログインできます。")
    }

    static func askToRemoveSecondFactor(of name: String) -> Phrase {
        Phrase("Remove two-factor sign-in of \(name)?", ja: "\(name)さんの2段階認証を解除しますか？")
    }

    static func removeSecondFactorExplained(of name: String) -> Phrase {
        Phrase(
            "For somebody who has lost both the app and the recovery codes. First make sure that it is \(name) who asks: the password alone signs in then.",
            ja: "アプリとリカバリーコードの両方を失ったときに使います。解除後はパスワードだけでログインできるため、\(name)さん本人からの依頼であることを先に確認してください。")
    }

    static func removeSecondFactor(of name: String) -> Phrase {
        Phrase("Remove two-factor sign-in of \(name)", ja: "\(name)さんの2段階認証を解除する")
    }
}

extension MarkedPhrase {
    static func secondFactorSince(_ time: HTML) -> MarkedPhrase {
        MarkedPhrase("On since \(time).", ja: "\(time) からオンです。")
    }
}

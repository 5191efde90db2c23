internal import Domain

/// Words of the public face: who somebody is, their albums, and the page that strangers see first.
extension Phrase {
    static let profile = Phrase("Profile", ja: "公開プロフィール")
    static let displayName = Phrase("Display name", ja: "表示名")
    static let displayNameHint = Phrase(
        "Optional, up to 100 characters. Shown in place of your user name.", ja: "省略可、100文字まで。ユーザー名の代わりに表示されます。")
    static let about = Phrase("About you", ja: "自己紹介")
    static let aboutHint = Phrase("Optional, up to 500 characters.", ja: "省略可、500文字まで。")
    static let links = Phrase("Links", ja: "リンク")
    static let linksHint = Phrase("Up to 5 web addresses.", ja: "ウェブアドレスを5件まで。")
    static func link(_ number: Int) -> Phrase { Phrase("Link \(number)", ja: "リンク\(number)") }
    static let yourPicture = Phrase("Picture", ja: "プロフィール写真")
    static let pictureHint = Phrase(
        "A public photo of yours. When it becomes private or is deleted, your initials take its place.",
        ja: "公開写真から選びます。非公開にするか削除すると、イニシャルに戻ります。")
    static let initials = Phrase("Initials", ja: "イニシャル")
    static let linkOfAnother = Phrase("Or the link of another photo", ja: "または別の写真のリンク")
    static let noPublicPhotos = Phrase("You have no public photos yet.", ja: "公開写真はまだありません。")
    static let profileIsSaved = Phrase("Profile saved.", ja: "プロフィールを保存しました。")
    static let pictureIsSaved = Phrase("Picture saved.", ja: "プロフィール写真を保存しました。")
    static let displayNameMistake = Phrase(
        "The display name must be one visible line of up to 100 characters.", ja: "表示名は、見える文字の1行、100文字までです。")
    static let aboutMistake = Phrase("The text must have up to 500 characters.", ja: "文章は500文字までです。")
    static func linkMistake(_ link: String) -> Phrase {
        Phrase("This is not a web address: \(link)", ja: "ウェブアドレスではありません：\(link)")
    }
    static let tooManyLinks = Phrase("Up to 5 links are possible.", ja: "リンクは5件までです。")
    static let pictureMistake = Phrase(
        "Choose a public photo of yours without a content warning.", ja: "内容警告のない、ご自分の公開写真を選んでください。")
    static let whereProfileIsShown = Phrase(
        "Shown in your gallery and on the pages of your photos.", ja: "ギャラリーと写真のページに表示されます。")
    static let editProfile = Phrase("Edit profile", ja: "プロフィールを編集")

    static func photos(_ count: Int, isMore: Bool = false) -> Phrase {
        let shown = Language.english.number(count) + (isMore ? "+" : "")
        return Phrase("\(shown) photo\(count == 1 ? "" : "s")", ja: "写真\(shown)枚")
    }
    static func albums(_ count: Int, isMore: Bool) -> Phrase {
        let shown = Language.english.number(count) + (isMore ? "+" : "")
        return Phrase("\(shown) album\(count == 1 ? "" : "s")", ja: "アルバム\(shown)件")
    }
    static func days(_ count: Int, isMore: Bool) -> Phrase {
        let shown = Language.english.number(count) + (isMore ? "+" : "")
        return Phrase("\(shown) day\(count == 1 ? "" : "s")", ja: "\(shown)日")
    }
    static let hashtags = Phrase("Hashtags", ja: "ハッシュタグ")
}

/// Words of albums.
extension Phrase {
    static let editAlbum = Phrase("Edit album", ja: "アルバムを編集")
    static let albumName = Phrase("Name", ja: "名前")
    static let albumAbout = Phrase("Description", ja: "説明")
    static let albumOrder = Phrase("Order of photos", ja: "写真の順序")
    static let albumCover = Phrase("Cover", ja: "カバー写真")
    static let newestPhoto = Phrase("Newest photo", ja: "最新の写真")
    static let albumIsSaved = Phrase("Album saved.", ja: "アルバムを保存しました。")
    static let albumNameMistake = Phrase("The name must be one line of up to 100 characters.", ja: "名前は1行、100文字までです。")
    static let albumNameTaken = Phrase("Another album has this name.", ja: "同じ名前のアルバムがあります。")
    static let coverMistake = Phrase(
        "The cover must be a public photo of this album.", ja: "カバーには、このアルバムの公開写真を選んでください。")
    static let albumNameHint = Phrase(
        "A new name applies to all photos of the album, private ones too.", ja: "名前を変えると、非公開の写真も含めアルバムのすべての写真に反映されます。")
    static let next = Phrase("Next", ja: "次へ")
    static let previous = Phrase("Previous", ja: "前へ")
    static let beginning = Phrase("Beginning", ja: "最初")

    static func order(_ order: PhotoAlbum.Order) -> Phrase {
        switch order {
        case .newest: Phrase("Newest first", ja: "新しい順")
        case .oldest: Phrase("Oldest first", ja: "古い順")
        case .caption: Phrase("By caption", ja: "キャプション順")
        }
    }
}

/// Words of the page that strangers see first.
extension Phrase {
    static let newestPhotos = Phrase("Newest photos", ja: "新着写真")
    static let galleryOffer = Phrase(
        "Your public photos are found by their links alone.", ja: "公開写真は、それぞれのリンクからのみ見られます。")
    static let openYourGallery = Phrase("Open your gallery", ja: "ギャラリーを公開する")
    static let whyGallery = Phrase(
        "Your public photos in one place, with their days, albums and feeds.", ja: "公開写真を日付やアルバムごとにまとめ、フィードも配信します。")
}

/// Words of the calendar.
extension Phrase {
    /// From 0, Monday.
    static func weekday(_ day: Int) -> Phrase {
        let english = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        return Phrase(english[day], ja: "\(japaneseWeekdays[day])曜日")
    }

    /// The same where there is room for two letters.
    static func shortWeekday(_ day: Int) -> Phrase {
        let english = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        return Phrase(english[day], ja: japaneseWeekdays[day])
    }

    private static let japaneseWeekdays = ["月", "火", "水", "木", "金", "土", "日"]

    /// A month of a year, both from 1.
    static func month(_ month: Int, of year: Int) -> Phrase {
        Phrase("\(Language.english(.month(month))) \(year)", ja: "\(year)年\(month)月")
    }

    /// A day with its weekday, from 0, Monday.
    static func day(_ date: String, weekday: Int) -> Phrase {
        Phrase("\(Language.english(.weekday(weekday))), \(date)", ja: "\(date)（\(japaneseWeekdays[weekday])）")
    }
}

extension MarkedPhrase {
    static func photo(creditedTo name: String) -> MarkedPhrase {
        MarkedPhrase("Photo by <bdi>\(name)</bdi>", ja: "撮影：<bdi>\(name)</bdi>")
    }
}

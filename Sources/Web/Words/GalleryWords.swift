/// Words of galleries.
extension Phrase {
    static let photos = Phrase("Photos", ja: "写真")
    static let days = Phrase("Days", ja: "日々")
    static let albums = Phrase("Albums", ja: "アルバム")
    static let newer = Phrase("Newer", ja: "新しい写真")
    static let older = Phrase("Older", ja: "以前の写真")
    static let newest = Phrase("Newest", ja: "最新")
    static let laterThatDay = Phrase("Later that day", ja: "この日の続き")
    static let moreAlbums = Phrase("More albums", ja: "続きのアルバム")
    static let galleryParts = Phrase("Gallery sections", ja: "ギャラリーの表示")
    static let pages = Phrase("Pages", ja: "ページ")
    static let feeds = Phrase("Follow", ja: "購読")
    static let video = Phrase("Video", ja: "動画")
    static let noPhotosYet = Phrase("There are no public photos yet.", ja: "公開された写真はまだありません。")
    static let noAlbumsYet = Phrase("There are no albums yet.", ja: "アルバムはまだありません。")

    static func galleryOf(_ name: String) -> Phrase { Phrase("Photos by \(name)", ja: "\(name) の写真") }

    static func dayOfYear(_ day: Int, of days: Int) -> Phrase { Phrase("\(day) of \(days)", ja: "\(days)日中\(day)日目") }

    static func daysWithPhotos(_ count: Int, of days: Int) -> Phrase {
        Phrase("Photos on \(count) of \(days) days", ja: "\(days)日のうち\(count)日に写真")
    }

    static func dayLabel(_ date: String, photos: Int, isMore: Bool) -> Phrase {
        let count = isMore ? "\(photos) or more" : "\(photos)"
        return Phrase(
            "\(date), \(count) photo\(photos == 1 ? "" : "s")", ja: "\(date)、写真\(photos)枚\(isMore ? "以上" : "")")
    }

    /// A month of the year, from 1.
    static func month(_ month: Int) -> Phrase {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return Phrase(names[month - 1], ja: "\(month)月")
    }

    static func year(_ year: Int) -> Phrase { Phrase("\(year)", ja: "\(year)年") }
}

/// Words of the settings of a gallery.
extension Phrase {
    static let gallery = Phrase("Gallery", ja: "ギャラリー")
    static let galleryIsOpen = Phrase(
        "Your gallery is open: everybody can find your public photos in one place.",
        ja: "ギャラリーを公開しています。公開写真を誰でもまとめて見られます。")
    static let galleryIsClosed = Phrase(
        "Your gallery is closed: each photo is found by its own link alone.",
        ja: "ギャラリーは非公開です。写真はそれぞれのリンクからのみ見られます。")
    static let whatAGalleryShows = Phrase(
        "It shows your public photos with their days and albums, and has feeds. Unlisted and private photos never appear.",
        ja: "公開写真を日付やアルバムごとに表示し、フィードも配信します。限定公開と非公開の写真は表示されません。")
    static let openTheGallery = Phrase("Open the gallery", ja: "ギャラリーを公開する")
    static let closeTheGallery = Phrase("Close the gallery", ja: "ギャラリーを非公開にする")
}

internal import Domain
internal import FoundationEssentials
internal import Submitters

/// Words of cards on paper.
extension Phrase {
    static let sendAsPostcard = Phrase("Send as a postcard", ja: "はがきで送る")
    static let postcard = Phrase("Postcard", ja: "はがき")
    static let postcards = Phrase("Postcards", ja: "はがき")
    static let card = Phrase("Card", ja: "はがきの種類")
    static let recipient = Phrase("Recipient", ja: "宛先")
    static let cardMessage = Phrase("Message", ja: "メッセージ")
    static let chooseCountry = Phrase("Choose a country", ja: "国を選んでください")
    static let showPreview = Phrase("Preview and price", ja: "仕上がりと料金を確認")
    static let previewExplained = Phrase(
        "Next you see the card and its price. Nothing is ordered before you confirm.",
        ja: "次に仕上がりと料金を確認します。確定するまで注文されません。")
    static let cardFront = Phrase("Front", ja: "表面")
    static let cardBack = Phrase("Back", ja: "裏面")
    static let trimExplained = Phrase(
        "Anything outside the line may be cut off.", ja: "線の外側は裁断されることがあります。")
    static let price = Phrase("Price", ja: "料金")
    static let printing = Phrase("Printing", ja: "印刷")
    static let postage = Phrase("Postage", ja: "送料")
    static let totalPrice = Phrase("Total", ja: "合計")
    static let shipping = Phrase("Shipping", ja: "発送方法")
    static let estimatedPrice = Phrase(
        "The bill may differ: this price is an estimate.", ja: "概算です。請求額は異なることがあります。")
    static let testOrder = Phrase("Test order: nothing is printed.", ja: "テスト注文です。印刷も発送もされません。")
    static let changeCard = Phrase("Change", ja: "修正する")
    static let priceNotShown = Phrase(
        "The price was shown too long ago, or the order has changed. Here is the price of now.",
        ja: "料金の表示から時間がたったか、注文の内容が変わりました。現在の料金を表示しています。")
    static let noCardOfThis = Phrase("This photo cannot be printed.", ja: "この写真は印刷できません。")
    static let trackIt = Phrase("Track the delivery", ja: "配送状況を確認する")
    static let showPrintedCard = Phrase("Show the printed card", ja: "印刷されるはがきを見る")
    static let actThere = Phrase("Continue at the service", ja: "サービスで手続きを続ける")
    static let expectedOn = Phrase("Expected", ja: "到着予定")
    static let orderedOn = Phrase("Ordered", ja: "注文日時")
    static let thePhoto = Phrase("To the photo", ja: "写真に戻る")
    static let cancelOrder = Phrase("Cancel the order", ja: "注文を取り消す")
    static let orderIsBeingCancelled = Phrase("The order is being cancelled.", ja: "注文を取り消しています。")
    static let recipientForgotten = Phrase(
        "The address was deleted 30 days after the end of the order.", ja: "宛先は注文の終了から30日後に削除されました。")

    static func orderFor(_ price: PrintPrice) -> Phrase {
        Phrase("Order for \(price)", ja: "\(price) で注文する")
    }

    static func resolutionIsLow(_ dots: Int) -> Phrase {
        Phrase(
            "The picture has \(dots) dots per inch on this card. Below 200 it looks soft.",
            ja: "このはがきでの解像度は1インチあたり\(dots)ドットです。200より小さいとぼやけて見えます。")
    }

    static func longestMessage(_ format: PrintFormat) -> Phrase {
        Phrase(
            "Up to \(format.longestMessage) characters in \(format.mostLines) lines.",
            ja: "\(format.mostLines)行、\(format.longestMessage)文字まで。")
    }

    static let someBacksStayEmpty = Phrase(
        "Some cards have no room for a message.", ja: "文字を入れられないはがきもあります。")
    static let backStaysEmpty = Phrase(
        "Nothing can be written on the back of this card.", ja: "このはがきの裏面には文字を入れられません。")

    static func days(_ days: ClosedRange<Int>) -> Phrase {
        Phrase("\(days.lowerBound)–\(days.upperBound) days", ja: "\(days.lowerBound)〜\(days.upperBound)日")
    }

    static func addressField(_ field: PostalAddress.Field) -> Phrase {
        switch field {
        case .name: Phrase("Name", ja: "氏名")
        case .company: Phrase("Company (optional)", ja: "会社名(任意)")
        case .line1: Phrase("Street and number", ja: "住所")
        case .line2: Phrase("Second line (optional)", ja: "建物名など(任意)")
        case .city: Phrase("City", ja: "市区町村")
        case .region: Phrase("State or region (optional)", ja: "都道府県・州(任意)")
        case .postalCode: Phrase("Postal code", ja: "郵便番号")
        case .country: Phrase("Country", ja: "国")
        }
    }

    static func state(_ state: Postcard.State) -> Phrase {
        switch state {
        case .waiting: Phrase("being ordered", ja: "注文中")
        case .ordered: Phrase("ordered", ja: "注文済み")
        case .inProduction: Phrase("being printed", ja: "印刷中")
        case .mailed: Phrase("mailed", ja: "発送済み")
        case .delivered: Phrase("delivered", ja: "配達済み")
        case .returned: Phrase("returned to sender", ja: "差出人に戻りました")
        case .cancelled: Phrase("cancelled", ja: "取り消し済み")
        case .rejected: Phrase("not ordered", ja: "注文されませんでした")
        case .failed: Phrase("failed", ja: "失敗")
        case .unknown: Phrase("unknown whether it was ordered", ja: "注文されたか不明")
        }
    }
}

extension Language {
    /// All countries with their names, in the order in which people look for them.
    var countries: [(code: String, name: String)] { self == .japanese ? CountryNames.japanese : CountryNames.english }

    /// The name of a country.
    func country(_ code: String) -> String {
        countries.first { $0.code == code }?.name ?? code
    }
}

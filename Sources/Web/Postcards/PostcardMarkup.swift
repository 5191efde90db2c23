internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Submitters
internal import System

/// The form for a card: which one, to whom, with what words.
struct PostcardForm {
    let photo: Photo
    let accounts: [PrintingAccount]
    let fields: PostcardFields
    let caller: SignedInUser
    let registry: Registry

    private var say: Language { caller.language }

    var html: HTML {
        """
        <p><a href="/\(photo.code.description)">\(Thumbnail(photo, isEager: true).html)</a></p>
        <form class="form" method="post" action="/\(photo.code.description)/postcard">
        \(caller.formInput)<label>\(say(.card))
        <select name="card">
        \(HTML.join(accounts.flatMap(options)))</select></label>
        <fieldset><legend>\(say(.recipient))</legend>
        \(HTML.join(PostalAddress.Field.allCases.map(field)))</fieldset>
        \(message)<p class="facts">\(say(.previewExplained))</p>
        <button>\(say(.showPreview))</button>
        </form>

        """
    }

    private func options(_ account: PrintingAccount) -> [HTML] {
        account.formats.map { format in
            let value = "\(account.account.id) \(format.id)"
            let selected: HTML = value == fields.card ? " selected" : .nothing
            return """
                <option value="\(value)"\(selected)>\(registry.name(of: account.account.service)): \(format.name) (\(account.account.account))</option>

                """
        }
    }

    private func field(_ field: PostalAddress.Field) -> HTML {
        let value = fields.recipient[field] ?? ""
        if field == .country { return countries(value) }
        let required: HTML = [.name, .line1, .city].contains(field) ? " required" : .nothing
        return """
            <label>\(say(.addressField(field)))
            <input name="\(field.rawValue)" value="\(value)" maxlength="\(field.longest)" autocomplete="shipping \(Self.autocomplete(field))" dir="auto"\(required)></label>

            """
    }

    private func countries(_ chosen: String) -> HTML {
        let options = say.countries.map { country -> HTML in
            let selected: HTML = country.code == chosen ? " selected" : .nothing
            return "<option value=\"\(country.code)\"\(selected)>\(country.name)</option>\n"
        }
        return """
            <label>\(say(.addressField(.country)))
            <select name="\(PostalAddress.Field.country.rawValue)" autocomplete="shipping country" required>
            <option value="">\(say(.chooseCountry))</option>
            \(HTML.join(options))</select></label>

            """
    }

    /// The names of HTML, section 4.10.18.7.1.
    private static func autocomplete(_ field: PostalAddress.Field) -> String {
        switch field {
        case .name: "name"
        case .company: "organization"
        case .line1: "address-line1"
        case .line2: "address-line2"
        case .city: "address-level2"
        case .region: "address-level1"
        case .postalCode: "postal-code"
        case .country: "country"
        }
    }

    /// The bound is that of the card with the most room; each card's own is looked at with the preview.
    private var message: HTML {
        let written = accounts.flatMap(\.formats).filter(\.hasWrittenBack)
        guard let roomiest = written.max(by: { $0.longestMessage < $1.longestMessage }) else { return .nothing }
        let hasPlain = accounts.flatMap(\.formats).contains { !$0.hasWrittenBack }
        let exception: HTML = hasPlain ? " \(say(.someBacksStayEmpty))" : .nothing
        // A browser counts UTF-16 units: a character has two at most.
        return """
            <label>\(say(.cardMessage))
            <textarea name="message" rows="\(min(roomiest.mostLines, 8))" maxlength="\(2 * roomiest.longestMessage)" dir="auto">\(fields.message)</textarea>\
            <small>\(say(.longestMessage(roomiest)))\(exception)</small></label>

            """
    }
}

/// The card as it would be printed, and its price.
struct PostcardPreviewPage {
    let photo: Photo
    let preview: PostcardPreview
    let caller: SignedInUser

    private var say: Language { caller.language }
    private var path: String { "/\(photo.code)/postcard" }

    var html: HTML {
        let test: HTML =
            preview.account.isSandbox ? "<p class=\"notice\">\(say(.testOrder))</p>\n" : .nothing
        let coarse: HTML =
            preview.isCoarse
            ? "<p class=\"notice failed\">\(say(.resolutionIsLow(preview.resolution)))</p>\n" : .nothing
        return """
            \(test)<h2>\(say(.cardFront))</h2>
            \(front)<p class="facts">\(say(.trimExplained))</p>
            \(coarse)<h2>\(say(.cardBack))</h2>
            <div class="postcard back"><p dir="auto">\(preview.order.message)</p>
            \(HTML.address(preview.order.recipient, say))</div>
            <h2>\(say(.price))</h2>
            \(price)<form class="form" method="post" action="\(path)/order">
            \(hidden)<input type="hidden" name="price" value="\(preview.quote.total.minorUnits)">
            <input type="hidden" name="currency" value="\(preview.quote.total.currency)">
            <input type="hidden" name="quote" value="\(preview.token)">
            <button>\(say(.orderFor(preview.quote.total)))</button>
            </form>
            <form class="form" method="post" action="\(path)">
            \(hidden)<button class="quiet" name="change" value="true">\(say(.changeCard))</button>
            </form>

            """
    }

    /// The picture fills the card as it will on paper; the line is where it is cut.
    private var front: HTML {
        let surface = preview.format.surface.surface(under: preview.picture.width, preview.picture.height)
        let inset = preview.format.trimInset
        return """
            <svg class="postcard" viewBox="0 0 \(surface.width) \(surface.height)" role="img" aria-label="\(PhotoTitle.alternative(to: photo))">
            <image href="\(PublicRendition.large.path(code: photo.code, recipe: photo.recipe))" width="\(surface.width)" height="\(surface.height)" preserveAspectRatio="xMidYMid slice"/>
            <rect x="\(inset)" y="\(inset)" width="\(max(0, surface.width - 2 * inset))" height="\(max(0, surface.height - 2 * inset))"/>
            </svg>

            """
    }

    private var price: HTML {
        let quote = preview.quote
        let parts: [(Phrase, String?)] = [
            (.card, preview.format.name), (.printing, quote.print?.description), (.postage, quote.post?.description),
            (.shipping, quote.shippingMethod), (.expectedOn, quote.days.map { say(.days($0)) }),
            (.totalPrice, quote.total.description),
        ]
        let rows = parts.compactMap { term, fact in
            fact.map { "<div><dt>\(say(term))</dt><dd>\($0)</dd></div>\n" as HTML }
        }
        let estimate: HTML = quote.isEstimate ? "<p class=\"facts\">\(say(.estimatedPrice))</p>\n" : .nothing
        return "<dl class=\"terms\">\n\(HTML.join(rows))</dl>\n\(estimate)"
    }

    /// The order as it is confirmed, or changed.
    private var hidden: HTML {
        let recipient = PostalAddress.Field.allCases.compactMap { field in
            preview.order.recipient[field].map { (field.rawValue, $0) }
        }
        let fields = [("card", "\(preview.account.account.id) \(preview.format.id)")] + recipient
        return """
            \(caller.formInput)\(HTML.join(fields.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">\n" }))\
            <textarea name="message" hidden>\(preview.order.message)</textarea>

            """
    }
}

/// An order, and what has become of it.
struct PostcardPage {
    let view: PostcardView
    let caller: SignedInUser
    let service: String
    let zone: Zone

    private var say: Language { caller.language }
    private var postcard: Postcard { view.postcard }

    var html: HTML {
        let test: HTML = postcard.isSandbox ? "<p class=\"notice\">\(say(.testOrder))</p>\n" : .nothing
        let problem: HTML =
            postcard.problem.map { "<p>\(say.marked(Phrase($0)))</p>\n" } ?? .nothing
        let facts: [(Phrase, String?)] = [
            (.state, say(.state(postcard.state))), (.card, "\(service): \(view.product)"),
            (.price, view.price.description), (.orderedOn, say.moment(postcard.createdAt, in: zone)),
            (.expectedOn, expected),
        ]
        let rows = facts.compactMap { term, fact in
            fact.map { "<div><dt>\(say(term))</dt><dd>\($0)</dd></div>\n" as HTML }
        }
        let links: [(Phrase, String?)] = [
            (.trackIt, postcard.facts.trackingURL), (.showPrintedCard, postcard.facts.previewURL),
            (.actThere, postcard.facts.actionURL),
        ]
        let ways = links.compactMap { words, url in
            url.flatMap { $0.isWebAddress ? $0 : nil }.map {
                "<p><a href=\"\($0)\" rel=\"noopener noreferrer\">\(say(words))</a></p>\n" as HTML
            }
        }
        return """
            \(test)<dl class="terms">
            \(HTML.join(rows))</dl>
            \(problem)\(HTML.join(ways))\(end)\(card)<p><a href="/\(postcard.code.description)#tools">\(say(.thePhoto))</a></p>

            """
    }

    private var expected: String? {
        guard let day = postcard.facts.expectedOn, let time = Timestamp("\(day)T00:00:00Z") else { return nil }
        return say.day(time.date, in: .utc)
    }

    private var end: HTML {
        if postcard.isCancelWanted { return "<p>\(say(.orderIsBeingCancelled))</p>\n" }
        guard postcard.canBeCancelled else { return .nothing }
        return """
            <form method="post" action="\(PageHandlers.postcardsPath)/\(postcard.id.description)/cancel">\
            \(caller.formInput)<button class="quiet">\(say(.cancelOrder))</button></form>

            """
    }

    private var card: HTML {
        guard let order = view.order else { return "<p class=\"facts\">\(say(.recipientForgotten))</p>\n" }
        return """
            <h2>\(say(.cardBack))</h2>
            <div class="postcard back"><p dir="auto">\(order.message)</p>
            \(HTML.address(order.recipient, say))</div>

            """
    }
}

/// The orders of a photo on its own page, and the way to another.
struct PostcardRows {
    let orders: [PostcardView]
    /// Whether an account is connected that cards can be ordered through.
    let canOrder: Bool
    let photo: Photo
    let say: Language
    let zone: Zone

    var html: HTML {
        let link: HTML =
            canOrder && photo.kind == .photo && photo.hasPicture
            ? "<p><a href=\"/\(photo.code.description)/postcard\">\(say(.sendAsPostcard))</a></p>\n" : .nothing
        guard !orders.isEmpty else { return link }
        let rows = orders.map { view -> HTML in
            let postcard = view.postcard
            return """
                <li><div><a href="\(PageHandlers.postcardsPath)/\(postcard.id.description)">\(say.moment(postcard.createdAt, in: zone))</a> \
                <span class="facts">\(say(.state(postcard.state))) · \(view.price.description)</span></div></li>

                """
        }
        return "<h3>\(say(.postcards))</h3>\n<ul class=\"rows\">\n\(HTML.join(rows))</ul>\n\(link)"
    }
}

extension HTML {
    /// An address as it stands on paper.
    static func address(_ address: PostalAddress, _ say: Language) -> HTML {
        let lines = [
            address.name, address.company, address.line1, address.line2, "\(address.postalCode) \(address.city)",
            address.region, say.country(address.country),
        ].compactMap { $0?.trimmed }.filter { !$0.isEmpty }
        return "<address dir=\"auto\">\(HTML.join(lines.map { "\($0)<br>\n" }))</address>"
    }
}

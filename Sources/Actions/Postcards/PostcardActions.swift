internal import Accounts
internal import Crypto
package import Domain
package import FoundationEssentials
internal import HTTP
internal import Logging
internal import Store
package import Submitters
internal import System

/// A card that a person wants: account, product, recipient, and the text on its back.
package struct PostcardDraft: Sendable, Equatable {
    /// An account's identifier.
    package let account: String
    /// `PrintFormat.id`; nil: the account's usual product.
    package let format: String?
    package let recipient: PostalAddress
    /// On the back.
    package let message: String

    package init(account: String, format: String?, recipient: PostalAddress, message: String) {
        (self.account, self.format, self.recipient) = (account, format, recipient)
        // A browser sends line ends as CR LF.
        self.message = message.replacing("\r\n", with: "\n").trimmed
    }
}

/// An account that cards can be ordered through.
package struct PrintingAccount: Sendable {
    package let account: Account
    package let submitter: any PrintingSubmitter
    /// The usual first; never empty.
    package let formats: [PrintFormat]
    /// Whether orders are tests.
    package let isSandbox: Bool
}

/// A card as it would be ordered: what is shown to a person before they confirm its price.
package struct PostcardPreview: Sendable {
    package let account: PrintingAccount
    package let format: PrintFormat
    /// With the recipient as they will be printed, and the price.
    package let order: PrintOrder
    package let quote: PrintQuote
    /// The part of the picture that is printed.
    package let cut: PictureFill.Cut
    /// Of the edited picture, in pixels.
    package let picture: PictureFill.PixelSize
    /// Dots per inch of the card.
    package let resolution: Int
    /// Proves that this price was shown, until `end`.
    package let token: String
    package let end: Date

    /// Whether the picture will look soft on paper.
    package var isCoarse: Bool { resolution < Self.goodResolution }

    private static let goodResolution = 200
}

/// An order, and what was ordered.
package struct PostcardView: Sendable {
    package let postcard: Postcard
    /// Nil once the recipient is forgotten.
    package let order: PrintOrder?
    /// The product, as people write it.
    package let product: String
    package var price: PrintPrice {
        PrintPrice(minorUnits: postcard.priceMinor, currency: postcard.priceCurrency)
    }
}

/// Cards on paper that owners order of their photos.
///
/// A price is confirmed by its token: nobody can order at one that was not shown to them in the last half hour.
package struct PostcardActions: Sendable {
    private let context: ActionContext
    private let now: @Sendable () -> Date

    private static let (quoteContext, orderContext) = ("postcard quote", "postcard order")
    /// How long a price that was shown can be confirmed, in seconds.
    package static let quoteLife: TimeInterval = 1800
    /// In bytes; half a SHA-256 (RFC 2104, section 5).
    private static let codeCount = 16

    package init(_ context: ActionContext, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.context, self.now) = (context, now)
    }

    private var reader: AccountReader { context.accounts.reader }

    // MARK: Before an order

    /// The accounts of a user that cards can be ordered through.
    package func accounts(of user: User) async throws -> [PrintingAccount] {
        try await context.store.connections(of: user.id).compactMap { record -> PrintingAccount? in
            guard record.connection.state == .ok,
                let submitter = context.registry[record.connection.service] as? any PrintingSubmitter
            else { return nil }
            let settings = try JSONValue(parsing: Array(record.settings.utf8))
            let formats = submitter.formats(settings)
            guard !formats.isEmpty else { return nil }
            return PrintingAccount(
                account: record.connection, submitter: submitter, formats: formats,
                isSandbox: submitter.isSandbox(settings))
        }
    }

    /// Checks whom a card is for and what is written on it, asks for its price, and tells how the picture will be cut.
    ///
    /// - Throws: `InvalidField`; `SubmissionError` of the service, whose `field` is one of `PostalAddress.Field`; as `order`.
    package func preview(_ photo: PhotoID, _ draft: PostcardDraft, by user: User) async throws -> PostcardPreview {
        let photo = try await printable(photo, of: user)
        let (account, format) = try await chosen(draft, of: user)
        let sealed = try await context.store.account(account.account.id, owner: user.id)
        let opened = try await reader.account(sealed, for: account.submitter)
        let recipient = try await account.submitter.check(draft.recipient, of: opened, over: reader.transport)
        guard format.takes(message: draft.message) else {
            throw InvalidField.impossible(
                "#/message",
                format.hasWrittenBack
                    ? "It may have \(format.longestMessage) characters in \(format.mostLines) lines."
                    : "Nothing can be written on the back of this card.")
        }
        let asked = PrintOrder(format: format.id, recipient: recipient, message: draft.message)
        let quote = try await account.submitter.quote(asked, of: opened, over: reader.transport)
        let order = PrintOrder(
            format: format.id, recipient: recipient, message: draft.message, price: quote.total)
        let picture = Self.size(of: photo)
        let cut = format.surface.cut(of: picture.width, picture.height)
        let end = Date(timeIntervalSince1970: (now().timeIntervalSince1970 + Self.quoteLife).rounded(.down))
        return PostcardPreview(
            account: account, format: format, order: order, quote: quote, cut: cut, picture: picture,
            resolution: PrintFormat.resolution * max(cut.width, cut.height) / max(format.width, format.height),
            token: token(for: order, of: photo.id, through: account.account.id, by: user.id, until: end), end: end)
    }

    /// The picture with its edits, in pixels.
    private static func size(of photo: Photo) -> PictureFill.PixelSize {
        let shown = RecipeLayout(photo.recipe, ofWidth: photo.width ?? 1, height: photo.height ?? 1)
            .size(maxSide: photo.recipe?.fit ?? .max)
        return PictureFill.PixelSize(width: shown.width, height: shown.height)
    }

    /// A photo of the user's own, also a private one, that can be printed.
    private func printable(_ id: PhotoID, of user: User) async throws -> Photo {
        let photo = try await context.store.photo(id, viewer: user.id).photo
        guard photo.owner == user.id else { throw StoreError.notFound }
        guard !photo.isDraft else { throw ActionError.photoIsDraft }
        guard photo.kind == .photo, photo.hasPicture, photo.shownSize != nil else {
            throw InvalidField.impossible("#", "A card needs a picture: there is none, or it is a video.")
        }
        return photo
    }

    private func chosen(_ draft: PostcardDraft, of user: User) async throws -> (PrintingAccount, PrintFormat) {
        guard let account = try await accounts(of: user).first(where: { $0.account.id.description == draft.account })
        else {
            throw InvalidField.impossible("#/account", "No such account of a printing service is connected.")
        }
        guard let format = account.formats.first(where: { draft.format == nil || $0.id == draft.format }) else {
            throw InvalidField.impossible("#/format", "The account has no such product.")
        }
        return (account, format)
    }

    // MARK: Orders

    /// Orders a card at a price that was shown. The same order under the same key, or at the same quote where there is none, is one order.
    ///
    /// - Throws: `InvalidField`; `StoreError.notFound` for a photo of somebody else's; `ActionError.photoIsDraft`, `.priceNotShown`, `.keyUsed`,
    ///   `.requestUnderWay`; `CryptoError`.
    package func order(
        _ photo: PhotoID, _ draft: PostcardDraft, at price: PrintPrice, token: String, by user: User,
        key: IdempotencyKey?
    ) async throws -> PostcardView {
        let key = key ?? IdempotencyKey("postcard quote \(token)", of: user.id)
        return try await context.once(key) {
            let requestKey = SHA256Digest(of: "postcard \(key.user) \(key.text)").bytes
            let order = PrintOrder(
                format: draft.format ?? "", recipient: draft.recipient, message: draft.message, price: price)
            let content = Self.content(of: order, of: photo, through: draft.account, by: user.id)
            if let made = try await context.store.postcard(requestKey: requestKey, owner: user.id) {
                return try await same(made, as: content, by: user)
            }
            let photo = try await printable(photo, of: user)
            let (account, format) = try await chosen(draft, of: user)
            guard draft.format == format.id, isShown(token, content) else { throw ActionError.priceNotShown }
            let id = PostcardID.make(at: now())
            let made = try await context.store.order(
                NewPostcard(
                    id: id, owner: user.id, photo: photo.id, connection: account.account.id, requestKey: requestKey,
                    fingerprint: reader.keys.authenticationCode(of: content, context: Self.orderContext),
                    sealed: try reader.keys.seal(
                        order.json.serialized, context: Postcard.context(of: id.description)),
                    format: format.id, priceMinor: price.minorUnits, priceCurrency: price.currency,
                    isSandbox: account.isSandbox))
            return try await same(made, as: content, by: user)
        }
    }

    /// An order that is there, which has to be what was asked for.
    private func same(_ made: StoredPostcard, as content: [UInt8], by user: User) async throws -> PostcardView {
        guard reader.keys.isAuthenticationCode(made.fingerprint, of: content, context: Self.orderContext) else {
            throw ActionError.keyUsed
        }
        return try view(made, products: try await products(of: user))
    }

    /// An order of the user's.
    package func order(_ id: PostcardID, by user: User) async throws -> PostcardView {
        try view(try await context.store.postcard(id, owner: user.id), products: try await products(of: user))
    }

    /// The orders of a photo of the user's, newest first.
    package func orders(of photo: PhotoID, by user: User) async throws -> [PostcardView] {
        let stored = try await context.store.postcards(of: photo, owner: user.id)
        guard !stored.isEmpty else { return [] }
        let products = try await products(of: user)
        return try stored.map { try view($0, products: products) }
    }

    /// Asks for the end of an order; again changes nothing.
    ///
    /// - Throws: `StoreError.notFound`; `SubmissionError.rejected(.tooLateToCancel)` for one that is made, or has ended otherwise.
    package func cancel(_ id: PostcardID, by user: User) async throws -> PostcardView {
        let products = try await products(of: user)
        if let asked = try await context.store.cancel(id, owner: user.id) { return try view(asked, products: products) }
        let stored = try await context.store.postcard(id, owner: user.id)
        guard stored.postcard.isCancelWanted || stored.postcard.state == .cancelled else {
            throw SubmissionError.rejected(
                .tooLateToCancel, ProblemParameters(service: context.registry.name(of: stored.postcard.service)))
        }
        return try view(stored, products: products)
    }

    private func products(of user: User) async throws -> [String: String] {
        Dictionary(
            try await accounts(of: user).flatMap { account in
                account.formats.map { ("\(account.account.id) \($0.id)", $0.name) }
            }, uniquingKeysWith: { first, _ in first })
    }

    private func view(_ stored: StoredPostcard, products: [String: String]) throws -> PostcardView {
        let postcard = stored.postcard
        let order = try opened(stored)
        return PostcardView(
            postcard: postcard, order: order,
            product: products["\(postcard.connection) \(postcard.format)"] ?? postcard.format)
    }

    /// The order in clear; nil once the recipient is forgotten, and where the key is missing, which the log tells.
    private func opened(_ stored: StoredPostcard) throws -> PrintOrder? {
        guard let sealed = stored.sealed else { return nil }
        let id = stored.postcard.id
        let text: [UInt8]
        do throws(CryptoError) {
            text = try reader.keys.open(sealed, context: Postcard.context(of: id.description))
        } catch {
            context.logger.error("an order cannot be opened", ["postcard": id, "error": logText(of: error)])
            return nil
        }
        return PrintOrder(try JSONValue(parsing: text))
    }

    // MARK: Tokens

    /// The content of an order, as bytes: two orders are the same where these are.
    private static func content(
        of order: PrintOrder, of photo: PhotoID, through account: String, by user: UserID
    ) -> [UInt8] {
        IdempotencyKey.fingerprint([
            Array(user.description.utf8), Array(photo.description.utf8), Array(account.utf8), order.json.serialized,
        ])
    }

    private func token(
        for order: PrintOrder, of photo: PhotoID, through account: AccountID, by user: UserID, until end: Date
    ) -> String {
        let seconds = Int64(end.timeIntervalSince1970)
        let code = reader.keys.authenticationCode(
            of: Self.signed(Self.content(of: order, of: photo, through: account.description, by: user), seconds),
            context: Self.quoteContext)
        return "\(seconds).\(Base64URL.encode(code.prefix(Self.codeCount)))"
    }

    /// Whether a token was given for exactly this order, and has not ended.
    private func isShown(_ token: String, _ content: [UInt8]) -> Bool {
        let parts = token.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let end = Int64(parts[0]), end > Int64(now().timeIntervalSince1970),
            let code = Base64URL.decode(String(parts[1])), code.count == Self.codeCount
        else { return false }
        return reader.keys.isAuthenticationCode(code, of: Self.signed(content, end), context: Self.quoteContext)
    }

    private static func signed(_ content: [UInt8], _ end: Int64) -> [UInt8] { content + Array(" \(end)".utf8) }
}

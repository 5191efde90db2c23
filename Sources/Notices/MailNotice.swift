package import Domain
internal import Formats
package import Store

/// The content of a mail.
package enum MailNotice: Sendable {
    /// Somebody may become a user: by whose invitation, and as whom where that is decided.
    case invitation(by: String?, as: String?, link: String)
    /// Links for a new password: by user.
    case reset([(user: String, link: String)])
    /// Whether the address is a user's.
    case confirmation(user: String, link: String)
    /// Posts and accounts that need somebody.
    case attention([Trouble])
    /// The responses to photos since the last digest.
    case digest([DigestPhoto])
    /// Somebody has asked whether it works.
    case test

    /// Something that needs its person.
    package enum Trouble: Sendable {
        /// A post of a photo that was refused, or whose outcome is unknown.
        case post(Submission, Photo)
        /// An account, by service and name, that has to be connected again.
        case login(service: String, account: String)
        /// A photo that was reported, by the code of its link.
        case report(ShortCode)
    }
}

/// The words of a mail.
package struct MailText: Sendable, Equatable {
    /// Something that is told, and the page that shows it.
    package struct Item: Sendable, Equatable {
        package let title: String
        package let body: String
        /// Whole.
        package let url: String

        package init(title: String, body: String, url: String) {
            self.title = title
            self.body = body
            self.url = url
        }
    }

    package let subject: String
    /// The sentence above the items.
    package let paragraphs: [String]
    package let items: [Item]
    /// Why it was sent, in small letters below.
    package let footer: String
    /// The words of the link that ends such mails.
    package let unsubscribe: String

    package init(subject: String, paragraphs: [String], items: [Item], footer: String, unsubscribe: String) {
        self.subject = subject
        self.paragraphs = paragraphs
        self.items = items
        self.footer = footer
        self.unsubscribe = unsubscribe
    }

    /// The mail as text, with the address that ends such mails where there is one.
    func plain(unsubscribeURL: String?) -> String {
        var blocks = paragraphs
        blocks += items.map { item in [item.title, item.body, item.url].filter { !$0.isEmpty }.joined(separator: "\n") }
        // What follows is no part of the message (RFC 3676, section 4.3).
        let end = [footer] + (unsubscribeURL.map { ["\(unsubscribe): \($0)"] } ?? [])
        return blocks.joined(separator: "\n\n") + "\n\n-- \n" + end.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The mail as markup: words and links alone, so that opening it tells nobody.
    func html(in language: String, unsubscribeURL: String?) -> String {
        var html =
            "<!DOCTYPE html>\n<html lang=\"\(HTMLText.escaped(language))\"><body style=\"font-family:sans-serif\">\n"
        for paragraph in paragraphs { html += "<p>\(HTMLText.escaped(paragraph))</p>\n" }
        for item in items {
            let body = item.body.isEmpty ? "" : "<br>\n\(HTMLText.escaped(item.body))"
            html +=
                "<p><a href=\"\(HTMLText.escaped(item.url))\">\(HTMLText.escaped(item.title))</a>\(body)</p>\n"
        }
        var end = HTMLText.escaped(footer)
        if let unsubscribeURL {
            end += "<br>\n<a href=\"\(HTMLText.escaped(unsubscribeURL))\">\(HTMLText.escaped(unsubscribe))</a>"
        }
        return html + "<hr>\n<p><small>\(end)</small></p>\n</body></html>"
    }
}

internal import System

/// A message of mail (RFC 5322, 2045 to 2047, 2231, 2387): words, and files that are encoded while it is sent.
///
/// It is ASCII throughout, in lines of 78 characters at most but for the names of long files. The same values make the same bytes.
package struct MailMessage: Sendable {
    /// A file that goes along.
    package struct File: Sendable {
        /// As the receiver may keep it.
        package var name: String
        package var mediaType: String
        package var bytes: Int64
        /// The picture in words; may be empty.
        package var summary: String
        /// Whether it is shown among the words, by its place in `html`; else it is attached.
        package var isInline: Bool

        package init(name: String, mediaType: String, bytes: Int64, summary: String, isInline: Bool) {
            self.name = name
            self.mediaType = mediaType
            self.bytes = bytes
            self.summary = summary
            self.isInline = isInline
        }
    }

    /// A stretch of the message.
    package enum Piece: Sendable, Equatable {
        case text([UInt8])
        /// The file at this place, in lines of base64.
        case file(Int)
    }

    package var sender: MailAddress
    /// The recipients: 1 or more. Several are not told of each other.
    package var recipients: [MailAddress]
    package var subject: String
    /// In seconds since 1970.
    package var date: Int64
    /// The part of `Message-ID` before the `@`: letters, digits, `.` and `-`. It is the same for repeats of a message and for no other.
    package var key: String
    package var text: String
    /// The same words as markup; nil: there is only the text. `cid:` and `contentID(_:)` show an inline file.
    package var html: String?
    package var files: [File]
    /// Whether no person has caused it (RFC 3834): no machine answers it then.
    package var isAutomatic: Bool
    /// Where a receiver's program ends such messages with one request (RFC 2369, RFC 8058): `https`, in visible ASCII; any other is left out.
    package var unsubscribeURL: String?

    package init(
        from sender: MailAddress, to recipients: [MailAddress], subject: String, date: Int64, key: String,
        text: String, html: String? = nil, files: [File] = [], isAutomatic: Bool = false,
        unsubscribeURL: String? = nil
    ) {
        self.sender = sender
        self.recipients = recipients
        self.subject = subject
        self.date = date
        self.key = String(String.UnicodeScalarView(key.unicodeScalars.map { Self.isKeyLetter($0) ? $0 : "-" }))
        self.text = text
        self.html = html
        self.files = files
        self.isAutomatic = isAutomatic
        self.unsubscribeURL = unsubscribeURL
    }

    private static func isKeyLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-": true
        default: false
        }
    }

    /// `<key.pics@example.com>`.
    package var id: String { "<\(key).pics@\(sender.domain)>" }

    /// How `html` names the file at `place`.
    package func contentID(_ place: Int) -> String { "\(place + 1).\(key).pics@\(sender.domain)" }

    /// In bytes, as it is sent.
    package var size: Int64 {
        pieces.reduce(0) { sum, piece in
            switch piece {
            case .text(let bytes): sum + Int64(bytes.count)
            case .file(let place): sum + MailBody.length(ofBase64: files[place].bytes)
            }
        }
    }

    /// The whole message in order; it ends with a line end.
    package var pieces: [Piece] {
        var (pieces, open): ([Piece], [UInt8]) = ([], [])
        open += header.utf8
        guard !files.isEmpty else { return [.text(open + words)] }
        let boundary = boundary("files")
        let isRelated = files.allSatisfy(\.isInline) && html != nil
        open +=
            MailHeader.structured(
                "Content-Type",
                [
                    isRelated ? "multipart/related;" : "multipart/mixed;",
                    isRelated ? "type=\"multipart/alternative\";" : nil, "boundary=\"\(boundary)\"",
                ].compactMap { $0 }
            ).utf8
        open += "\r\n--\(boundary)\r\n".utf8
        open += words
        for (place, file) in files.enumerated() {
            open += "\r\n--\(boundary)\r\n\(header(of: file, at: place))\r\n".utf8
            pieces += [.text(open), .file(place)]
            open = []
        }
        return pieces + [.text(Array("\r\n--\(boundary)--\r\n".utf8))]
    }

    /// No line of base64 or quoted-printable begins so.
    private func boundary(_ name: String) -> String { "=_\(name)_\(key.prefix(40))" }

    private var header: String {
        var header = "Date: \(Self.text(of: date))\r\n"
        header += MailHeader.structured("From", sender.words)
        header += MailHeader.structured(
            "To", recipients.count == 1 ? recipients[0].words : ["undisclosed-recipients:;"])
        header += MailHeader.text("Subject", subject)
        header += "Message-ID: \(id)\r\n"
        if isAutomatic { header += "Auto-Submitted: auto-generated\r\n" }
        if let unsubscribeURL, Self.isListed(unsubscribeURL) {
            header += MailHeader.structured("List-Unsubscribe", ["<\(unsubscribeURL)>"])
            header += "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        }
        return header + "MIME-Version: 1.0\r\n"
    }

    /// Whether an address may stand in `List-Unsubscribe`: what could end it, or its line, is none.
    private static func isListed(_ url: String) -> Bool {
        url.hasPrefix("https://") && url.utf8.count <= 900
            && url.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }

    /// The text, and the markup where there is any, as a part with its fields.
    private var words: [UInt8] {
        guard let html else { return part("plain", text) }
        let boundary = boundary("words")
        var part = Array(
            MailHeader.structured("Content-Type", ["multipart/alternative;", "boundary=\"\(boundary)\""]).utf8)
        for (type, words) in [("plain", text), ("html", html)] {
            part += "\r\n--\(boundary)\r\n".utf8
            part += self.part(type, words)
        }
        return part + Array("\r\n--\(boundary)--\r\n".utf8)
    }

    private func part(_ type: String, _ words: String) -> [UInt8] {
        let fields = "Content-Type: text/\(type); charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        return Array(fields.utf8) + MailBody.quotedPrintable(words)
    }

    private func header(of file: File, at place: Int) -> String {
        var header = MailHeader.structured(
            "Content-Type", ["\(file.mediaType);", MailHeader.parameter("name", file.name)])
        header += "Content-Transfer-Encoding: base64\r\n"
        header += MailHeader.structured(
            "Content-Disposition",
            [file.isInline ? "inline;" : "attachment;", MailHeader.parameter("filename", file.name)])
        if file.isInline { header += MailHeader.structured("Content-ID", ["<\(contentID(place))>"]) }
        if !file.summary.isEmpty { header += MailHeader.text("Content-Description", file.summary) }
        return header
    }

    /// `Sat, 21 Nov 2026 19:42:00 +0000` (RFC 5322, section 3.3).
    private static func text(of seconds: Int64) -> String {
        let time = CivilTime(secondsSince1970: seconds)
        // 1970-01-01 was a Thursday.
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][((time.date.daysSince1970 + 4) % 7 + 7) % 7]
        let month = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][time.date.month - 1]
        let clock = [time.hour, time.minute, time.second].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(weekday), \(padded(time.date.day, to: 2)) \(month) \(padded(time.date.year, to: 4)) \(clock) +0000"
    }
}

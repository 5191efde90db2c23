internal import Domain
internal import EventLoops
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import System

/// One submission by mail: one message to all recipients.
///
/// Everything but the line that ends the message may be repeated. Mail cannot be looked up at a server for sending: what became of that line is
/// known only when its answer was read and written down, else a person looks. A repeat is the same message, with the same `Message-ID`,
/// which some receivers show once.
struct MailPosting: Sendable {
    private static let dateKey = "date"
    private static let sentKey = "sent"

    let task: SubmissionTask
    let mailbox: MailAccount
    let server: MailServer
    let client: ServiceClient
    let threads: BlockingThreads

    func submit() async throws(SubmissionError) -> Receipt {
        let pictures = task.pictures
        var files: [OutgoingFile] = []
        for picture in pictures { files.append(try await picture.file()) }
        let message = MailWords(task: task, mailbox: mailbox, date: try await date()).message(showing: files)

        try await SMTPSession.hold(with: server, client, threads: threads) { [files] session throws(SubmissionError) in
            try await session.begin(message)
            try await session.send(message, files) { sent in pictures.report(sent, of: files) }
            let reply = try await task.publish(task.text) { _ throws(SubmissionError) in try await session.finish() }
            try await task.journal.record(Self.sentKey, ["id": .string(message.id), "reply": .string(reply.text)])
        }
        return Receipt(remoteID: message.id, url: nil)
    }

    static func reconcile(_ task: SubmissionTask) async -> Reconciliation {
        let id = await task.journal.value(sentKey)?["id"]?.string
        return id.map { .found(Receipt(remoteID: $0, url: nil)) } ?? .cannotTell
    }

    /// The time of the first attempt, in seconds since 1970.
    private func date() async throws(SubmissionError) -> Int64 {
        if let date = await task.journal.value(Self.dateKey)?.int { return date }
        let date = Int64(task.now().timeIntervalSince1970)
        try await task.journal.record(Self.dateKey, .int(date))
        return date
    }
}

/// The words of a message that shows a photo.
struct MailWords {
    let task: SubmissionTask
    let mailbox: MailAccount
    let date: Int64

    /// RFC 5322, section 2.1.1.
    private static let longestSubject = 78

    func message(showing files: [OutgoingFile]) -> MailMessage {
        let isVideo = task.photo.isVideo
        var message = MailMessage(
            from: mailbox.sender, to: mailbox.recipients, subject: subject, date: date, key: task.outboundKey,
            text: text,
            files: zip(task.pictures, files).map { picture, file in
                MailMessage.File(
                    name: "pics-\(picture.code).\(file.fileExtension)", mediaType: file.mediaType, bytes: file.bytes,
                    summary: picture.altText, isInline: !isVideo)
            })
        message.html = html(message)
        return message
    }

    /// The first line of the caption.
    private var subject: String {
        let line = task.text.split(whereSeparator: \.isNewline).lazy
            .map { $0.trimmedOfSpaces }.first { !$0.isEmpty }
        guard let line else { return "\(task.photo.isVideo ? "Video" : "Photo") by \(task.photo.owner)" }
        return line.count <= Self.longestSubject ? line : "\(line.prefix(Self.longestSubject - 1))…"
    }

    /// The page of the photo here, where the recipients may open it and the caption does not name it.
    private var link: String? {
        let isOpen = task.photo.visibility != .private && task.shortURL.isWebAddress
        return isOpen && !task.text.contains(task.shortURL) ? task.shortURL : nil
    }

    private var text: String { [task.text, link ?? ""].filter { !$0.isEmpty }.joined(separator: "\n\n") }

    private func html(_ message: MailMessage) -> String {
        var html = "<!DOCTYPE html>\n<html><body>\n"
        if !task.text.isEmpty {
            html +=
                "<p>\(HTMLText.escaped(task.text).replacing("\r\n", with: "\n").replacing("\n", with: "<br>\n"))</p>\n"
        }
        for (place, file) in message.files.enumerated() where file.isInline {
            let alt = HTMLText.escaped(file.summary)
            html += "<p><img src=\"cid:\(message.contentID(place))\" alt=\"\(alt)\" style=\"max-width:100%\"></p>\n"
        }
        if let link { html += "<p><a href=\"\(HTMLText.escaped(link))\">\(HTMLText.escaped(link))</a></p>\n" }
        return html + "</body></html>"
    }
}

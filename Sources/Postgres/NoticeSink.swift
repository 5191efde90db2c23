internal import CPostgres
internal import Logging

/// Sends a connection's notices to the log. libpq keeps a bare pointer to it: it must live as long as the connection.
final class NoticeSink {
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func attach(to connection: borrowing ConnectionHandle) {
        let receive: PQnoticeReceiver = { sink, result in
            guard let sink else { return }
            Unmanaged<NoticeSink>.fromOpaque(sink).takeUnretainedValue().log(result)
        }
        PQsetNoticeReceiver(connection.pointer, receive, Unmanaged.passUnretained(self).toOpaque())
    }

    private func log(_ result: OpaquePointer?) {
        let sqlState = PQresultErrorField(result, Int32(pics_field_sqlstate)).map { String(cString: $0) }
        logger.info("notice of the database", ["sqlstate": sqlState, "text": libpqText(PQresultErrorMessage(result))])
    }
}

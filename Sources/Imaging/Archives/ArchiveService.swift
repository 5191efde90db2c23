internal import Glibc
internal import Media
internal import System

/// Answers `ArchiveRequest`s about one archive, until the socket is closed.
enum ArchiveService {
    /// Reads what is read from the disk lazily.
    static func prepare() {
        // Names are UTF-8 here as they are in archives, so that none is converted.
        setlocale(LC_CTYPE, "C.UTF-8")
        let converter = iconv_open("UTF-8", "UTF-8")
        if Int(bitPattern: converter) != -1 { iconv_close(converter) }
    }

    static func serve(_ socket: borrowing PacketSocket, within limits: MediaLimits) throws {
        guard let first = try socket.receive(capacity: MediaMessage.maxBytes, descriptors: 1) else { return }
        guard case .open = try MediaMessage.decode(ArchiveRequest.self, from: first.bytes),
            let descriptor = first.descriptors.first
        else { return try answer(.refused(.failed), to: socket) }
        try Confinement.allowProcessorTime(seconds: limits.processorSeconds)
        // The packet closes its own.
        let file = OwnedDescriptor(owning: dup(descriptor))
        var archive: ArchiveHandle
        do throws(ArchiveError) { archive = try ArchiveHandle(file.number) } catch {
            let isCut = file.read(at: 0, atMost: 4) == [0x50, 0x4B, 0x03, 0x04]
            return try answer(.refused(isCut ? .cutOff : error), to: socket)
        }
        try answer(.opened, to: socket)
        while let packet = try socket.receive(capacity: MediaMessage.maxBytes, descriptors: 1) {
            try Confinement.allowProcessorTime(seconds: limits.processorSeconds)
            let request = try MediaMessage.decode(ArchiveRequest.self, from: packet.bytes)
            var reply = reply(to: request, packet.descriptors.first, &archive)
            // A ZIP archive says at its end what it has.
            if case .refused(.unreadable) = reply, file.read(at: 0, atMost: 4) == [0x50, 0x4B, 0x03, 0x04] {
                reply = .refused(.cutOff)
            }
            try answer(reply, to: socket)
        }
    }

    private static func answer(_ reply: ArchiveReply, to socket: borrowing PacketSocket) throws {
        try socket.send(try MediaMessage.encode(reply))
    }

    private static func reply(
        to request: ArchiveRequest, _ output: Int32?, _ archive: inout ArchiveHandle
    ) -> ArchiveReply {
        do throws(ArchiveError) {
            switch request {
            case .open: throw .failed
            case .list(let texts): return .entries(try list(texts, &archive))
            case .seek(let number):
                while let entry = try archive.next() {
                    if entry.number >= number { return .entries([entry]) }
                }
                return .entries([])
            case .extract(let limit):
                var facts = stat()
                guard let output, fstat(output, &facts) == 0 else { throw .failed }
                return .extracted(bytes: try archive.write(to: output, at: Int64(facts.st_size), limit: limit))
            }
        } catch {
            return .refused(error)
        }
    }

    private static func list(_ texts: [String], _ archive: inout ArchiveHandle) throws(ArchiveError) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        while entries.count < ArchiveEntry.mostAtOnce {
            let entry: ArchiveEntry?
            do throws(ArchiveError) { entry = try archive.next() } catch {
                // Those before it come first; the error comes again.
                guard !entries.isEmpty else { throw error }
                break
            }
            guard let entry else { break }
            entries.append(entry)
            let name = entry.name.lowercased()
            if texts.contains(where: { name.hasSuffix($0) }) { break }
        }
        return entries
    }
}

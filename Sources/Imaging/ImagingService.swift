internal import Domain
internal import Glibc
package import Media
internal import System

/// The program `pics-media`: answers requests, one after the other, until its socket is closed.
package enum ImagingService {
    /// Limits the process, then serves the socket that is its standard input.
    ///
    /// - Parameters:
    ///   - role: The requests that it answers.
    ///   - argument: `MediaLimits`, as its parent wrote them.
    /// - Throws: Before the first request if the limits cannot be set; later when the socket breaks.
    package static func run(as role: MediaRole, argument: String) throws {
        let limits = try MediaLimits(argument: argument)
        let socket = PacketSocket(owning: OwnedDescriptor(owning: STDIN_FILENO))
        try Confinement.enter(limits)
        if role == .pictures {
            try Vips.start(threads: limits.threads)
            try PictureMetadata.start()
        }
        if role == .archives { ArchiveService.prepare() }
        // Its parent sees whether there is one.
        try SystemCallFilter.install(for: role)
        guard role != .archives else { return try ArchiveService.serve(socket, within: limits) }
        while let packet = try socket.receive(capacity: MediaMessage.maxBytes, descriptors: MediaMessage.maxFiles) {
            try Confinement.allowProcessorTime(seconds: limits.processorSeconds)
            let reply = reply(to: packet, within: limits) { made throws(ImagingError) in
                do { try socket.send(try MediaMessage.encode(made)) } catch {
                    throw .failed(detail: "answer: \(error)")
                }
            }
            try socket.send(try MediaMessage.encode(reply))
        }
    }

    /// Works on a request and tells `report` what is done already; its files are closed when this returns.
    private static func reply(
        to packet: consuming Packet, within limits: MediaLimits, _ report: (MediaReply) throws(ImagingError) -> Void
    ) -> MediaReply {
        do throws(ImagingError) {
            return try answer(packet, within: limits, report)
        } catch {
            return error.reply
        }
    }

    private static func answer(
        _ packet: borrowing Packet, within limits: MediaLimits, _ report: (MediaReply) throws(ImagingError) -> Void
    ) throws(ImagingError) -> MediaReply {
        let request: MediaRequest
        do {
            request = try MediaMessage.decode(MediaRequest.self, from: packet.bytes)
        } catch {
            throw .failed(detail: "request: \(error)")
        }
        let input = try InputFile(try descriptor(0, of: packet))
        switch request {
        case .probe:
            return .probed(try Prober(limits: limits).probe(input))
        case .render(let renditions):
            return .rendered(try render(renditions, of: input, within: limits, packet, report))
        case .frame:
            ReadableFiles.restrict(to: input.descriptor)
            try PosterFrame(limits: limits).write(of: input, to: try descriptor(1, of: packet))
            return .written
        case .interlace(let interlace):
            let inputs = try inputs(interlace.recipe.pictureCount, of: packet)
            let (bytes, facts) = try Interlacer(limits: limits).interlace(inputs, as: interlace)
            try OutputFile(try descriptor(inputs.count, of: packet)).write([bytes[...]])
            return .rendered([facts])
        case .strip(let rules) where input.type?.isVideo == true:
            let output = OutputFile(try descriptor(1, of: packet))
            try MovieStripper.strip(input, rules, within: limits, to: output)
            return .written
        case .strip(let rules):
            let pieces = try MetadataEditor(limits: limits).strip(input, rules)
            try OutputFile(try descriptor(1, of: packet)).write(pieces)
            return .written
        case .tag(let tags):
            let pieces = try MetadataEditor(limits: limits).tag(input, tags)
            try OutputFile(try descriptor(1, of: packet)).write(pieces)
            return .written
        }
    }

    private static func render(
        _ renditions: [Rendition], of input: InputFile, within limits: MediaLimits, _ packet: borrowing Packet,
        _ report: (MediaReply) throws(ImagingError) -> Void
    ) throws(ImagingError) -> [RenderedFacts] {
        let descriptors = packet.descriptors
        guard descriptors.count > renditions.count else { throw .failed(detail: "a request without its files") }
        var facts: [RenderedFacts] = []
        try Renderer(limits: limits).render(input, as: renditions) { index, bytes, made throws(ImagingError) in
            try OutputFile(descriptors[1 + index]).write([bytes[...]])
            facts.append(made)
            if facts.count < renditions.count { try report(.made(index, made)) }
        }
        return facts
    }

    private static func inputs(_ count: Int, of packet: borrowing Packet) throws(ImagingError) -> [InputFile] {
        var inputs: [InputFile] = []
        for index in 0..<count { inputs.append(try InputFile(try descriptor(index, of: packet))) }
        return inputs
    }

    private static func descriptor(_ index: Int, of packet: borrowing Packet) throws(ImagingError) -> Int32 {
        guard packet.descriptors.indices.contains(index) else { throw .failed(detail: "a request without its file") }
        return packet.descriptors[index]
    }
}

/// Answers `MediaRequest.probe`.
struct Prober {
    let limits: MediaLimits

    /// The facts in a file's header, if the file goes on to a picture's end.
    func probe(_ input: InputFile) throws(ImagingError) -> PictureFacts {
        if let type = input.type, type.isVideo {
            let header = try MovieHeader(of: input)
            guard header.size != nil else { throw .refused(.unknownType, detail: "no track with pictures") }
            return header.facts(as: type)
        }
        let header = try header(of: input)
        try header.check(frames: 1, limit: limits.pixels)
        try PictureEnd.check(input, as: header.type, unpacks: true)
        let (width, height) = header.uprightSize
        var facts = PictureFacts(
            kind: .photo, mediaType: header.type.mediaType, width: width, height: height,
            orientation: header.orientation,
            pages: header.pages, hasAlpha: header.hasAlpha, hasICC: header.hasICC)
        guard let exif = header.exif else { return facts }
        do throws(ImagingError) {
            let metadata = try PictureMetadata(MetadataBlocks(exif: exif))
            facts.takenAt = metadata.takenAt
            facts.position = metadata.position
            facts.exif = metadata.selection
        } catch {
            // A picture with broken metadata is still a picture.
        }
        return facts
    }

    /// The header of a picture. Of a file whose header cannot be read its end may say why.
    private func header(of input: InputFile) throws(ImagingError) -> PictureHeader {
        do throws(ImagingError) { return try PictureHeader(of: input) } catch {
            if let type = input.type { try PictureEnd.check(input, as: type, unpacks: false) }
            throw error
        }
    }
}

/// Why a file was not worked on. `detail` is for the log only.
package enum ImagingError: Error {
    /// It is the file's fault.
    case refused(Refusal, detail: String)
    /// It is not the file's fault.
    case failed(detail: String)

    /// The file ends before the picture does.
    static func cutOff(_ detail: String) -> ImagingError { .refused(.cutOff, detail: detail) }

    /// The file is broken.
    static func damaged(_ detail: String) -> ImagingError { .refused(.damaged, detail: detail) }

    /// As the parent process is told.
    var reply: MediaReply {
        switch self {
        case .refused(let refusal, let detail): .refused(refusal, detail: String(detail.prefix(500)))
        case .failed(let detail): .failed(detail: String(detail.prefix(500)))
        }
    }
}

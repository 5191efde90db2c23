internal import HTTP

/// The server's additions to a handler's response, decided once, before the head is written.
struct ResponseDecorations {
    /// The body in gzip, which is sent instead of the handler's.
    var gzipped: [UInt8]?
    /// Whether the strong tag is that of the copy in gzip (RFC 9110, section 8.8.3.3).
    var hasCodedTag = false
    /// The fields that `Vary` has to name beside those of the handler.
    var variation: Variation = []
    /// Whole lines for pages of other origins.
    var corsLines: [UInt8] = []

    struct Variation: OptionSet {
        let rawValue: UInt8
        static let coding = Variation(rawValue: 1)
        static let origin = Variation(rawValue: 2)
    }
}

extension LoopContext {
    /// Decides what the server adds to a response. Nothing is looked for that the request did not bring.
    func decorations(to response: HTTPResponse, _ exchange: Exchange) -> ResponseDecorations {
        var decorations = ResponseDecorations()
        if let cors { cors.add(to: &decorations, exchange) }
        switch response.body {
        case _ where response.status.code == 304: codeNotModified(response, exchange, &decorations)
        case .bytes(let bytes) where bytes.count >= Compression.sizes.lowerBound:
            code(bytes, of: response, exchange, &decorations)
        default: break
        }
        return decorations
    }

    private func code(
        _ bytes: [UInt8], of response: HTTPResponse, _ exchange: Exchange, _ decorations: inout ResponseDecorations
    ) {
        // A part is one of the uncoded bytes.
        guard response.allowsBody, response.status != .partialContent, Compression.isOffered(response) else { return }
        decorations.variation.insert(.coding)
        guard exchange.prefersGzip else { return }
        decorations.gzipped = gzip?.encode(bytes)
        decorations.hasCodedTag = decorations.gzipped != nil
    }

    /// 304 says what 200 would have said (RFC 9110, section 15.4.5), and names a copy that the client has.
    private func codeNotModified(
        _ response: HTTPResponse, _ exchange: Exchange, _ decorations: inout ResponseDecorations
    ) {
        // A handler that has made no body may have meant any that its fields allow.
        var isOffered = Compression.isOffered(response)
        if case .empty = response.body { isOffered = Compression.isOffered(response.fields, type: true) }
        guard isOffered else { return }
        decorations.variation.insert(.coding)
        guard exchange.prefersGzip else { return }
        let known = exchange.negotiationFields?["If-None-Match"]
        let tag = response.fields["ETag"].flatMap { EntityTag(parsing: $0) }
        // By a date alone it is the copy that 200 would have had; of a body that nobody knows, the one that has no coding.
        guard let known, let tag, known != "*" else { return decorations.hasCodedTag = Compression.isOffered(response) }
        decorations.hasCodedTag = Preconditions.names(known, tag.coded(.gzip))
    }
}

extension Exchange {
    /// Whether the client likes gzip better than the bytes as they are.
    fileprivate var prefersGzip: Bool {
        guard let negotiationFields, negotiationFields.mentions.contains(.acceptEncoding) else { return false }
        return AcceptedCodings(negotiationFields["Accept-Encoding"]).preferred == .gzip
    }
}

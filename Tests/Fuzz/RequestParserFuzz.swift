// Feeds the parser of requests and the decoder of chunked bodies with whatever libFuzzer thinks of, and ends the process when
// the outcome depends on how the bytes are cut into pieces.
//
// Build and run it from the root of the repository:
//
//     swiftc -sanitize=fuzzer,address -parse-as-library -O -package-name pics -swift-version 6 \
//         Sources/HTTPServer/Messages/{MessageBytes,RequestFault,RequestParser,RequestLine,FieldLine,FieldMentions,CollectedFields}.swift \
//         Sources/HTTPServer/Messages/{HostSyntax,RequestTarget,ChunkedDecoder}.swift \
//         Tests/Fuzz/RequestParserFuzz.swift -o .build/parser-fuzz
//     .build/parser-fuzz -max_total_time=60 -dict=Tests/Fuzz/http.dict

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    // The first byte says how the rest is cut.
    let step = Int(start[0] & 31) + 1
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    precondition(parse(bytes, step: step) == parse(bytes, step: bytes.count))
    precondition(decode(bytes, step: step) == decode(bytes, step: bytes.count))
    return 0
}

private func parse(_ bytes: [UInt8], step: Int) -> String {
    var parser = RequestParser()
    do throws(RequestFault) {
        for end in stride(from: step, to: bytes.count + step, by: step) {
            let piece = bytes.span.extracting(..<min(end, bytes.count))
            guard let layout = try parser.parse(piece, .init()) else { continue }
            let isOptions = bytes[layout.method] == Array("OPTIONS".utf8)[...]
            let target = try RequestTarget(piece, layout.target, isOptions: isOptions)
            precondition(target.shownPath == "*" || target.path.first == "/")
            precondition(!target.path.split(separator: "/").contains { $0 == "." || $0 == ".." })
            return "\(layout.length) \(layout.fieldCount) \(layout.framing) \(layout.persists) \(target.path)"
        }
        return "incomplete"
    } catch {
        return "\(error.status) \(error.detail)"
    }
}

private func decode(_ bytes: [UInt8], step: Int) -> [UInt8]? {
    var decoder = ChunkedDecoder()
    var data: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
        let piece = bytes.span.extracting(..<min(start + step, bytes.count))
        var index = start
        reading: while true {
            do {
                switch try decoder.next(piece, from: index) {
                case .data(let range):
                    precondition(range.lowerBound >= index && !range.isEmpty)
                    data += bytes[range]
                    index = range.upperBound
                case .more: break reading
                case .end(let end): return data + [UInt8(truncatingIfNeeded: end)]
                }
            } catch {
                return nil
            }
        }
    }
    return data
}

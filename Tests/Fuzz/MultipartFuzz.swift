internal import HTTP

// Feeds a form's body in pieces, and ends the process when the outcome depends on how it was cut.

/// The function that libFuzzer calls with every input: the first three bytes say where the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 3 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 3, count: count - 3))
    let step = start[0] & 1 == 0 ? Int(start[0] >> 1) % 20 + 1 : bytes.count
    let middle = Int(start[1]) << 8 | Int(start[2])
    let whole = outcome(bytes, cuts: [])
    precondition(outcome(bytes, cuts: Array(stride(from: step, to: bytes.count, by: step))) == whole)
    precondition(outcome(bytes, cuts: middle < bytes.count ? [middle] : []) == whole)
    return 0
}

/// The events, with the pieces of each part joined.
private enum Happening: Equatable {
    case part(PartHeaders)
    case bytes([UInt8])
    case partEnd, end
    case failed(MultipartError)
}

private func outcome(_ bytes: [UInt8], cuts: [Int]) -> [Happening] {
    var happenings: [Happening] = []
    var taken = 0
    do throws(MultipartError) {
        var parser = try MultipartParser(boundary: "b", limits: MultipartParser.Limits(parts: 4, headerBytes: 300))
        for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
            for event in try parser.feed(bytes[start..<end]) { taken += append(event, to: &happenings) }
        }
        try parser.finish()
    } catch {
        // Events of the piece with the fault are not told.
        return [.failed(error)]
    }
    precondition(taken <= bytes.count)
    check(happenings)
    return happenings
}

private func append(_ event: MultipartParser.Event, to happenings: inout [Happening]) -> Int {
    switch event {
    case .partBegin(let headers):
        precondition(!(headers.filename ?? "").utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
        happenings.append(.part(headers))
    case .bytes(let slice):
        precondition(!slice.isEmpty)
        if case .bytes(let before) = happenings.last {
            happenings[happenings.count - 1] = .bytes(before + slice)
        } else {
            happenings.append(.bytes(Array(slice)))
        }
        return slice.count
    case .partEnd: happenings.append(.partEnd)
    case .end: happenings.append(.end)
    }
    return 0
}

/// Parts begin and end in turns, bytes are within, and the end is the last.
private func check(_ happenings: [Happening]) {
    var isInside = false
    for (number, happening) in happenings.enumerated() {
        switch happening {
        case .part:
            precondition(!isInside)
            isInside = true
        case .bytes: precondition(isInside)
        case .partEnd:
            precondition(isInside)
            isInside = false
        case .end: precondition(!isInside && number == happenings.count - 1)
        case .failed: break
        }
    }
}

internal import Foundation
internal import HTTP

// Reads field values as a handler does, and ends the process when something was read that cannot be, or is not read again from
// what it is written as.

/// The function that libFuzzer calls with every input: the first byte chooses the field.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 0 else { return 0 }
    let value = String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 1), as: UTF8.self)
    switch start[0] % 10 {
    case 0: checkMediaType(value)
    case 1: checkAcceptedTypes(value)
    case 2: checkRange(value)
    case 3: checkDisposition(value)
    case 4: checkEntityTag(value)
    case 5: checkDate(value)
    case 6:
        checkString(value)
        checkItems(value)
    case 7: checkConditions(value)
    case 8: checkAcceptedCodings(value)
    default: checkPause(value)
    }
    return 0
}

private func checkMediaType(_ value: String) {
    guard let type = MediaType(value) else { return }
    precondition(MediaType(type.description) == type)
    precondition(isToken(type.type) && isToken(type.subtype) && type.parameters.allSatisfy { isToken($0.name) })
    if let boundary = type.parameter("boundary") { _ = try? MultipartParser(boundary: boundary) }
}

private func checkAcceptedTypes(_ value: String) {
    let accepted = AcceptedTypes(value)
    let offers = [MediaType.html, .json, .plainText, .octetStream]
    for offer in offers { precondition(0...1 ~= accepted.weight(of: offer)) }
    if let best = accepted.best(of: offers) {
        precondition(accepted.weight(of: best) > 0)
        precondition(offers.allSatisfy { accepted.weight(of: $0) <= accepted.weight(of: best) })
    } else {
        precondition(offers.allSatisfy { accepted.weight(of: $0) == 0 })
    }
}

private func checkAcceptedCodings(_ value: String) {
    let accepted = AcceptedCodings(value)
    precondition(accepted.preferred == .identity || accepted.accepts(.gzip))
}

private func checkItems(_ value: String) {
    if let flag = structuredBoolean(value) { precondition(value.contains(flag ? "?1" : "?0")) }
    if let number = structuredNatural(value) { precondition(0...999_999_999_999_999 ~= number) }
    for (key, digest) in structuredDigests(value) ?? [:] { precondition(!key.isEmpty && !digest.isEmpty) }
}

private func checkRange(_ value: String) {
    for total in [0, 1, 1000, .max] as [Int64] {
        guard case .parts(let parts) = ByteRange.request(value, total: total) else { continue }
        precondition(1...ByteRange.limit ~= parts.count)
        for part in parts {
            precondition(part.offset >= 0 && part.length >= 1 && part.offset <= total - part.length)
            precondition(part.total == total && part.contentRange.hasPrefix("bytes \(part.offset)-"))
        }
        let inOrder = parts.sorted { $0.offset < $1.offset }
        for (part, next) in zip(inOrder, inOrder.dropFirst()) { precondition(part.offset + part.length < next.offset) }
    }
}

private func checkDisposition(_ value: String) {
    guard let disposition = ContentDisposition(value) else { return }
    precondition(isToken(disposition.kind))
    precondition(!(disposition.filename ?? "").utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
    // Neither a request's head nor a part's can hold a NUL, and no name is written with one.
    guard !value.utf8.contains(0) else { return }
    precondition(ContentDisposition(disposition.description) == disposition)
}

private func checkEntityTag(_ value: String) {
    guard let tag = EntityTag(parsing: value) else { return }
    precondition(EntityTag(parsing: tag.description) == tag)
    precondition(tag.matchesWeakly(tag) && tag.matchesStrongly(tag) == !tag.isWeak)
    precondition(tag.coded(.gzip).matchesWeakly(tag) == tag.isWeak)
    precondition(Preconditions.names("\"other\", \(tag)", tag))
}

private let newYear = HTTPDate(secondsSince1970: 1_767_225_600)

private func checkDate(_ value: String) {
    guard let date = HTTPDate(value, now: newYear) else { return }
    // From the year 0 to the leap second at the end of 9999.
    precondition(-62_167_219_200...253_402_300_800 ~= date.secondsSince1970)
    guard date.secondsSince1970 < 253_402_300_800 else { return }
    precondition(HTTPDate(date.description) == date)
}

private func checkString(_ value: String) {
    guard let text = structuredString(value, limit: 100) else { return }
    precondition(1...100 ~= text.utf8.count && text.utf8.allSatisfy { 0x20...0x7E ~= $0 })
}

private func checkConditions(_ value: String) {
    let tag = EntityTag("x")
    for name in ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"] {
        for method in [HTTPMethod.get, .put] {
            let outcome = Preconditions.evaluate(
                method: method, fields: [name: value], etag: tag, lastModified: newYear)
            precondition(outcome != .notModified || method == .get)
            precondition(
                outcome != .failed || method == .put || !name.hasSuffix("Modified-Since") || name.contains("Un"))
        }
    }
    precondition(!Preconditions.names(value, tag) || value.utf8.contains(UInt8(ascii: "x")))
    _ = Preconditions.allowsRange(fields: ["If-Range": value], etag: tag, lastModified: newYear)
}

private func checkPause(_ value: String) {
    guard let pause = try? retryAfter(value, now: newYear.date) else { return }
    precondition(.zero...Duration.seconds(24 * 3600) ~= pause)
}

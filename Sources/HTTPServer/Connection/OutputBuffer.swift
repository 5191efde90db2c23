internal import Glibc

/// Memory that responses are written into before they are sent; one for each loop, used again and again.
final class OutputBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 16) }

    deinit { memory.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// The bytes that were written; valid until the next call that changes it.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func removeAll() { count = 0 }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        memory.baseAddress?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Has a name of its own, or a literal would become a `String` first.
    func append(literal text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func append(_ text: String) { text.utf8Span.span.withUnsafeBytes { append($0) } }

    func append(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { append($0) } }

    func append(_ number: some FixedWidthInteger, radix: Int = 10) {
        reserve(24)
        var rest = UInt64(number)
        var digits = 1
        while case let quotient = rest / UInt64(radix), quotient > 0 { (rest, digits) = (quotient, digits + 1) }
        rest = UInt64(number)
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: UInt64(radix))
            memory[place] = UInt8(digit < 10 ? digit + 0x30 : digit + 0x57)
            rest = quotient
        }
        count += digits
    }

    /// Appends a part of a file, which should lie in the page cache; false when there is less.
    func append(file: Int32, offset: Int64, count wanted: Int) -> Bool {
        reserve(wanted)
        var done = 0
        while done < wanted {
            let read = pread(
                file, memory.baseAddress?.advanced(by: count + done), wanted - done, off_t(offset) + off_t(done))
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return false }
            done += read
        }
        count += wanted
        return true
    }

    /// Drops all behind the first `count` bytes.
    func truncate(to count: Int) { self.count = min(self.count, count) }

    /// Lends what was written to be changed in place.
    func withBytes<Result>(_ use: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        use(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }

    private func reserve(_ additional: Int) {
        guard memory.count - count < additional else { return }
        grow(additional)
    }

    @inline(never)
    private func grow(_ additional: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * memory.count, count + additional), alignment: 16)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}

/// The memory that a connection receives into and writes responses into, for one turn.
final class TurnBuffers {
    /// Lent to `InboundBuffer`.
    var scratch = [UInt8](repeating: 0, count: 16 << 10)
    let output = OutputBuffer(capacity: 32 << 10)
}

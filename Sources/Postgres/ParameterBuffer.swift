/// The values of one statement laid out as libpq takes them; its storage is used again for the next statement.
struct ParameterBuffer {
    /// A statement with more bytes than this does not leave its storage behind.
    private static let keptCapacity = 64 << 10

    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// Calls `body` with values, lengths and formats (PostgreSQL manual, `PQexecParams`) that live as long as the call.
    mutating func lend<Value>(
        _ parameters: [PostgresParameter],
        to body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
    ) -> Value {
        guard !parameters.isEmpty else { return body(nil, nil, nil) }
        clear()
        for parameter in parameters { append(parameter) }
        return bytes.withUnsafeBytes { bytes in
            pointers.removeAll(keepingCapacity: true)
            for offset in offsets {
                pointers.append(
                    offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) })
            }
            return body(pointers, lengths, formats)
        }
    }

    private mutating func clear() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ parameter: PostgresParameter) {
        let start = bytes.count
        switch parameter {
        case .null: break
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .bytes(let value): bytes.append(contentsOf: value)
        }
        offsets.append(parameter == .null ? nil : start)
        lengths.append(Int32(clamping: bytes.count - start))
        if case .bytes = parameter { formats.append(1) } else { formats.append(0) }
        // Ends a text, and gives an empty value an address: a null pointer would mean NULL.
        bytes.append(0)
    }
}

/// Calls `body` with the bytes of `bytes` in one piece, copied only when they are not.
func withContiguousBytes<Value>(
    of bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Value
) -> Value {
    bytes.withContiguousStorageIfAvailable(body) ?? Array(bytes).withUnsafeBufferPointer(body)
}

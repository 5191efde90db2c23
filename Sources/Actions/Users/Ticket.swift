package import Crypto
package import FoundationEssentials

/// Tickets: content that a browser keeps for a while, which it can neither read nor change.
extension KeyRing {
    private static var timeCount: Int { 8 }

    /// Seals `content` together with the time, in whole seconds; in base64url.
    package func ticket(with content: [UInt8], context: String, at time: Date) throws(CryptoError) -> String {
        let seconds = withUnsafeBytes(of: Int64(time.timeIntervalSince1970).bigEndian) { Array($0) }
        return Base64URL.encode(try seal(seconds + content, context: context))
    }

    /// The content of a ticket that was sealed for `context`; nil for any other text, and for a ticket that is `age` old.
    package func content(ofTicket text: String, context: String, age: Duration, at now: Date) -> [UInt8]? {
        // A ticket that cannot be opened is one of somebody else's making, or of a key that has gone.
        guard let sealed = Base64URL.decode(text), let content = try? open(sealed, context: context),
            content.count >= Self.timeCount
        else { return nil }
        let time = content.prefix(Self.timeCount).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard now.timeIntervalSince1970 - Double(time) < age / .seconds(1) else { return nil }
        return Array(content.dropFirst(Self.timeCount))
    }
}

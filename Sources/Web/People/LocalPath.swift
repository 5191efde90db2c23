/// A path of this very site with its query, where somebody may be sent whatever a link says.
///
/// Browsers read `//host`, `/\host`, and both with tabs and line ends between, as other hosts (WHATWG URL standard, section
/// 4.4): only visible ASCII without a backslash is taken, and one slash in front.
struct LocalPath {
    static let settings = "/settings"

    let text: String

    init?(_ text: String) {
        guard text.utf8.count <= 2000, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.dropFirst().first != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}

/// The one stylesheet, in sections. A page with looks of its own adds a section in `Styles/` and its line here.
///
/// Colours, spaces and sizes are the tokens of `Stylesheet.tokens`: light, dark and print follow from them.
enum Stylesheet {
    static let text = [
        tokens, base, frame, parts, forms, tables, settings, notices, caption, connections, gallery, status,
    ].joined(separator: "\n")
}

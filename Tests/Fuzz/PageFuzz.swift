// Reads pages of HTML as those of webmentions are read, and compares what has to be the same however a page is cut.

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let document = HTMLDocument(bytes)
    var elements = 0
    document.root.forEach { element in
        elements += 1
        precondition(!element.name.isEmpty && element.name.utf8.allSatisfy { $0 != 0x20 && $0 != 0x3E })
    }
    precondition(elements <= bytes.count)
    let text = HTMLText.plain(document.root)
    precondition(text.utf8.count <= 8 * bytes.count + 16)
    for item in MicroformatItem.items(
        of: document, at: "https://a.example/", keeping: ["name", "url", "content", "author"]
    ).flatMap(\.all) {
        precondition(item.types.allSatisfy { $0.hasPrefix("h-") })
    }
    _ = document.links(at: "https://a.example/") { $0 == "https://a.example/x" }
    return 0
}

import MediaSamples
import Testing

@testable import Media

struct SniffedTypeTests {
    @Test(arguments: [
        (SniffedType.jpeg, [UInt8]([0xFF, 0xD8, 0xFF, 0xE1])),
        (.png, PixelGrid.flag.png()),
        (.gif, Array("GIF89a".utf8)),
        (.webp, Array("RIFF\u{10}\0\0\0WEBPVP8L".utf8)),
        (.heic, Samples.heic),
        (.heic, Samples.box("ftyp", Array("mif1\0\0\0\0mif1heic".utf8))),
        (.mp4, Samples.box("ftyp", Array("isom\0\0\0\0isomiso2".utf8))),
        (.mp4, Samples.box("ftyp", Array("XXXX\0\0\0\0mp42".utf8))),
        (.quicktime, Samples.box("ftyp", Array("qt  \0\0\0\0qt  ".utf8))),
        (.quicktime, Samples.box("wide", [])),
    ])
    func `a type is known by its first bytes`(type: SniffedType, bytes: [UInt8]) {
        #expect(SniffedType.of(firstBytes: bytes) == type)
    }

    @Test(arguments: [
        "", "\u{FF}", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<?xml version='1.0'?><svg/>", "%PDF-1.7",
        "%!PS-Adobe",
        "RIFF\u{10}\0\0\0WAVEfmt ", "II*\0", "BM", "\0\0\0\u{18}ftyp",
        "\0\0\0\u{18}ftypavif\0\0\0\0mif1", "\0\0\0\u{1C}ftypmif1\0\0\0\0mif1avif", "\0\0\0\u{18}ftypM4A \0\0\0\0M4A ",
    ])
    func `everything else is no type at all`(text: String) {
        #expect(SniffedType.of(firstBytes: Array(text.utf8)) == nil)
    }

    @Test func `a brand behind the end of its box does not count`() {
        let box = Samples.box("ftyp", Array("XXXX\0\0\0\0".utf8)) + Array("heic".utf8)

        #expect(SniffedType.of(firstBytes: box) == nil)
    }
}

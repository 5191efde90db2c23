import Foundation
import Logging
import System
import TestTools
import Testing

@testable import Media

/// Archives of all kinds, read by a process of `pics-media`.
@Suite(.timeLimit(.minutes(5)))
struct ArchiveReaderTests {
    private let folder: TemporaryFolder
    private let media = MediaPool(
        MediaPool.Configuration(program: builtProgram("pics-media")), logger: Logger(threshold: .error, sink: Silence())
    )

    private struct Silence: LogSink { func write(_ line: [UInt8]) {} }

    init() throws { folder = try TemporaryFolder() }

    /// What an archive has: each file with its text, or why it has none; the reason why it ended early.
    private func content(_ path: String, limit: Int64 = 1 << 20) throws -> [String] {
        var lines: [String] = []
        do throws(ArchiveError) {
            let reader = try media.archive(at: path, longest: limit)
            defer { reader.close() }
            var entries: [ArchiveEntry] = []
            while case let next = try reader.entries(texts: [".json"]), !next.isEmpty { entries += next }
            // From the begin again, as a second pass does.
            let second = try media.archive(at: path, longest: limit)
            defer { second.close() }
            for entry in entries {
                let output = OpenFile(owning: memfd())
                do throws(ArchiveError) {
                    guard try second.seek(to: entry.number) else { throw .cutOff }
                    let bytes = try second.extract(to: output.descriptor, limit: limit)
                    let text = String(decoding: output.read(at: 0, atMost: 40) ?? [], as: UTF8.self)
                    lines.append("\(entry.name) \(bytes) \(text)")
                } catch {
                    lines.append("\(entry.name) \(error.rawValue)")
                }
            }
        } catch {
            lines.append(error.rawValue)
        }
        return lines
    }

    private func memfd() -> Int32 {
        let path = "\(folder.path)/\(UUID())"
        defer { unlink(path) }
        return open(path, O_RDWR | O_CREAT, 0o600)
    }

    private func archive(_ script: String) throws -> String {
        let path = "\(folder.path)/\(UUID()).archive"
        try Archives.python(script, in: folder.path, to: path)
        return path
    }

    @Test func `packed ZIP and tar archives are read, whatever their names, and links are no files`() throws {
        let zip = try archive(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)
            z.writestr('../../etc/passwd', 'up'); z.writestr('/abs.json', 'abs'); z.writestr('日本/é.jpg', 'x' * 5000)
            with z.open('far.bin', 'w', force_zip64=True) as f: f.write(b'far')
            link = zipfile.ZipInfo('link'); link.create_system = 3; link.external_attr = 0o120777 << 16
            z.writestr(link, '/etc/passwd'); z.writestr('folder/', '')
            z.close()
            """)
        let tar = try archive(
            """
            import io, sys, tarfile
            t = tarfile.open(sys.argv[2], 'w:gz')
            def add(name, text=b'', **more):
                i = tarfile.TarInfo(name); i.size = len(text)
                for k, v in more.items(): setattr(i, k, v)
                t.addfile(i, io.BytesIO(text))
            add('media/日本' + 'x' * 200 + '.jpg', b'photo')
            add('link', type=tarfile.SYMTYPE, linkname='/etc/passwd')
            add('hard', type=tarfile.LNKTYPE, linkname='media/a'); add('device', type=tarfile.CHRTYPE)
            add('outbox.json', b'{}')
            t.close()
            """)

        #expect(
            try content(zip) == [
                "../../etc/passwd 2 up", "/abs.json 3 abs", "日本/é.jpg 5000 \(String(repeating: "x", count: 40))",
                "far.bin 3 far",
            ])
        #expect(
            try content(tar) == ["media/日本\(String(repeating: "x", count: 200)).jpg 5 photo", "outbox.json 2 {}"])
    }

    @Test func `bombs, encrypted files and names in no encoding cost no more than their place`() throws {
        let bomb = try archive(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)
            z.writestr('bomb', b'\\0' * (64 << 20)); z.writestr('secret', 'hidden'); z.writestr('LLLLL', 'latin')
            z.close()
            data = bytearray(open(sys.argv[2], 'rb').read())
            # Flag 0 of the entry `secret`: encrypted, in both headers.
            at = data.find(b'PK\\3\\4', 100); data[at + 6] |= 1
            at = data.find(b'secret', data.find(b'PK\\1\\2')); data[at - 46 + 8] |= 1
            data = data.replace(b'LLLLL', b'caf\\xe9!')
            open(sys.argv[2], 'wb').write(data)
            """)

        let seen = try content(bomb)
        #expect(seen == ["bomb tooLong", "secret damaged", "café! 5 latin"])
    }

    @Test func `what is cut off or no archive says so`() throws {
        let whole = Archives.zip([("a.json", [UInt8](text: "{}")), ("b.jpg", [UInt8](repeating: 7, count: 3000))])
        let cut = try Archives.write(Array(whole.dropLast(30)), to: "\(folder.path)/cut.zip")
        let none = try Archives.write([UInt8](text: "Hello, I am no archive."), to: "\(folder.path)/none.zip")
        let empty = try Archives.write([], to: "\(folder.path)/empty.zip")

        #expect(try content(cut) == ["cutOff"])
        #expect(try content(none) == ["unreadable"])
        #expect(try content(empty) == ["unreadable"] || content(empty) == [])
        #expect(try content("\(folder.path)/absent.zip") == ["failed"])
    }

    @Test func `damaged archives end with an answer`() throws {
        let zip = Archives.zip((0..<20).map { ("\($0).json", [UInt8](repeating: UInt8($0), count: 200)) })
        let tar = try Data(
            contentsOf: URL(
                filePath: try archive(
                    """
                    import io, sys, tarfile
                    t = tarfile.open(sys.argv[2], 'w:gz')
                    for n in range(20):
                        i = tarfile.TarInfo(f'{n}.json'); i.size = 200; t.addfile(i, io.BytesIO(bytes([n]) * 200))
                    t.close()
                    """)))
        var random = SplitMix64(seed: 64)
        for round in 0..<60 {
            var bytes = round % 2 == 0 ? zip : Array(tar)
            if round % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            for _ in 0..<(round % 8) where !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            let path = try Archives.write(bytes, to: "\(folder.path)/\(round)")

            #expect(try content(path).count <= 2000)
        }
    }

    @Test func `a hundred thousand files are listed in a bounded time`() throws {
        let path = try Archives.write(
            Archives.zip((0..<100_000).map { ("photos/\($0).jpg", []) }), to: "\(folder.path)/many.zip")
        let reader = try media.archive(at: path, longest: 1 << 20)
        defer { reader.close() }

        var count = 0
        while case let next = try reader.entries(texts: [".json"]), !next.isEmpty { count += next.count }

        #expect(count == 100_000)
    }
}

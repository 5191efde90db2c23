import Foundation
import HTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ExportTests {
    @Test func `an export has every photo as it came, and what is known of it`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            for number in 0..<110 {
                let answer = try await pics.post(
                    CameraPhoto.jpeg(number), caption: "Number \(number) & <b>",
                    ["services": number == 0 ? "file" : "none"])
                #expect(answer.status.code == 201)
            }
            let first = try #require(try await pics.json("/v1/photos?limit=1")["items"]?.array?.first)
            let id = try #require(first["id"]?.string)
            #expect(try await pics.send(.put, "/v1/photos/\(id)/like").status.code == 200)

            let answer = try await pics.send(.get, "/v1/export")

            #expect(answer.status.code == 200 && answer.fields["Content-Length"] == "\(answer.body.count)")
            let seen = try read(answer.body)
            #expect(seen["photos"]?.int == 110 && seen["files"]?.int == 110 && seen["same"]?.int == 110)
            #expect(seen["given"]?.int == 1 && seen["received"]?.int == 1 && seen["submissions"]?.int == 1)
            #expect(seen["caption"]?.string == "Number 109 & <b>")
            let page = try await browser.open("/settings/account/export")
            #expect(page.status == 200 && page.fields["Content-Type"] == "application/zip")
        }
    }

    @Test func `an export of nothing can be opened too`() async throws {
        try await withPics { pics in
            let token = try await pics.addUser("bob")

            let answer = try await pics.ask(.get, "/v1/export", token: token)

            let seen = try read(answer.body)
            #expect(seen["photos"]?.int == 0 && seen["files"]?.int == 0)
        }
    }

    /// What `unzip -t` and Python make of an archive.
    private func read(_ bytes: [UInt8]) throws -> JSONValue {
        let path = "/tmp/pics-export-\(UUID().uuidString).zip"
        defer { unlink(path) }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try run("/usr/bin/unzip", ["-tq", path]).contains("No errors"))
        return try JSONValue(
            parsing: Array(
                run(
                    "/usr/bin/python3",
                    [
                        "-c",
                        """
                        import hashlib, json, sys, zipfile
                        z = zipfile.ZipFile(sys.argv[1])
                        assert z.testzip() is None
                        photos = json.loads(z.read('photos.json'))
                        files = [n for n in z.namelist() if n.startswith('photos/')]
                        same = sum(hashlib.sha256(z.read(p['file'])).hexdigest() == p['sha256'] for p in photos)
                        json.loads(z.read('user.json'))
                        print(json.dumps({'photos': len(photos), 'files': len(files), 'same': same,
                            'given': len(json.loads(z.read('likes-given.json'))),
                            'received': len(json.loads(z.read('likes-received.json'))),
                            'submissions': sum(len(p['submissions']) for p in photos),
                            'caption': photos[0]['caption'] if photos else None}))
                        """, path,
                    ]
                ).utf8))
    }

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }
}

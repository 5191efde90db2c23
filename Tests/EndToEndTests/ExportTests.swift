import EventLoops
import Foundation
import Glibc
import HTTP
import TestPics
import TestTools
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ExportTests {
    @Test func `an export has every photo as it came, and what is known of it`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            for number in 0..<110 {
                let response = try await pics.post(
                    CameraPhoto.jpeg(number), caption: "Number \(number) & <b>",
                    ["services": number == 0 ? "file" : "none"])
                #expect(response.status.code == 201)
            }
            let first = try #require(try await pics.json("/v1/photos?limit=1")["items"]?.array?.first)
            let id = try #require(first["id"]?.string)
            #expect(try await pics.send(.put, "/v1/photos/\(id)/like").status.code == 200)
            let code = try #require(first["code"]?.string)
            var stranger = Browser(pics)
            _ = try await stranger.post([:], to: "/\(code)/like", with: ["Origin": pics.base])
            #expect(
                try await pics.change(
                    """
                    UPDATE photos SET album = 'A "b" <c>', network_like_count = 9
                     WHERE id = '\(id)'
                    """) == 1)
            #expect(
                try await pics.change(
                    """
                    INSERT INTO visits (photo_id, day, people, bots)
                    SELECT id, d, 2, 1 FROM photos, unnest('{-infinity,2026-01-01}'::date[]) d
                    """) == 220)

            #expect(try await pics.call(.post, "/v1/webhooks", ["url": "https://a.example/"]).status == 201)

            let response = try await pics.send(.get, "/v1/export")

            #expect(response.status.code == 200 && response.fields["Content-Length"] == "\(response.body.count)")
            let seen = try read(response.body)
            #expect(seen["webhooks"] == [["created_at", "state", "url"]])
            #expect(seen["photos"]?.int == 110 && seen["files"]?.int == 110 && seen["same"]?.int == 110)
            #expect(seen["given"]?.int == 1 && seen["received"]?.int == 1 && seen["submissions"]?.int == 1)
            #expect(seen["strangers"]?.int == 1 && seen["elsewhere"]?.int == 9)
            #expect(seen["visits"]?.int == 220 && seen["people"]?.int == 440 && seen["long_ago"]?.int == 110)
            #expect(seen["albums"]?.int == 1)
            #expect(seen["caption"]?.string == "Number 109 & <b>")
            let page = try await browser.open("/settings/account/export")
            #expect(page.status == 200 && page.fields["Content-Type"] == "application/zip")
        }
    }

    @Test func `an export of nothing can be opened too`() async throws {
        try await withPics { pics in
            let token = try await pics.addUser("bob")

            let response = try await pics.ask(.get, "/v1/export", token: token)

            let seen = try read(response.body)
            #expect(seen["photos"]?.int == 0 && seen["files"]?.int == 0)
        }
    }

    @Test func `a download that is dropped half-way leaves nothing, and another one can begin`() async throws {
        try await withPics { pics in
            // Larger than what sockets hold, so that the sender is still at it.
            let photo = CameraPhoto.jpeg() + [UInt8](repeating: 7, count: 24 << 20)
            #expect(try await pics.post(photo, caption: "x", ["services": "none"]).status.code == 201)
            func isKept(_ path: String) -> Bool { path.contains("/export-") || path.contains("/blobs/") }
            let before = try openFiles(of: pics).count(where: isKept)
            let request = "GET /v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(try pics.token)\r\n\r\n"

            for _ in 0..<3 {
                // One at a time for each user: the turn of the one before comes back when the server has noticed.
                try await until {
                    try await firstBytes(of: pics, request, hangingUpAfter: 1 << 16) == "HTTP/1.1 200"
                }
            }

            try await until { try openFiles(of: pics).count(where: isKept) <= before }
            let files = try FileManager.default.subpathsOfDirectory(atPath: "\(pics.folder)/data")
            #expect(!files.contains { $0.contains("export-") })
        }
    }

    /// The files that the server has open.
    private func openFiles(of pics: Pics) throws -> [String] {
        let folder = "/proc/\(pics.process.id)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
    }

    /// Asks, reads that much and goes away.
    private func firstBytes(of pics: Pics, _ request: String, hangingUpAfter count: Int) async throws -> String {
        let port = try #require(pics.base.split(separator: ":").last.flatMap { UInt16($0) })
        return await BlockingThreads.clients.run {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(client) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard connected == 0 else { return "" }
            _ = request.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while text.count < count {
                let read = recv(client, &buffer, buffer.count, 0)
                guard read > 0 else { break }
                text += buffer.prefix(read)
                if text.starts(with: "HTTP/1.1 503".utf8) { break }
            }
            return String(decoding: text.prefix(12), as: UTF8.self)
        }
    }

    /// The results of `unzip -t` and Python for an archive.
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
                        user = json.loads(z.read('user.json'))
                        visits = json.loads(z.read('visits.json'))
                        print(json.dumps({'photos': len(photos), 'files': len(files), 'same': same,
                            'given': len(json.loads(z.read('likes-given.json'))),
                            'received': len(json.loads(z.read('likes-received.json'))),
                            'strangers': sum(p['likes']['visitors'] for p in photos),
                            'elsewhere': sum(p['likes']['networks'] for p in photos),
                            'visits': len(visits), 'people': sum(v['people'] for v in visits),
                            'long_ago': sum(v['day'] is None for v in visits),
                            'webhooks': [sorted(w) for w in user['webhooks']],
                            'albums': len(json.loads(z.read('albums.json'))),
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

extension BlockingThreads {
    fileprivate static let clients = BlockingThreads(name: "export-client", count: 1)
}

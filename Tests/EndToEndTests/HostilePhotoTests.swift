import Foundation
import HTTP
import MediaSamples
import TestPics
import TestTools
import Testing

/// Files that were made to do harm.
struct HostilePhotoTests {
    /// The answers for a file: the status of `POST`, and if it was taken, those of its picture and its page.
    private struct Fate {
        let name: String
        let post: IncomingResponse
        var picture: IncomingResponse?
        var page: IncomingResponse?

        /// A refusal that says what is wrong, or a photo with a good picture and a page.
        var isClear: Bool {
            guard post.status == .created else { return isRefused }
            guard let picture, page?.status == .ok else { return false }
            return picture.status == .ok && picture.body.starts(with: [0xFF, 0xD8, 0xFF])
        }

        private var isRefused: Bool {
            guard (400..<500).contains(post.status.code) else { return false }
            guard let problem = try? JSONValue(parsing: post.body) else { return false }
            return problem["status"]?.int == Int64(post.status.code) && problem["title"]?.string != nil
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `each hostile file gives a clear refusal or a good picture, and Pics goes on in bounded memory`() async throws
    {
        try await withPics { pics in
            #expect(HostileGallery.files.count >= 30)
            for file in HostileGallery.files {
                let fate = try await Self.fate(of: file.bytes, named: file.name, at: pics)

                #expect(fate.isClear, "\(fate)")
                #expect(try await pics.send(.get, "/livez").status == .ok, "\(file.name)")
            }

            let photo = try await pics.post(CameraPhoto.jpeg(), caption: "boats")
            #expect(photo.status == .created)
            if !isSanitized { #expect(Self.peak(of: pics.process.id) < 256 << 20) }
        }
    }

    private static func fate(of bytes: [UInt8], named name: String, at pics: Pics) async throws -> Fate {
        // The type is a lie for most of them.
        let post = try await pics.send(.post, "/v1/photos?services=none", body: .bytes(bytes), type: "image/jpeg")
        var fate = Fate(name: name, post: post)
        guard post.status == .created, let code = try JSONValue(parsing: post.body)["code"]?.string else { return fate }
        fate.picture = try await pics.send(.get, "/m/\(code)/thumb.jpg")
        fate.page = try await pics.send(.get, "/\(code)", accept: "text/html")
        return fate
    }

    /// The most memory that a process ever held, in bytes (VmHWM, proc(5)).
    private static func peak(of process: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/)
        return match.flatMap { Int($0.1) }.map { $0 * 1024 } ?? .max
    }
}

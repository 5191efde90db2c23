import Crypto
import Foundation
import Testing

@testable import Blobs

struct UploadFileTests {
    @Test func `parts are appended, and what is beyond a limit is dropped when it is opened again`() async throws {
        try await withStore { store, folder in
            let files = try UploadFiles(store)
            let (id, content) = (UUID(), randomBytes(count: 200_000))
            try await files.create(id)
            var file: UploadFile? = try await files.open(id)
            try await file?.append(content[..<100_000])
            try await file?.append(content[100_000..<100_010])
            #expect(try await file?.synchronize() == 100_010)
            #expect(try await files.durableBytes(of: id) == 100_010)
            file = nil

            file = try await files.open(id, keeping: 50_000)
            #expect(file?.bytes == 50_000)
            try await file?.append(content[50_000...])
            #expect(try await file?.synchronize() == 200_000)
            #expect(try bytes(of: "\(folder)/uploads/\(id.uuidString.lowercased())") == content)
        }
    }

    @Test func `a copy of the descriptor that a child process holds keeps no other writer out`() async throws {
        try await withStore { store, folder in
            let files = try UploadFiles(store)
            let id = UUID()
            try await files.create(id)
            var file: UploadFile? = try await files.open(id)
            let path = "\(folder)/uploads/\(id.uuidString.lowercased())"
            let number = try #require(
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).first {
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                    return target == path
                })
            let copy = dup(number)
            defer { close(copy) }
            #expect(file?.bytes == 0)

            file = nil

            _ = try await files.open(id)
        }
    }

    @Test func `a file has one writer, and nobody holds it after its end`() async throws {
        try await withStore { store, _ in
            let files = try UploadFiles(store)
            let id = UUID()
            try await files.create(id)
            var first: UploadFile? = try await files.open(id)
            await #expect(throws: BlobError.inUse) { _ = try await files.open(id) }
            _ = try await first?.synchronize()
            first = nil
            _ = try await files.open(id)
        }
    }

    @Test func `an installed file stays until it is removed`() async throws {
        try await withStore { store, _ in
            let files = try UploadFiles(store)
            let (id, content) = (UUID(), randomBytes(count: 1000))
            try await files.create(id)
            let file = try await files.open(id)
            try await file.append(content[...])
            _ = try await file.synchronize()

            let stored = try await files.examine(id)
            #expect(stored.digest == SHA256Digest(of: content))
            #expect(try await store.size(of: stored.digest) == nil)
            try await files.install(id, as: stored)
            try await files.install(id, as: stored)
            try await files.remove(id)
            #expect(try await files.durableBytes(of: id) == nil)
            #expect(try bytes(of: store.path(of: stored.digest)) == content)
        }
    }

    @Test func `files are joined in their order`() async throws {
        try await withStore { store, folder in
            let files = try UploadFiles(store)
            let parts = [UUID(), UUID()]
            for (id, byte) in zip(parts, [UInt8(1), 2]) {
                try await files.create(id)
                let file = try await files.open(id)
                try await file.append([byte, byte][...])
                _ = try await file.synchronize()
            }
            let whole = UUID()
            try await files.join([parts[1], parts[0], parts[1]], as: whole)
            #expect(try bytes(of: "\(folder)/uploads/\(whole.uuidString.lowercased())") == [2, 2, 1, 1, 2, 2])
        }
    }
}

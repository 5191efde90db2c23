import Foundation
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct CertificateTests {
    @Test func `one process at a time asks for a certificate, and the next when the lease is over`() async throws {
        try await withStore { bench in
            let store = bench.store
            let first = try await store.takeCertificate(for: "pics.test", lease: .seconds(600))
            let second = try await store.takeCertificate(for: "pics.test", lease: .seconds(600))
            let other = try await store.takeCertificate(for: "other.test", lease: .zero)
            let afterLease = try await store.takeCertificate(for: "other.test", lease: .seconds(600))

            #expect([first, second, other, afterLease] == [0, nil, 0, 0])
        }
    }

    @Test func `a failure is counted and waited for, and a success forgets it`() async throws {
        try await withStore { bench in
            let store = bench.store
            _ = try await store.takeCertificate(for: "pics.test", lease: .seconds(600))
            try await store.noteCertificateProblem("no such name", for: "pics.test", retryAfter: .seconds(900))
            let waiting = try await store.takeCertificate(for: "pics.test", lease: .seconds(600))
            let problem = try await store.certificate(for: "pics.test")?.problem
            try await store.retryCertificate(for: "pics.test")
            let again = try await store.takeCertificate(for: "pics.test", lease: .seconds(600))
            let issued = StoredCertificate.Issued(chain: "chain", sealed: [1], expires: Date() + 900)
            try await store.putCertificate(issued, for: "pics.test", renewAt: Date() + 600)
            try await store.retryCertificate(for: "pics.test")
            let renewed = try await store.takeCertificate(for: "pics.test", lease: .seconds(600))
            let kept = try await store.certificate(for: "pics.test")

            #expect([waiting, again, renewed] == [nil, 1, nil])
            #expect(problem == "no such name")
            #expect(kept?.problem == nil)
            #expect(kept?.issued?.chain == "chain")
        }
    }

    @Test func `an account's key is replaced only where it is still the one that could not be opened`() async throws {
        try await withStore { bench in
            let store = bench.store
            let first = try await store.putACMEAccount([1], at: "https://ca.test/dir", replacing: nil)
            let second = try await store.putACMEAccount([2], at: "https://ca.test/dir", replacing: nil)
            let third = try await store.putACMEAccount([3], at: "https://ca.test/dir", replacing: [1])

            #expect([first, second, third] == [[1], [1], [3]])
        }
    }
}

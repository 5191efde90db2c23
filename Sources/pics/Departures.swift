import Connecting
import Domain
import EventLoops
import Foundation
import Logging
import Store

/// Ends what users leave behind who have deleted their account: a few hundred photos at a time, from where any process has
/// come to. The rows tell what is left, so whoever stops in between repairs nothing.
struct Departures: Sendable {
    private let runtime: Runtime
    private static let pause = Duration.seconds(60)
    /// How long a person waits at most, between two photos.
    private static let patience = Duration.seconds(5)

    init(_ runtime: Runtime) { self.runtime = runtime }

    /// Until it is cancelled: every minute all who are not gone yet.
    func run() async {
        await runtime.chore.run(every: Self.pause, .atOnce, trouble: "a deleted account is not gone yet") {
            for user in try await runtime.store.leavingUsers() {
                while try await !step(user), !Task.isCancelled {}
            }
        }
    }

    /// As much as fits into a few seconds; the rest goes later.
    func end(_ user: UserID) async throws {
        let begun = Moment.now
        while try await !step(user), Moment.now - begun < Self.patience {}
    }

    /// One step; whether it was the last.
    private func step(_ user: UserID) async throws -> Bool {
        // First the accounts: nothing of what waits may still go out.
        if let record = try await runtime.store.connections(of: user).first {
            let connection = record.connection
            _ = try await runtime.connecting.disconnect(connection.id, owner: user)
            runtime.logger.info("account of a deleted user disconnected", ["service": connection.service])
            return false
        }
        if try await runtime.store.deleteSomePhotos(of: user) > 0 { return false }
        if try await runtime.store.forgetSomeLikes(of: user) > 0 { return false }
        try await runtime.store.forget(user)
        runtime.logger.notice("a deleted account is gone", ["user": user])
        return true
    }
}

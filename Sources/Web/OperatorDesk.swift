package import Domain

/// What pages ask of the process that serves them, beyond the database.
package struct OperatorDesk: Sendable {
    /// Called after a commit that has made work for the queue.
    let wakeWorkers: @Sendable () -> Void
    /// What is missing or wrong, and how it is mended.
    let findings: @Sendable () async throws -> [Finding]
    /// Ends what a user who has left leaves behind: accounts, photos, likes. What does not fit into a few seconds is
    /// ended later without another call.
    let endLegacy: @Sendable (UserID) async throws -> Void

    /// Takes the parts as they are.
    package init(
        wakeWorkers: @escaping @Sendable () -> Void, findings: @escaping @Sendable () async throws -> [Finding],
        endLegacy: @escaping @Sendable (UserID) async throws -> Void
    ) {
        self.wakeWorkers = wakeWorkers
        self.findings = findings
        self.endLegacy = endLegacy
    }
}

/// Something that is missing or wrong.
package struct Finding: Sendable, Equatable {
    package let what: Phrase
    /// What somebody does about it.
    package let remedy: Phrase

    package init(_ what: Phrase, remedy: Phrase) {
        (self.what, self.remedy) = (what, remedy)
    }
}

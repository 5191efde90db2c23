import Domain
package import FoundationEssentials
package import HTTP

/// A service where an account can go on in posts that answer each other. `ThreadedPost` posts them, one after the other.
package protocol ThreadingSubmitter: Submitter {
    /// Whether an account with these settings can.
    func canThread(_ settings: JSONValue) -> Bool
}

extension ThreadingSubmitter {
    package func canThread(_ settings: JSONValue) -> Bool { true }
}

/// The place of a part in its thread. Posts are named as their receipts name them.
package struct ThreadPlace: Sendable, Equatable {
    /// The first post.
    package let root: String
    /// The post before this one.
    package let parent: String
    /// When that was posted, as far as is known: not earlier than it was.
    package let parentAt: Date

    package init(root: String, parent: String, parentAt: Date) {
        (self.root, self.parent, self.parentAt) = (root, parent, parentAt)
    }
}

extension PublishedPost {
    /// A part of its thread, alone.
    fileprivate func part(_ id: String) -> PublishedPost {
        PublishedPost(remoteID: id, url: nil, labels: labels, account: account, transport: transport, now: now)
    }
}

extension DeletingSubmitter {
    /// Takes back a post and all that follow it, the last first, so that what is left is a thread until the end. Those that are not there any
    /// more are no error: deleting twice ends like deleting once.
    package func deleteAll(_ post: PublishedPost) async throws(SubmissionError) {
        for post in post.parts.reversed().map(post.part) + [post] {
            do throws(SubmissionError) {
                try await delete(post)
            } catch {
                guard case .gone = error else { throw error }
            }
        }
    }
}

extension EditingSubmitter {
    /// Replaces the words of a post and of all that follow it; the first text is the post's. Asking twice ends like asking once. The parts have no
    /// pictures, so that nothing but their words changes.
    ///
    /// - Throws: `.rejected` where there are not as many texts as posts; `.gone` when one of them is not there any more.
    package func editAll(
        _ post: PublishedPost, texts: [String], altText: String
    ) async throws(SubmissionError) {
        guard let first = texts.first, texts.count == 1 + post.parts.count else {
            throw .rejected(.changeUnsupported, ProblemParameters(service: description.name, reason: .edit))
        }
        try await edit(post, text: first, altText: altText)
        for (part, text) in zip(post.parts, texts.dropFirst()) {
            try await edit(post.part(part), text: text, altText: "")
        }
    }
}

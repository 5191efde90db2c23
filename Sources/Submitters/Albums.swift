package import HTTP

/// A place at a service where photos are kept together: a photoset, a folder, a notebook.
package struct Album: Sendable, Equatable {
    /// What the account's setting `album` holds when this one is chosen.
    package let id: String
    /// As people know it.
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A service whose accounts have albums. The account's setting `album` chooses the one that photos go to.
package protocol AlbumSubmitter: Submitter {
    /// The albums of an account, in the service's order; at most `AccountAlbum.longestList`.
    func albums(of account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) -> [Album]

    /// Makes an album, or finds the one of that name where the service allows no second.
    ///
    /// A service that has no empty albums gives back an `id` by which the first photo makes it.
    func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album
}

/// Where the photos of one account go, as its owner chose (`album` in the account's settings); nil: where the service
/// puts them by itself.
package struct AccountAlbum: Sendable, Equatable {
    /// Albums that are told at most.
    package static let longestList = 1000

    package let id: String?

    /// Reads the account's settings.
    package init(_ settings: JSONValue) {
        id = settings["album"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}

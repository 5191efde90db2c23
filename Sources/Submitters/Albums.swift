package import HTTP

/// A place at a service where photos are kept together: a photoset, a folder, a notebook.
package struct Album: Sendable, Equatable {
    /// The value of `AccountChoice.album` that chooses it.
    package let id: String
    /// As people know it.
    package let name: String

    /// The most that a list of an account's albums has.
    package static let longestList = 1000

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A service whose accounts have albums. `AccountChoice.album` chooses the one that photos go to.
package protocol AlbumSubmitter: Submitter {
    /// The albums of an account, in the service's order; at most `Album.longestList`.
    func albums(of account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) -> [Album]

    /// Makes an album, or finds the one of that name where the service allows no second.
    ///
    /// A service that has no empty albums gives back an `id` by which the first photo makes it.
    func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album
}

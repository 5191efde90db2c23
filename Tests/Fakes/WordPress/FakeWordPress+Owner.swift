internal import System

/// What its owner sees and does at the site.
extension FakeWordPress {
    /// Files that `GET /wp/v2/media` lists for everybody.
    package var listedFiles: [String] {
        state.withLock { state in
            state.media.filter { media in
                media.status != "private"
                    && state.posts.first { $0.id == media.post }.map { $0.status == "publish" } ?? true
            }.map(\.slug)
        }
    }

    /// The posts that files belong to.
    package var parents: [String?] { state.withLock { $0.media.map { $0.post.map(String.init) } } }

    package func altText(ofFile id: Int) -> String? {
        state.withLock { state in state.media.first { $0.id == id }?.altText }
    }

    /// The owner puts a file of theirs into the library; its number.
    package func addFile() -> Int {
        state.withLock { state in
            let id = state.next()
            state.media.append(
                Media(
                    id: id, slug: "holiday",
                    published: PublishedMedia(sha256: "", bytes: 1, mediaType: "image/jpeg", altText: ""),
                    altText: "Theirs"))
            return id
        }
    }

    /// The owner changes a post by hand.
    package func append(_ html: String, to post: String) {
        state.withLock { state in
            for index in state.posts.indices where String(state.posts[index].id) == post {
                state.posts[index].content += html
            }
        }
    }

    /// The owner moves all posts to the trash.
    package func trashPosts() {
        state.withLock { state in
            for index in state.posts.indices { state.posts[index].isTrashed = true }
        }
    }

    /// The owner deletes all posts for good.
    package func deletePosts() { state.withLock { $0.posts = [] } }

    package func replace(_ post: String, with html: String) {
        state.withLock { state in
            for index in state.posts.indices where String(state.posts[index].id) == post {
                state.posts[index].content = html
            }
        }
    }

    package func content(of post: String) -> String? {
        state.withLock { state in state.posts.first { String($0.id) == post }?.content }
    }

    package var contents: [String] { state.withLock { $0.posts.map(\.content) } }

    /// Files in the library.
    package var fileCount: Int { state.withLock { $0.media.count } }
    package var statuses: [String] { state.withLock { $0.posts.map(\.status) } }
}

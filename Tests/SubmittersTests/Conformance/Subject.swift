internal import EventLoops
internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// The subject of the conformance suite: a service, in one of its ways to post.
struct Subject: Sendable, CustomTestStringConvertible {
    /// The further dependencies of a submitter.
    struct Surroundings: Sendable {
        let archive: String
        let threads: BlockingThreads
        let clock: TestClock
    }

    /// The facts that are known before a person is sent to the service.
    struct Consent: Sendable {
        let app: ClientCredentials
        let entered: [String: String]
    }

    var name: String
    /// What the service has not, for the usual reason; what any subject of the service names, holds for all.
    var lacks: Set<Showing> = []
    /// The same for reasons of its own: sentences for people.
    var reasons: [Showing: String] = [:]
    var isVideo = false
    /// The number of pictures in the post besides the first.
    var companions = 0
    /// The requests of one submission, in order.
    var steps: [String] = []
    /// The one of them that publishes; nil: the last.
    var publishes: String?
    /// Steps whose answer is read by its status alone, so that a malformed body is no trouble.
    var readByStatus: Set<String> = []
    /// The documented meanings of statuses, where they are not the usual ones.
    var meanings: [Refusal: Meaning] = [:]
    var hasAltText = true
    /// The text that people read, where it differs from the caption.
    var publishedText = Scene.text
    /// The choices of the account's owner.
    var settings: JSONObject = [:]
    /// Settings that replace those that connecting gave.
    var credentials: (@Sendable (TestClock) -> JSONValue)?
    /// The way to connect the account in the browser, at the fake's URL; nil: by `entries`.
    var consent: (@Sendable (String) -> Consent)?
    /// Whether the service can tell if a request without an answer has published; else a person decides.
    var tellsOutcome = true
    /// Whether the words of its posts can be changed, where the type says that they can.
    var editsPosts = true
    /// Whether a file that has arrived stays, when the request that publishes is refused.
    var keepsUploads = true
    /// Whether the service fetches files from addresses of ours.
    var fetchesFiles = false
    /// Whether its credentials are renewed long before they end, since those that have ended cannot be.
    var isRenewedEarly = false
    /// Whether one more request of the first step joins several pictures.
    var joinsPictures = false
    /// Whether the answer to the request that publishes can ask for a pause.
    var tellsPause = true
    /// What is ordered with the photo; nil for services that print nothing.
    var order: PrintOrder?
    var pictureSize = PictureSize.camera
    /// Whether each try sends all pictures again, in one conversation.
    var sendsAllAnew = false
    /// Trouble with the request that publishes whose answer says for certain that nothing was published.
    var clearTrouble: Set<Trouble> = []
    /// The service on the other side; nil for the one that has none.
    var fake: (@Sendable (TestClock) -> any FakeService)?
    /// The code that is to be tried.
    let submitter: @Sendable (Surroundings) -> any Submitter
    /// The fields that connect the account of the fake at a URL.
    var entries: @Sendable (String) -> [String: String]

    var testDescription: String { name }

    var publishingStep: String { publishes ?? steps.last ?? "" }

    /// The steps before the one that publishes.
    var preparingSteps: [String] { Array(steps.prefix { $0 != publishingStep }) }

    /// The steps after the one that publishes.
    var followingSteps: [String] { Array(steps.drop { $0 != publishingStep }.dropFirst()) }

    /// Every service in every way.
    static let allCases = [file, fileVideo] + remote

    /// Videos that take steps of their own, which their services' tests try in every way.
    static let videosApart = [facebookVideo, tumblrVideo, youtubePieces]

    /// The subjects that are reached over the network: all but `file`.
    static let remote: [Subject] = [
        mastodons,
        pixelfeds,
        twitters,
        blueskies,
        dropboxes,
        flickrs,
        facebooks,
        instagrams,
        threadses,
        [hatena],
        webDAVs,
        googlePhotoses,
        youtubes,
        [mixi],
        minuses,
        evernotes,
        tumblrs,
        pinterests,
        discords,
        mixi2s,
        wordpresses,
        micropubs,
        s3s,
        telegrams,
        immiches,
        mails,
        matrixes,
        nostrs,
        prodigis,
        [lob],
    ].flatMap(\.self)
}

extension Subject {
    static let file = file("file")
    static let fileVideo: Subject = {
        var subject = file("file, a video")
        subject.isVideo = true
        return subject
    }()

    private static func file(_ name: String) -> Subject {
        Subject(
            name: name, lacks: [.several, .album, .counts, .refresh, .resume],
            reasons: [
                .position: Showing.positionIsInFile, .edit: Showing.wordsAreInFile,
                .delete: "What is archived stays.", .revoke: "There is nothing to take back.",
            ].merging(Showing.ofNetwork.map { ($0, "No network lies between.") }) { own, _ in own },
            submitter: { FileSubmitter(folder: $0.archive, threads: $0.threads) }, entries: { _ in [:] })
    }
}

extension Subject {
    /// The service's id.
    var service: String { bare.description.id }

    /// Whether its credentials end and are renewed.
    var isRefreshing: Bool { bare is any RefreshingSubmitter }

    /// Whether its posts can be taken back.
    var isDeleting: Bool { bare is any DeletingSubmitter }

    /// Whether the words of its posts can be changed.
    var isEditing: Bool { editsPosts && bare is any EditingSubmitter }

    /// Whether it tells what people have done with a post.
    var isCounting: Bool { bare is any EngagementSubmitter }

    /// Whether it has albums.
    var hasAlbums: Bool { bare is any AlbumSubmitter }

    /// Whether a file arrives before it is published, and stays.
    var isResuming: Bool { keepsUploads && !preparingSteps.isEmpty }

    private var bare: any Submitter {
        let threads = BlockingThreads(name: "archive", count: 1)
        defer { threads.stop() }
        return submitter(Surroundings(archive: "/nowhere", threads: threads, clock: TestClock()))
    }
}

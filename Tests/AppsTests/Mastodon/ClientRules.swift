import HTTP
import Testing

/// What one app for Mastodon sends, and what it needs of each answer: read from its source, as it cannot run here.
///
/// Each table stands beside the files of the app's repository that it was read from. An app does without members that are not in its table.
struct ClientRules: Sendable, CustomTestStringConvertible {
    let name: String
    let signIn: SignIn
    let posting: Posting
    let entities: [Entity]
    let endpoints: [Endpoint]
    /// What it reads of a post that it has edited.
    var edited = "Status"
    /// What it reads of a post that it has deleted.
    var deleted = "Status"

    var testDescription: String { name }

    static let all = [tusky, android, iceCubes, ios, tootSDK, ivory, phanpy, elk]

    /// What an app needs of an object.
    struct Entity: Sendable {
        let name: String
        let members: [(name: String, need: Need)]

        init(_ name: String, _ members: KeyValuePairs<String, Need>) {
            self.init(name, members.map { (name: $0.key, need: $0.value) })
        }

        init(_ name: String, _ members: [(name: String, need: Need)]) {
            (self.name, self.members) = (name, members)
        }
    }

    /// What an app needs of a member.
    indirect enum Need: Sendable {
        /// A text, which may be empty.
        case text
        /// An address with host: apps in Swift lose a whole page over an empty one.
        case url
        /// `2026-11-22T10:00:00.000Z`: Ice Cubes takes the present for anything else.
        case date
        /// Digits in a text, of 63 bits: Ivory and Ice Cubes read numbers, others take any text.
        case id
        /// A whole number of 32 bits.
        case integer
        case number
        case flag
        case texts
        /// One of these texts.
        case words([String])
        case one(String)
        case many(String)
        /// Absent, null, or this.
        case maybe(Need)
        /// Absent or this: null is refused, as Kotlin does where there is a default.
        case ifSent(Need)
    }

    /// What an app asks for, and what it makes of the answer. Braces in a path stand for what the test has made.
    struct Endpoint: Sendable {
        enum Answer: Sendable {
            case one(String)
            case many(String, atLeast: Int)
            /// A list in which Pics has nothing, so that nothing in it needs a rule.
            case empty
            /// The app goes on without.
            case refused(Int)
        }

        let method: HTTPMethod
        let path: String
        let answer: Answer

        static func get(_ path: String, _ entity: String) -> Endpoint {
            Endpoint(method: .get, path: path, answer: .one(entity))
        }

        static func list(_ path: String, of entity: String, atLeast count: Int = 0) -> Endpoint {
            Endpoint(method: .get, path: path, answer: .many(entity, atLeast: count))
        }

        static func empty(_ path: String) -> Endpoint { Endpoint(method: .get, path: path, answer: .empty) }

        static func post(_ path: String, _ entity: String = "Status") -> Endpoint {
            Endpoint(method: .post, path: path, answer: .one(entity))
        }

        static func refused(_ path: String, _ status: Int = 404) -> Endpoint {
            Endpoint(method: .get, path: path, answer: .refused(status))
        }
    }

    struct SignIn: Sendable {
        let name: String
        let redirect: String
        let website: String?
        /// In which way it sends what registers it.
        let registration: BodyKind
        /// In which way it sends its code.
        let token: BodyKind
        var sendsScopeForToken = false
        var usesPKCE = false
    }

    struct Posting: Sendable {
        /// Where a file goes.
        let path: String
        let style: BodyKind.Parts
        /// The name that it gives a file, and its type; nil where it sends none.
        let filename: String
        let fileType: String?
        let altText: AltText
        /// In which way it sends a post.
        let status: BodyKind
        let sendsKey: Bool
        /// Whether it repeats the alternative text with the post.
        var sendsAttributes = false
        /// Members that it always sends.
        var others: JSONObject = [:]

        enum AltText: Sendable {
            case withFile
            case afterwards(BodyKind)
        }
    }

    enum BodyKind: Sendable {
        case json
        case form
        case multipart(Parts)

        enum Parts: Sendable {
            case plain
            /// Each part tells its length, as OkHttp does up to its version 4.
            case withLengths
            /// A line end comes first, the boundary is quoted, and a charset is said, as the Mastodon app for iOS does.
            case behindLineEnd
        }
    }

    static let visibilities = Need.words(["public", "unlisted", "private", "direct"])
    static let mediaTypes = Need.words(["image", "gifv", "video", "audio", "unknown"])
}

/// What the server owes for what was sent, and what came of it so far.
struct RoundTrip {
    /// One result, or the results of one script.
    enum Reply {
        case preparation(Statement)
        case result(Step)
        /// The server has dealt with all that was sent.
        case synchronisation
        /// Results until a null pointer.
        case script(name: String)

        /// The statement's name, for errors.
        var name: String {
            switch self {
            case .preparation(let statement): statement.name
            case .result(let step): step.statement.name
            case .synchronisation: "the end of a pipeline"
            case .script(let name): name
            }
        }
    }

    /// In the order they come.
    let answers: [Reply]
    /// The first refusal; what comes after it is ignored.
    private(set) var failure: PostgresError?
    /// Between two results of a pipeline libpq gives one null pointer; a second one means that nothing will come.
    var cameNull = false

    private var count = 0

    init(answers: [Reply]) { self.answers = answers }

    /// Nil when all came.
    var next: Reply? { count < answers.count ? answers[count] : nil }

    mutating func fail(_ error: PostgresError) { failure = failure ?? error }

    /// Counts an answer; those of a script end otherwise.
    mutating func advance() {
        cameNull = false
        if case .script = next { return }
        count += 1
    }
}

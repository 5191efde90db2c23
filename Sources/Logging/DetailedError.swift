/// An error that knows more than its description tells: for the log alone, as it may quote rows, files or services.
package protocol DetailedError: Error {
    /// Everything that is known, in one line.
    var detail: String { get }
}

/// What the log tells of an error.
package func logText(of error: any Error) -> String { (error as? any DetailedError)?.detail ?? "\(error)" }

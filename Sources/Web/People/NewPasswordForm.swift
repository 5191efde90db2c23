internal import Domain
internal import HTTP

/// The two fields of a new password, as they were sent.
enum NewPasswordForm {
    static let hint =
        "At least \(Password.minimumCount) characters. A few words that nobody else would put together are good."

    /// The password, or what is wrong with it.
    static func read(_ form: FormFields) -> Result<Password, Mistake> {
        guard form["new_password"] == form["new_password_again"] else {
            return .failure(Mistake(text: "The two passwords are not the same."))
        }
        guard let password = Password(form["new_password"] ?? ""), password.isLongEnough else {
            return .failure(
                Mistake(text: "A password has at least \(Password.minimumCount) characters, and at most 1,024 bytes."))
        }
        return .success(password)
    }

    struct Mistake: Error {
        let text: String
    }
}

internal import Domain
internal import HTTP

/// The two fields of a new password, as they were sent.
enum NewPasswordForm {
    /// The password, or what is wrong with it.
    static func read(_ form: FormFields) -> Result<Password, Mistake> {
        guard form["new_password"] == form["new_password_again"] else {
            return .failure(Mistake(phrase: .passwordsDiffer))
        }
        guard let password = Password(form["new_password"] ?? ""), password.isLongEnough else {
            return .failure(Mistake(phrase: .passwordLength))
        }
        return .success(password)
    }

    struct Mistake: Error {
        let phrase: Phrase
    }
}

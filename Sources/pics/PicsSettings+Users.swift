import Settings

/// The settings of those who sign in with a browser. That somebody was seen is noted once a minute, so a session cannot
/// rest for less than some minutes.
extension PicsSettings {
    static let sessionIdle = Setting(
        "session_idle", default: Duration.seconds(14 * 86_400), in: .seconds(300)...Duration.seconds(400 * 86_400),
        meaning: "How long a browser stays signed in without being used.")
    static let sessionAge = Setting(
        "session_age", default: Duration.seconds(90 * 86_400), in: .seconds(300)...Duration.seconds(400 * 86_400),
        meaning: "How long a browser stays signed in at most.")
    static let invitationAge = Setting(
        "invitation_age", default: Duration.seconds(7 * 86_400), in: .seconds(1)...Duration.seconds(400 * 86_400),
        meaning: "How long an invitation is good.")

    static let people = SettingSection("People", [sessionIdle, sessionAge, invitationAge])
}

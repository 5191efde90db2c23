internal import Actions
internal import HTTP
internal import HTTPServer

/// The routes of signing in, and of what signs people in.
extension PageHandlers {
    var signInPages: [Route] {
        [
            // Wrong passwords are counted, by address and by user.
            publicPage("/login", .login, showLogin),
            publicForm("/login", .sendLogin, login),
            publicPage(Self.codePath, .codePage, showCode),
            publicForm(Self.codePath, .sendCode, sendCode),
            publicPage(Self.passkeySignInPath, .passkeyOptions, passkeyOptions),
            publicForm(Self.passkeySignInPath, .signInWithPasskey, signInWithPasskey),
            page("/logout", .logout, showLogout),
            form("/logout", .sendLogout, sendLogout),
            page("\(Self.authorizePath)/", .authorizeAppToo, showConsent),
            publicPage("/join", .join, showJoin),
            publicForm("/join", .sendJoin, join),
        ]
    }

    /// There where the operator has chosen an issuer.
    var openIDPages: [Route] {
        guard openID != nil else { return [] }
        return [
            publicPage(Self.openIDPath, .beginOpenID, beginOpenID),
            publicPage(OpenIDActions.callbackPath, .endOpenID, endOpenID),
            page(Self.identitiesPath, .identities, showIdentities),
            form("\(Self.identitiesPath)/link", .linkIdentity, costs: .charging(.outgoing), linkIdentity),
            back("\(Self.identitiesPath)/link", to: Self.identitiesPath),
            form("\(Self.identitiesPath)/{id}/unlink", .unlinkIdentity, unlinkIdentity),
            back("\(Self.identitiesPath)/{id}/unlink", to: Self.identitiesPath),
        ]
    }

    /// The second factor, and passkeys.
    var factorPages: [Route] {
        [
            page(Self.secondFactorPath, .secondFactor, showSecondFactor),
            form("\(Self.secondFactorPath)/begin", .beginSecondFactor, beginSecondFactor),
            back("\(Self.secondFactorPath)/begin", to: Self.secondFactorPath),
            form("\(Self.secondFactorPath)/confirm", .confirmSecondFactor, confirmSecondFactor),
            back("\(Self.secondFactorPath)/confirm", to: Self.secondFactorPath),
            form("\(Self.secondFactorPath)/codes", .renewRecoveryCodes, renewRecoveryCodes),
            back("\(Self.secondFactorPath)/codes", to: Self.secondFactorPath),
            form("\(Self.secondFactorPath)/remove", .turnSecondFactorOff, removeSecondFactor),
            back("\(Self.secondFactorPath)/remove", to: Self.secondFactorPath),
            page(
                "/settings/people/{id}/second-factor", .askToRemoveSecondFactor, for: .admins,
                askToRemoveSecondFactor),
            form(
                "/settings/people/{id}/second-factor", .removeSecondFactorOfUser, for: .admins,
                removeSecondFactorOfUser),

            page(Self.passkeysPath, .passkeys, showPasskeys),
            form(Self.passkeysPath, .addPasskey, addPasskey),
            script(.get, "\(Self.passkeysPath)/options", .newPasskeyOptions, newPasskeyOptions),
            form("\(Self.passkeysPath)/{id}/remove", .removePasskey, removePasskey),
            back("\(Self.passkeysPath)/{id}/remove", to: Self.passkeysPath),
        ]
    }
}

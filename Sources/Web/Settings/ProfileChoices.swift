internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    func chooseCamera(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await store.setShowsCamera(form["show_camera"] == "yes", of: caller.user.id)
        return .seeOther("/settings?done=camera")
    }

    /// Its form on the first page of the settings.
    func cameraForm(_ caller: SignedInUser) async throws -> HTML {
        let checked: HTML = try await store.showsCamera(caller.user.id) ? " checked" : .nothing
        let say = caller.language
        return """
            <h2>\(say(.yourPages))</h2>
            <form class="form" method="post" action="/settings/camera">
            \(caller.formInput)<label class="choice"><input type="checkbox" name="show_camera" value="yes"\(checked)>
            <span>\(say(.showCamera))</span></label>
            <button>\(say(.keepChoice))</button>
            </form>

            """
    }
}

extension PageHandlers {
    func chooseSignature(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws
        -> HTTPResponse
    {
        let signature: Signature?
        do throws(Signature.Mistake) { signature = try Signature.read(form["signature"] ?? "") } catch {
            return try await profilePage(
                caller, notice: .failed(.signatureIsTooLong), status: .unprocessableContent)
        }
        try await users.setSignature(signature, of: caller.user.id)
        return .seeOther("/settings?done=signature")
    }

    /// Its form on the first page of the settings.
    func signatureForm(_ caller: SignedInUser) async throws -> HTML {
        let signature = try await store.signature(of: caller.user.id) ?? ""
        let say = caller.language
        return """
            <h2>\(say(.signMyPictures))</h2>
            <form class="form" method="post" action="/settings/signature">
            \(caller.formInput)<label>\(say(.signatureName))
            <input name="signature" value="\(signature)" maxlength="100" autocomplete="name">
            <small>\(say(.signatureHint))</small></label>
            <button>\(say(.keepChoice))</button>
            </form>

            """
    }
}

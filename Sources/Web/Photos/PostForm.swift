internal import Actions
internal import Domain

/// The form with which photos are posted, and above it what waits on the reader's device. `key` makes the request repeatable; where it
/// is empty, a script makes one.
struct PostForm {
    /// The scripts that it works with.
    static let scripts: HTML = """
        <script src="\(StaticFile.pictureScript.path)" defer></script>
        <script src="\(StaticFile.newScript.path)" defer></script>

        """

    var draft = PhotoDraft()
    let key: String
    let say: Language
    /// Whether the photos may be saved as a draft.
    var offersDraft = false

    private var draftButton: HTML {
        offersDraft ? " <button class=\"quiet\" name=\"draft\" value=\"true\">\(say(.saveDraft))</button>" : .nothing
    }

    /// `hidden` fields come first, `further` ones behind the words.
    func html(hidden: HTML = .nothing, further: HTML = .nothing) -> HTML {
        """
        \(OutboxSection(say: say).html)<form class="form" method="post" action="/new" enctype="multipart/form-data" \
        data-new data-texts="/new/texts" data-sending="\(say(.uploading))" data-failed="\(say(.uploadFailed))">
        \(hidden)<input type="hidden" name="key" value="\(key)">
        <label>\(say(.photosOrVideo))
        <input type="file" name="photo" required multiple accept="image/*,video/mp4,video/quicktime">
        <small>\(say(.pickersChangeFiles))</small></label>
        <ol class="chosen" hidden data-chosen></ol>
        <template data-photo><li><img alt="" hidden><div><p class="facts"><span data-name></span> <span data-bytes></span></p>
        <progress data-sent hidden aria-label="\(say(.uploading))"></progress><input type="hidden" name="edits">
        <label>\(say(.description)) <textarea name="alt_text" rows="2" dir="auto"></textarea></label>
        <p class="actions"><button type="button" class="quiet" data-edit>\(say(.editPicture))</button>
        <button type="button" class="quiet" data-up>\(say(.moveUp))</button>
        <button type="button" class="quiet" data-down>\(say(.moveDown))</button>
        <button type="button" class="quiet" data-remove>\(say(.removeFromPost))</button></p></div></li></template>
        <label>\(say(.caption))
        <textarea name="caption" rows="4" dir="auto">\(draft.caption)</textarea></label>
        <label data-description>\(say(.description))
        <textarea name="alt_text" rows="2" dir="auto">\(draft.altText)</textarea>
        <small>\(say(.whatItShows))</small></label>
        <details data-edits><summary>\(say(.editFirstPicture))</summary>
        \(PictureFields(say: say).html)</details>
        \(further)\(PlaceField(position: draft.position, say: say).html)<progress data-progress hidden></progress>
        <p role="status" data-status hidden></p>
        <p class="actions"><button>\(say(.post))</button>\(draftButton)</p>
        </form>
        <dialog class="editing" aria-labelledby="editing" data-editing>
        <form class="form"><h2 id="editing">\(say(.editPicture))</h2>
        \(PictureEditor(fields: PictureFields(say: say)).html)<p class="actions"><button>\(say(.doneEditing))</button>
        <button type="button" class="quiet" data-reset>\(say(.resetEdits))</button></p></form>
        </dialog>

        """
    }
}

/// The field for the position of all photos of a post, in degrees: phones remove it from what they hand over.
private struct PlaceField {
    let position: Position?
    let say: Language

    var html: HTML {
        let value = position.map { "\($0.latitude), \($0.longitude)" } ?? ""
        return """
            <details\(position == nil ? "" : " open")><summary>\(say(.place))</summary>
            <label>\(say(.latitudeAndLongitude))
            <input name="location" value="\(value)" placeholder="59.3293, 18.0686" autocomplete="off" maxlength="60" \
            pattern="\\s*-?\\d+(\\.\\d+)?\\s*,\\s*-?\\d+(\\.\\d+)?\\s*"><small>\(say(.placeExplained))</small></label>
            <p class="actions"><button type="button" class="quiet" hidden data-locate data-locating="\(say(.locating))" \
            data-unlocated="\(say(.noPosition))">\(say(.useMyPosition))</button></p></details>

            """
    }
}

/// What does not work without HTTPS, and how that is had. A script shows it where the page has come without.
struct SecureContextHint {
    let isAdmin: Bool
    let say: Language

    var html: HTML {
        let remedy: HTML =
            isAdmin
            ? "\(say(.setUpHTTPS)) <code>pics serve --tls-domain pics.example.org</code> \(say(.otherWaysToHTTPS))"
            : "\(say(.adminSetsUpHTTPS))"
        return "<p class=\"notice\" data-insecure hidden>\(say(.needsHTTPS)) \(remedy)</p>\n"
    }
}

/// The lists of what waits on the reader's device, the reader's own and nobody's, which a script fills: the server does not know of them.
struct OutboxSection {
    let say: Language

    var html: HTML {
        """
        <section class="outbox" data-outbox hidden>
        <h2>\(say(.waitingOnThisDevice))</h2>
        <p class="facts" data-signin hidden><a href="/login">\(say(.signInToSend))</a></p>
        <ul></ul>
        <template data-kept><li><img alt="" hidden><div><p data-caption></p>
        <p class="facts"><span data-state="draft">\(say(.notPostedYet))</span><span data-state="shared">\(say(.sharedAndNotPosted))</span>\
        <span data-state="waiting">\(say(.waitsForTheNetwork))</span>\
        <span data-state="failed">\(say(.wasRefused))</span><span data-state="unknown">\(say(.mayHaveBeenPosted))</span></p>
        <p class="actions"><a data-edit>\(say(.editPhoto))</a> <a data-claim>\(say.marked(.postAsOwner))</a> \
        <button type="button" class="quiet" data-again>\(say(.retry))</button> \
        <a data-save>\(say(.saveFile))</a> <button type="button" class="quiet" data-discard>\(say(.removeFromPost))</button></p></div></li></template>
        </section>
        <section class="outbox" data-unowned hidden>
        <h2>\(say(.writtenByNobody))</h2>
        <ul></ul>
        </section>

        """
    }
}

/// The list of what waits on the reader's device, which a script fills: the server does not know of it.
struct OutboxSection {
    let say: Language

    var html: HTML {
        """
        <section class="outbox" data-outbox hidden>
        <h2>\(say(.waitingOnThisDevice))</h2>
        <p class="facts" data-signin hidden><a href="/login">\(say(.signInToSend))</a></p>
        <ul></ul>
        <template data-kept><li><img alt="" hidden><div><p data-caption></p>
        <p class="facts"><span data-state="draft">\(say(.notPostedYet))</span><span data-state="waiting">\(say(.waitsForTheNetwork))</span>\
        <span data-state="failed">\(say(.wasRefused))</span><span data-state="unknown">\(say(.mayHaveBeenPosted))</span></p>
        <p class="actions"><a data-edit>\(say(.editPhoto))</a> <button type="button" class="quiet" data-again>\(say(.retry))</button> \
        <a data-save>\(say(.saveFile))</a> <button type="button" class="quiet" data-discard>\(say(.removeFromPost))</button></p></div></li></template>
        </section>

        """
    }
}

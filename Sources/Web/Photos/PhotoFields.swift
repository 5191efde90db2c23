internal import Actions

/// The fields of a form with which photos are posted: files, caption and descriptions.
struct PhotoFields {
    var draft = PhotoDraft()
    let say: Language

    var html: HTML {
        """
        <label>\(say(.photosOrVideo))
        <input type="file" name="photo" required multiple accept="image/*,video/mp4,video/quicktime">
        <small>\(say(.pickersChangeFiles))</small></label>
        <ol class="chosen" hidden data-chosen></ol>
        <template data-photo><li><img alt="" hidden><div><p class="facts" data-name></p>
        <label>\(say(.description)) <textarea name="alt_text" rows="2" dir="auto"></textarea></label>
        <p class="actions"><button type="button" class="quiet" data-up>\(say(.moveUp))</button>
        <button type="button" class="quiet" data-down>\(say(.moveDown))</button>
        <button type="button" class="quiet" data-remove>\(say(.removeFromPost))</button></p></div></li></template>
        <label>\(say(.caption))
        <textarea name="caption" rows="4" dir="auto">\(draft.caption)</textarea></label>
        <label data-description>\(say(.description))
        <textarea name="alt_text" rows="2" dir="auto">\(draft.altText)</textarea>
        <small>\(say(.whatItShows))</small></label>

        """
    }
}

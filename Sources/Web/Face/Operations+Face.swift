internal import HTTPServer

/// Who somebody is, and their albums.
extension Operation {
    static let publicProfile = shown("publicProfile", "What somebody says of themselves.")
    static let saveProfile = sent("saveProfile", "Changes what somebody says of themselves.")
    static let choosePicture = sent("choosePicture", "Chooses the photo that stands for somebody.")
    static let editAlbumPage = shown("editAlbumPage", "What somebody says of an album of theirs.")
    static let saveAlbum = sent("saveAlbum", "Changes what somebody says of an album of theirs, and its name.")
}

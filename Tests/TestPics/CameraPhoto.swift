internal import Foundation

/// A small JPEG as a camera writes it: stored 64 × 48, orientation 6, taken in Stockholm, with serial number and owner.
package enum CameraPhoto {
    /// Equal but for its last bytes, which stand behind the picture: each `number` is a file of its own.
    package static func jpeg(_ number: Int = 0) -> [UInt8] { jpeg + Array("\(number)".utf8) }

    /// The same, taken at `time` such as `2026:11:20 10:11:12` by a clock with `offset`, such as `+01:00`.
    package static func jpeg(at time: String, offset: String, _ number: Int = 0) -> [UInt8] {
        jpeg(number).replacing(Array("2026:11:20 10:11:12".utf8), with: Array(time.utf8))
            .replacing(Array("+01:00".utf8), with: Array(offset.utf8))
    }

    private static let jpeg = [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())

    private static let text = """
        /9j/4QGeRXhpZgAATU0AKgAAAAgACQEPAAIAAAAGAAAAegEQAAIAAAAEWiA2AAESAAMAAAABAAYAAAEaAAUAAAABAAAAgAEbAAUAAAABAAAA
        iAEoAAMAAAABAAIAAAITAAMAAAABAAEAAIdpAAQAAAABAAAAkIglAAQAAAABAAABJAAAAABOaWtvbgAAAABIAAAAAQAAAEgAAAABAAiQAAAH
        AAAABDAyMzKQAwACAAAAFAAAAPaQEQACAAAABwAAAQqRAQAHAAAABAECAwCgAAAHAAAABDAxMDCgAQADAAAAAf//AACkMAACAAAACQAAARKk
        MQACAAAACAAAARwAAAAAMjAyNjoxMToyMCAxMDoxMToxMgArMDE6MDAAAEphbmUgRG9lAAAxMjM0NTY3AAAFAAAAAQAAAAQCAwAAAAEAAgAA
        AAJOAAAAAAIABQAAAAMAAAFmAAMAAgAAAAJFAAAAAAQABQAAAAMAAAF+AAAAAAAAADsAAAABAAAAEwAAAAEAAARxAAAAGQAAABIAAAABAAAA
        BAAAAAEAAACuAAAAGf/bAEMAEAsMDgwKEA4NDhIREBMYKBoYFhYYMSMlHSg6Mz08OTM4N0BIXE5ARFdFNzhQbVFXX2JnaGc+TXF5cGR4XGVn
        Y//bAEMBERISGBUYLxoaL2NCOEJjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY//AABEIADAAQAMB
        IgACEQEDEQH/xAAfAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgv/xAC1EAACAQMDAgQDBQUEBAAAAX0BAgMABBEFEiExQQYTUWEHInEU
        MoGRoQgjQrHBFVLR8CQzYnKCCQoWFxgZGiUmJygpKjQ1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoOEhYaHiImKkpOU
        lZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4eLj5OXm5+jp6vHy8/T19vf4+fr/xAAfAQADAQEBAQEBAQEBAAAA
        AAAAAQIDBAUGBwgJCgv/xAC1EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZ
        GiYnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrC
        w8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/2gAMAwEAAhEDEQA/AONWOpFjqdYqlWKu9zMqdQgWOpFjqdYqlWKsnM76dQgW
        OpFjqwsVSLFWTmd1OoQLFUix1YWKpFirJzO6nUMtY6lWOp1iqVY6pzPhKdQrrHUqx1OsdSrHWTmd9OoV1iqVY6nWKpVjrNzO6nUIFjqRY6nW
        OpVjrJzO6nUMtYqkWKrCx1IsVU5nwtOoQLFUqxVOsdSLHWTmd1OoQLFUqxVOsdSLFWTmd1OoQLFUqxVOsdSrFWTmd1Oof//Z
        """
}

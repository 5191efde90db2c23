/// What of a movie may be seen by everybody. All lists say what stays, never what goes.
///
/// Source: ISO/IEC 14496-12, table 1; Apple, "QuickTime File Format"; MP4 Registration Authority, mp4ra.org.
enum BoxAllowList {
    /// By the type of a box, the types of the boxes that stay in it; the file itself has the type "". A box that is not a key
    /// stays whole. Nothing stays that is deeper than this tree.
    static let children: [String: Set<String>] = [
        "": ["ftyp", "styp", "moov", "mdat", "moof", "sidx", "mfra"],
        "moov": ["mvhd", "trak", "mvex", "udta", "meta"],
        "trak": ["tkhd", "edts", "mdia", "tapt"],
        "edts": ["elst"],
        "tapt": ["clef", "prof", "enof"],
        "mdia": ["mdhd", "hdlr", "elng", "minf"],
        "minf": ["vmhd", "smhd", "hdlr", "dinf", "stbl"],
        "dinf": ["dref"],
        "stbl": [
            "stsd", "stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stco", "co64", "sgpd", "sbgp",
        ],
        "mvex": ["mehd", "trex"],
        "moof": ["mfhd", "traf"],
        "traf": ["tfhd", "tfdt", "trun", "sdtp", "sgpd", "sbgp"],
        "mfra": ["tfra", "mfro"],
    ]

    /// Codecs whose pictures have no room for files in files, as JPEG with its EXIF has.
    static let pictureFormats: Set<String> = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "vvc1", "vvi1", "av01", "vp08",
        "vp09", "mp4v", "s263", "h263", "apco", "apcs", "apcn", "apch", "ap4h", "ap4x",
    ]

    /// What decoders need to know: boxes inside a sample description.
    static let descriptionExtensions: Set<String> = [
        // Pictures.
        "avcC", "hvcC", "lhvC", "vvcC", "av1C", "vpcC", "dvcC", "dvvC", "dvwC", "hvcE", "d263", "esds", "colr", "pasp",
        "clap", "fiel", "gama", "btrt", "mdcv", "clli", "SmDm", "CoLL", "amve", "st3d", "sv3d", "vexu", "hfov",
        // Sound.
        "wave", "chan", "chnl", "srat", "dac3", "dec3", "dac4", "alac", "dfLa", "dOps", "damr", "mhaC", "pcmC", "SA3D",
    ]

    /// Types of user data, and of metadata items that have a type.
    static let notes: Set<String> = ["©cpy", "cprt"]
    /// Names of metadata items that have a name.
    static let keys: Set<String> = ["com.apple.quicktime.copyright", "com.apple.quicktime.creationdate"]

    /// As `notes`, for those who want the position to stay.
    static let positionNotes: Set<String> = ["©xyz", "loci"]
    /// As `keys`, for those who want the position to stay.
    static let positionKeys: Set<String> = ["com.apple.quicktime.location.ISO6709"]
}

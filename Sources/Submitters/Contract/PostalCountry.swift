/// The countries of the world, and how they write postal codes.
package enum PostalCountry {
    /// ISO 3166-1 alpha-2, the 249 that are assigned.
    package static let all = Set(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG
        CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL
        GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA
        LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP
        NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
        SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """
        .split(whereSeparator: \.isWhitespace).map(String.init))

    /// The abbreviations of states in addresses of the USA (USPS Publication 28, appendix B).
    static let states = Set(
        """
        AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD
        TN TX UT VT VA WA WV WI WY AS FM GU MH MP PR PW VI AA AE AP
        """
        .split(whereSeparator: \.isWhitespace).map(String.init))

    /// The postal codes of countries that always have one: `9` stands for a digit, `A` for a letter, anything else for itself
    /// (Universal Postal Union, "Postal addressing systems"). Of others nothing is known, and nothing is checked.
    static let postalCodes: [String: [String]] = [
        "AT": ["9999"], "AU": ["9999"], "BE": ["9999"], "BG": ["9999"], "BR": ["99999-999"], "CA": ["A9A 9A9"],
        "CH": ["9999"], "CN": ["999999"], "CY": ["9999"], "CZ": ["999 99"], "DE": ["99999"], "DK": ["9999"],
        "EE": ["99999"], "ES": ["99999"], "FI": ["99999"], "FR": ["99999"], "GR": ["999 99"], "HR": ["99999"],
        "HU": ["9999"], "IL": ["9999999", "99999"], "IN": ["999999"], "IS": ["999"], "IT": ["99999"],
        "JP": ["999-9999"],
        "KR": ["99999"], "LI": ["9999"], "LU": ["9999"], "MC": ["99999"], "MX": ["99999"], "MY": ["99999"],
        "NL": ["9999 AA"], "NO": ["9999"], "NZ": ["9999"], "PH": ["9999"], "PL": ["99-999"], "PT": ["9999-999"],
        "RO": ["999999"], "RU": ["999999"], "SE": ["999 99"], "SG": ["999999"], "SI": ["9999"], "SK": ["999 99"],
        "SM": ["99999"], "TH": ["99999"], "TR": ["99999"], "TW": ["999", "99999", "999999"], "UA": ["99999"],
        "US": ["99999", "99999-9999"], "VA": ["99999"], "ZA": ["9999"],
        "GB": ["A9 9AA", "A99 9AA", "AA9 9AA", "AA99 9AA", "A9A 9AA", "AA9A 9AA"],
    ]

    /// A postal code as its country writes it, whatever stood between its parts; nil when it has none of the shapes.
    static func postalCode(_ entered: String, shapes: [String]) -> String? {
        let characters = Array(entered.uppercased().unicodeScalars.filter { $0 != " " && $0 != "-" })
        for shape in shapes {
            var code = ""
            var rest = characters[...]
            var fits = true
            for sign in shape.unicodeScalars {
                switch sign {
                case "9", "A":
                    guard let next = rest.popFirst(),
                        sign == "9" ? ("0"..."9").contains(next) : ("A"..."Z").contains(next)
                    else {
                        fits = false
                        break
                    }
                    code.unicodeScalars.append(next)
                default: code.unicodeScalars.append(sign)
                }
            }
            if fits, rest.isEmpty { return code }
        }
        return nil
    }

    /// A code of the first shape.
    static func example(_ shapes: [String]) -> String? {
        shapes.first.map { shape in
            String(
                String.UnicodeScalarView(
                    shape.unicodeScalars.enumerated().map { place, sign in
                        switch sign {
                        case "9": Unicode.Scalar(UInt8(ascii: "1") + UInt8(place % 9))
                        case "A": Unicode.Scalar(UInt8(ascii: "A") + UInt8(place % 26))
                        default: sign
                        }
                    }))
        }
    }
}

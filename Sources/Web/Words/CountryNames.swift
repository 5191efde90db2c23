/// The names of countries in English and Japanese, each in the order in which its readers look them up, as Foundation 6.3 has them.
enum CountryNames {
    static let english = read(
        """
        AF Afghanistan; AX Åland Islands; AL Albania; DZ Algeria; AS American Samoa; AD Andorra; AO Angola; AI Anguilla; \
        AQ Antarctica; AG Antigua & Barbuda; AR Argentina; AM Armenia; AW Aruba; AU Australia; AT Austria; \
        AZ Azerbaijan; BS Bahamas; BH Bahrain; BD Bangladesh; BB Barbados; BY Belarus; BE Belgium; BZ Belize; BJ Benin; \
        BM Bermuda; BT Bhutan; BO Bolivia; BA Bosnia & Herzegovina; BW Botswana; BV Bouvet Island; BR Brazil; \
        VG British Virgin Islands; BN Brunei; BG Bulgaria; BF Burkina Faso; BI Burundi; KH Cambodia; CM Cameroon; \
        CA Canada; CV Cape Verde; BQ Caribbean Netherlands; KY Cayman Islands; CF Central African Republic; TD Chad; \
        IO Chagos Archipelago; CL Chile; CN China mainland; CX Christmas Island; CC Cocos (Keeling) Islands; \
        CO Colombia; KM Comoros; CG Congo - Brazzaville; CD Congo - Kinshasa; CK Cook Islands; CR Costa Rica; \
        CI Côte d’Ivoire; HR Croatia; CU Cuba; CW Curaçao; CY Cyprus; CZ Czechia; DK Denmark; DJ Djibouti; DM Dominica; \
        DO Dominican Republic; EC Ecuador; EG Egypt; SV El Salvador; GQ Equatorial Guinea; ER Eritrea; EE Estonia; \
        SZ Eswatini; ET Ethiopia; FK Falkland Islands; FO Faroe Islands; FJ Fiji; FI Finland; FR France; \
        GF French Guiana; PF French Polynesia; TF French Southern Territories; GA Gabon; GM Gambia; GE Georgia; \
        DE Germany; GH Ghana; GI Gibraltar; GR Greece; GL Greenland; GD Grenada; GP Guadeloupe; GU Guam; GT Guatemala; \
        GG Guernsey; GN Guinea; GW Guinea-Bissau; GY Guyana; HT Haiti; HM Heard & McDonald Islands; HN Honduras; \
        HK Hong Kong; HU Hungary; IS Iceland; IN India; ID Indonesia; IR Iran; IQ Iraq; IE Ireland; IM Isle of Man; \
        IL Israel; IT Italy; JM Jamaica; JP Japan; JE Jersey; JO Jordan; KZ Kazakhstan; KE Kenya; KI Kiribati; \
        KW Kuwait; KG Kyrgyzstan; LA Laos; LV Latvia; LB Lebanon; LS Lesotho; LR Liberia; LY Libya; LI Liechtenstein; \
        LT Lithuania; LU Luxembourg; MO Macao; MG Madagascar; MW Malawi; MY Malaysia; MV Maldives; ML Mali; MT Malta; \
        MH Marshall Islands; MQ Martinique; MR Mauritania; MU Mauritius; YT Mayotte; MX Mexico; FM Micronesia; \
        MD Moldova; MC Monaco; MN Mongolia; ME Montenegro; MS Montserrat; MA Morocco; MZ Mozambique; MM Myanmar (Burma); \
        NA Namibia; NR Nauru; NP Nepal; NL Netherlands; NC New Caledonia; NZ New Zealand; NI Nicaragua; NE Niger; \
        NG Nigeria; NU Niue; NF Norfolk Island; KP North Korea; MK North Macedonia; MP Northern Mariana Islands; \
        NO Norway; OM Oman; PK Pakistan; PW Palau; PS Palestinian Territories; PA Panama; PG Papua New Guinea; \
        PY Paraguay; PE Peru; PH Philippines; PN Pitcairn Islands; PL Poland; PT Portugal; PR Puerto Rico; QA Qatar; \
        RE Réunion; RO Romania; RU Russia; RW Rwanda; WS Samoa; SM San Marino; ST São Tomé & Príncipe; SA Saudi Arabia; \
        SN Senegal; RS Serbia; SC Seychelles; SL Sierra Leone; SG Singapore; SX Sint Maarten; SK Slovakia; SI Slovenia; \
        GS So. Georgia & So. Sandwich Isl.; SB Solomon Islands; SO Somalia; ZA South Africa; KR South Korea; \
        SS South Sudan; ES Spain; LK Sri Lanka; BL St. Barthélemy; SH St. Helena; KN St. Kitts & Nevis; LC St. Lucia; \
        MF St. Martin; PM St. Pierre & Miquelon; VC St. Vincent & Grenadines; SD Sudan; SR Suriname; \
        SJ Svalbard & Jan Mayen; SE Sweden; CH Switzerland; SY Syria; TW Taiwan; TJ Tajikistan; TZ Tanzania; \
        TH Thailand; TL Timor-Leste; TG Togo; TK Tokelau; TO Tonga; TT Trinidad & Tobago; TN Tunisia; TR Türkiye; \
        TM Turkmenistan; TC Turks & Caicos Islands; TV Tuvalu; UM U.S. Outlying Islands; VI U.S. Virgin Islands; \
        UG Uganda; UA Ukraine; AE United Arab Emirates; GB United Kingdom; US United States; UY Uruguay; UZ Uzbekistan; \
        VU Vanuatu; VA Vatican City; VE Venezuela; VN Vietnam; WF Wallis & Futuna; EH Western Sahara; YE Yemen; \
        ZM Zambia; ZW Zimbabwe;
        """)

    static let japanese = read(
        """
        IS アイスランド; IE アイルランド; AZ アゼルバイジャン; AF アフガニスタン; US アメリカ合衆国; AE アラブ首長国連邦; DZ アルジェリア; AR アルゼンチン; AW アルバ; AL アルバニア; \
        AM アルメニア; AI アンギラ; AO アンゴラ; AG アンティグア・バーブーダ; AD アンドラ; YE イエメン; GB イギリス; IL イスラエル; IT イタリア; IQ イラク; IR イラン; \
        IN インド; ID インドネシア; WF ウォリス・フツナ; UG ウガンダ; UA ウクライナ; UZ ウズベキスタン; UY ウルグアイ; EC エクアドル; EG エジプト; EE エストニア; SZ エスワティニ; \
        ET エチオピア; ER エリトリア; SV エルサルバドル; AU オーストラリア; AT オーストリア; AX オーランド諸島; OM オマーン; NL オランダ; BQ オランダ領カリブ; GH ガーナ; \
        CV カーボベルデ; GG ガーンジー; GY ガイアナ; KZ カザフスタン; QA カタール; CA カナダ; GA ガボン; CM カメルーン; GM ガンビア; KH カンボジア; GN ギニア; \
        GW ギニアビサウ; CY キプロス; CU キューバ; CW キュラソー; GR ギリシャ; KI キリバス; KG キルギス; GT グアテマラ; GP グアドループ; GU グアム; KW クウェート; \
        CK クック諸島; GL グリーンランド; CX クリスマス島; GD グレナダ; HR クロアチア; KY ケイマン諸島; KE ケニア; CI コートジボワール; CC ココス（キーリング）諸島; CR コスタリカ; \
        KM コモロ; CO コロンビア; CG コンゴ共和国（ブラザビル）; CD コンゴ民主共和国（キンシャサ）; SA サウジアラビア; GS サウスジョージア・サウスサンドウィッチ諸島; WS サモア; \
        BL サン・バルテルミー; MF サン・マルタン; ST サントメ・プリンシペ; ZM ザンビア; PM サンピエール島・ミクロン島; SM サンマリノ; SL シエラレオネ; DJ ジブチ; GI ジブラルタル; \
        JE ジャージー; JM ジャマイカ; GE ジョージア; SY シリア; SG シンガポール; SX シント・マールテン; ZW ジンバブエ; SD スーダン; CH スイス; SE スウェーデン; \
        SJ スバールバル諸島・ヤンマイエン島; ES スペイン; SR スリナム; LK スリランカ; SK スロバキア; SI スロベニア; SC セーシェル; SN セネガル; RS セルビア; \
        KN セントクリストファー・ネーヴィス; VC セントビンセント及びグレナディーン諸島; SH セントヘレナ; LC セントルシア; SO ソマリア; SB ソロモン諸島; TC タークス・カイコス諸島; TH タイ; \
        TJ タジキスタン; TZ タンザニア; CZ チェコ; IO チャゴス諸島; TD チャド; TN チュニジア; CL チリ; TV ツバル; DK デンマーク; TG トーゴ; DE ドイツ; TK トケラウ; \
        DO ドミニカ共和国; DM ドミニカ国; TT トリニダード・トバゴ; TM トルクメニスタン; TR トルコ; TO トンガ; NG ナイジェリア; NR ナウル; NA ナミビア; NU ニウエ; NI ニカラグア; \
        NE ニジェール; NC ニューカレドニア; NZ ニュージーランド; NP ネパール; NF ノーフォーク島; NO ノルウェー; HM ハード島・マクドナルド諸島; BH バーレーン; HT ハイチ; PK パキスタン; \
        VA バチカン市国; PA パナマ; VU バヌアツ; BS バハマ; PG パプアニューギニア; BM バミューダ; PW パラオ; PY パラグアイ; BB バルバドス; PS パレスチナ自治区; HU ハンガリー; \
        BD バングラデシュ; PN ピトケアン諸島; BT ブータン; BV ブーベ島; FJ フィジー; PH フィリピン; FI フィンランド; PR プエルトリコ; FO フェロー諸島; FK フォークランド諸島; \
        BR ブラジル; FR フランス; BG ブルガリア; BF ブルキナファソ; BN ブルネイ; BI ブルンジ; VN ベトナム; BJ ベナン; VE ベネズエラ; BY ベラルーシ; BZ ベリーズ; PE ペルー; \
        BE ベルギー; PL ポーランド; BA ボスニア・ヘルツェゴビナ; BW ボツワナ; BO ボリビア; PT ポルトガル; HN ホンジュラス; MH マーシャル諸島; MO マカオ; MG マダガスカル; \
        YT マヨット; MW マラウイ; ML マリ; MT マルタ; MQ マルティニーク; MY マレーシア; IM マン島; FM ミクロネシア連邦; MM ミャンマー (ビルマ); MX メキシコ; MU モーリシャス; \
        MR モーリタニア; MZ モザンビーク; MC モナコ; MV モルディブ; MD モルドバ; MA モロッコ; MN モンゴル; ME モンテネグロ; MS モントセラト; JO ヨルダン; LA ラオス; \
        LV ラトビア; LT リトアニア; LY リビア; LI リヒテンシュタイン; LR リベリア; RO ルーマニア; LU ルクセンブルク; RW ルワンダ; LS レソト; LB レバノン; RE レユニオン; \
        RU ロシア; CN 中国本土; CF 中央アフリカ共和国; GF 仏領ギアナ; PF 仏領ポリネシア; TF 仏領極南諸島; MK 北マケドニア; MP 北マリアナ諸島; KP 北朝鮮; ZA 南アフリカ; \
        SS 南スーダン; AQ 南極; TW 台湾; UM 合衆国領有小離島; JP 日本; TL 東ティモール; VI 米領ヴァージン諸島; AS 米領サモア; VG 英領ヴァージン諸島; EH 西サハラ; GQ 赤道ギニア; \
        KR 韓国; HK 香港;
        """)

    /// Reads `AF Afghanistan; AL Albania;` and so on.
    private static func read(_ text: String) -> [(code: String, name: String)] {
        text.split(separator: ";").map { entry in
            let parts = entry.drop(while: \.isWhitespace).split(separator: " ", maxSplits: 1).map(String.init)
            return (parts[0], parts[1])
        }
    }
}

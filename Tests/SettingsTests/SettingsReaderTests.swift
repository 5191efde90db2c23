import Foundation
import Testing

@testable import Settings

struct SettingsReaderTests {
    private enum Sample {
        static let listen = Setting("listen", default: "127.0.0.1:8080", meaning: "Where the server listens.")
        static let workers = Setting(
            "workers", default: 4, in: 1...64, unit: "threads", meaning: "How many submissions run at once.")
        static let idle = Setting<Duration>(
            "idle_timeout", default: .seconds(30), in: .seconds(1) ... .seconds(600),
            meaning: "How long a silent connection lives.")
        static let upload = Setting("max_upload", default: ByteCount.mebibytes(20), meaning: "The largest photo.")
        static let database = Setting(
            "database_url", default: String?.none, isSecret: true, meaning: "The server to use.")
        static let all: [any SettingDescriptor] = [listen, workers, idle, upload, database]
    }

    @Test func `nobody decides: the defaults hold`() throws {
        let configuration = try SettingsReader(prefix: "PICS", file: nil, environment: [:]).read(Sample.all)

        #expect(configuration[Sample.listen] == "127.0.0.1:8080")
        #expect(configuration[Sample.idle] == .seconds(30))
        #expect(configuration[Sample.database] == nil)
        #expect(configuration.source(of: Sample.listen) == .standard)
    }

    @Test func `the environment wins over the file, the file over the default`() throws {
        try withFile("workers = 8\nlisten = 0.0.0.0:80\nmax_upload = 1MB\n") { path in
            let environment = ["PICS_LISTEN": "[::1]:81", "PICS_MAX_UPLOAD": ""]

            let configuration = try SettingsReader(prefix: "PICS", file: path, environment: environment)
                .read(Sample.all)

            #expect(configuration[Sample.workers] == 8)
            #expect(configuration.source(of: Sample.workers) == .file(line: 1))
            #expect(configuration[Sample.listen] == "[::1]:81")
            #expect(configuration.source(of: Sample.listen) == .environment("PICS_LISTEN"))
            #expect(configuration[Sample.upload].bytes == 1_000_000)
        }
    }

    @Test func `a secret may come from a file of its own`() throws {
        try withFile("postgres://pics:s3cret@db/pics\n\n") { path in
            let environment = ["PICS_DATABASE_URL_FILE": path]

            let configuration = try SettingsReader(prefix: "PICS", file: nil, environment: environment)
                .read(Sample.all)

            #expect(configuration[Sample.database] == "postgres://pics:s3cret@db/pics")
            #expect(configuration.table().contains("[secret]"))
            #expect(!configuration.table().contains("s3cret"))
        }
    }

    @Test func `all mistakes are reported at once, each with its place`() throws {
        try withFile("lisen = a\nworkers = many\nidle_timeout = 2h\nfoo\n") { path in
            let environment = [
                "PICS_WORKERS": "0", "PICS_LISTNE": "x", "PICS_SERVICE_HOST": "10.0.0.1", "PICS_DATABASE_URL": "a",
                "PICS_DATABASE_URL_FILE": "/nowhere/at/all", "HOME": "/root",
            ]
            let reader = SettingsReader(prefix: "PICS", file: path, environment: environment)

            let mistakes = #expect(throws: SettingsMistakes.self) { try reader.read(Sample.all) }

            #expect(
                mistakes?.description == """
                    \(path):4: this line is not of the form name = value
                    \(path):1: lisen is not a setting; did you mean listen?
                    \(path):2: workers: "many" is not a whole number
                    \(path):3: idle_timeout: "2h" is outside 1s to 10m
                    PICS_WORKERS: workers: "0" is outside 1 to 64
                    PICS_DATABASE_URL: PICS_DATABASE_URL_FILE is set too; keep one
                    PICS_LISTNE: this variable is not a setting; did you mean PICS_LISTEN?
                    """)
        }
    }

    @Test func `an unreadable file is a mistake unless nobody chose it`() throws {
        let chosen = SettingsReader(prefix: "PICS", file: "/nowhere/pics.conf", environment: [:])
        let usual = SettingsReader(
            prefix: "PICS", file: "/nowhere/pics.conf", fileMayBeMissing: true,
            environment: ["PICS_DATABASE_URL_FILE": "/nowhere/secret"])

        let first = #expect(throws: SettingsMistakes.self) { try chosen.read(Sample.all) }
        let second = #expect(throws: SettingsMistakes.self) { try usual.read(Sample.all) }

        #expect(first?.mistakes.map(\.place) == ["/nowhere/pics.conf"])
        #expect(second?.mistakes.map(\.place) == ["PICS_DATABASE_URL_FILE"])
    }

    @Test func `a mistake never shows a secret`() {
        let port = Setting("port", default: Int?.none, isSecret: true, meaning: "A secret number.")
        let reader = SettingsReader(prefix: "PICS", file: nil, environment: ["PICS_PORT": "hunter2"])

        let mistakes = #expect(throws: SettingsMistakes.self) { try reader.read([port]) }

        #expect(mistakes?.description == "PICS_PORT: port: the value is not a whole number")
    }

    @Test func `the generated file explains every setting and decides nothing`() throws {
        let text = generateConfigurationFile([SettingSection("Server", Sample.all)], prefix: "PICS")

        #expect(
            text.contains(
                """
                # How many submissions run at once.
                # A whole number, from 1 to 64, in threads. Environment: PICS_WORKERS.
                #workers = 4
                """))
        #expect(text.contains("Environment: PICS_DATABASE_URL, or PICS_DATABASE_URL_FILE with the name of a file."))
        #expect(ConfigurationFile.parse(text.utf8).lines.isEmpty)
    }

    @Test func `the generated file with all its settings switched on gives the defaults`() throws {
        let text = generateConfigurationFile([SettingSection("Server", Sample.all)], prefix: "PICS")
        let active = text.replacing(/(?m)^#(?=[a-z])/, with: "")

        try withFile(active) { path in
            let configuration = try SettingsReader(prefix: "PICS", file: path, environment: [:]).read(Sample.all)

            #expect(configuration[Sample.listen] == Sample.listen.defaultValue)
            #expect(configuration[Sample.workers] == Sample.workers.defaultValue)
            #expect(configuration[Sample.idle] == Sample.idle.defaultValue)
            #expect(configuration[Sample.upload] == Sample.upload.defaultValue)
            #expect(configuration[Sample.database] == nil)
        }
    }

    @Test func `the table says who decided`() throws {
        let environment = ["PICS_WORKERS": "8"]

        let table = try SettingsReader(prefix: "PICS", file: nil, environment: environment).read(Sample.all).table()

        #expect(
            table == """
                setting       value           decided by
                listen        127.0.0.1:8080  default
                workers       8               environment, PICS_WORKERS
                idle_timeout  30s             default
                max_upload    20MiB           default
                database_url  (none)          default

                """)
    }

    @Test(arguments: [("lisen", "listen"), ("wrokers", "workers"), ("zebra", nil), ("x", nil)] as [(String, String?)])
    func `a near miss is suggested`(typed: String, meant: String?) {
        #expect(Spelling.suggestion(for: typed, among: ["listen", "workers", "idle_timeout"]) == meant)
    }

    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }
}

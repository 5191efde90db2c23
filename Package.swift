// swift-tools-version: 6.2
import PackageDescription

// The arrows of this file are the architecture: C modules < System < tools < Domain < Store, Submitters < Accounts, Webhooks, Webmentions, Push, Notices <
// Actions, Jobs < Authentication < API, Apps, Web < programs.
// `docs/architecture.md` draws them; `script/check` refuses an import that has no arrow here.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function runs where its caller runs: a handler stays on its connection's event loop.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

// Off the hot ways: releases are built for size here.
let small = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

func tool(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil,
    settings: [SwiftSetting] = strict
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = strict) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], fixtures: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: fixtures, swiftSettings: strict)
}

let package = Package(
    name: "pics",
    targets: [
        // C modules: a module map and shim.h, nothing more.
        .systemLibrary(name: "CLinux"),
        // The one with code of its own, and only in debug builds: it ends a process that blocks an event loop.
        .target(name: "CLoopGuard", cSettings: [.define("PICS_GUARDS_LOOPS", .when(configuration: .debug))]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSecp256k1", pkgConfig: "libsecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // vips.pc and gexiv2.pc name flags that SwiftPM refuses; their headers need no more than GObject's.
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CGExiv2", pkgConfig: "gobject-2.0", providers: [.apt(["libgexiv2-dev"])]),

        // Tools: know nothing of Pics; the first is below every other module.
        tool("System", ["CIDN2"]),
        tool("EventLoops", ["System", "CLinux", "CLoopGuard"]),
        tool("Logging", ["System"]),
        tool("Settings", ["System"], settings: small),
        tool("HTTP", ["System"]),
        tool("Crypto", ["EventLoops", "System", "CCrypto", "CSecp256k1", "CLinux"]),
        tool("TLS", ["CTLS", "EventLoops", "System"]),
        tool("HTTPServer", ["EventLoops", "System", "HTTP", "Logging", "TLS", "CLinux", "CNGHTTP2", "CZlib"]),
        tool("Postgres", ["Crypto", "EventLoops", "System", "Logging", "CPostgres"]),
        tool("PostgresCluster", ["Logging", "System"], settings: small),
        tool("Curl", ["EventLoops", "System", "HTTP", "Crypto", "CCurl", "CLinux"]),
        tool("Formats", ["System", "CQRencode", "CZlib", "CExpat"]),
        tool("S3", ["HTTP", "Crypto", "Formats", "System"], settings: small),
        tool("Blobs", ["EventLoops", "System", "Crypto", "HTTP", "S3", "CLinux"]),
        tool("ACME", ["HTTP", "Crypto", "System", "TLS"], settings: small),

        // What Pics is.
        tool("Domain", ["Crypto", "System"]),
        tool("Media", ["Domain", "EventLoops", "System", "Logging", "CLinux"]),
        tool(
            "Imaging",
            ["Domain", "System", "Media", "CLinux", "CSeccomp", "CVips", "CGExiv2", "CZlib", "CArchive"]),
        tool("Imports", ["Domain", "HTTP", "Formats", "System"], settings: small),
        tool("Store", ["Domain", "Postgres", "EventLoops", "System", "Logging"]),
        tool("Submitters", ["Domain", "HTTP", "Crypto", "S3", "EventLoops", "System", "Formats"], settings: small),
        tool("Accounts", ["Domain", "Store", "Submitters", "EventLoops", "System", "HTTP", "Crypto"], settings: small),
        tool("Webhooks", ["Domain", "Store", "EventLoops", "HTTP", "Crypto", "Logging"], settings: small),
        tool("Webmentions", ["Domain", "Store", "EventLoops", "HTTP", "Formats", "Logging"], settings: small),
        tool("Push", ["Domain", "Store", "EventLoops", "System", "HTTP", "Crypto", "Logging"], settings: small),
        tool("Notices", ["Domain", "Store", "Submitters", "HTTP", "Crypto", "Formats", "Logging"], settings: small),
        tool(
            "Jobs",
            [
                "Accounts", "Domain", "Store", "Submitters", "Blobs", "Media", "EventLoops", "System", "HTTP",
                "Crypto",
                "Logging",
            ]),
        tool(
            "Actions",
            [
                "Accounts", "Webhooks", "Push", "Notices", "Domain", "Store", "Submitters", "Imports", "Blobs", "Media",
                "HTTP",
                "EventLoops",
                "System",
                "Crypto",
                "Logging", "Formats",
            ], settings: small),
        tool(
            "Backups", ["Store", "Domain", "Postgres", "Blobs", "Crypto", "EventLoops", "System", "CZlib"],
            settings: small),
        tool("Authentication", ["Domain", "Store", "HTTPServer", "HTTP", "Crypto", "EventLoops"]),
        tool(
            "API",
            [
                "Authentication", "Actions", "Webhooks", "Domain", "Store", "Submitters", "Blobs", "Media",
                "HTTPServer",
                "HTTP",
                "EventLoops", "System", "Crypto", "Logging",
            ]),
        tool(
            "Web",
            [
                "Authentication", "Actions", "Webhooks", "Push", "Notices", "Webmentions", "Domain", "Store",
                "Submitters", "Blobs", "Media",
                "HTTPServer",
                "HTTP",
                "EventLoops", "System",
                "Crypto", "Settings", "Logging", "Formats",
            ], resources: [.embedInCode("Assets")], settings: small),

        tool(
            "Apps",
            [
                "Authentication", "Actions", "Domain", "Store", "Submitters", "Blobs", "Media", "HTTPServer", "HTTP",
                "EventLoops", "System", "Crypto", "Logging", "Formats",
            ]),

        // Programs: wire and parse arguments.
        program(
            "pics",
            [
                "API", "Web", "Apps", "Authentication", "Actions", "Accounts", "Jobs", "Webhooks", "Webmentions",
                "Push", "Notices", "Store", "Backups",
                "Submitters", "Domain", "Formats",
                "HTTPServer", "HTTP", "ACME",
                "Postgres",
                "PostgresCluster",
                "Curl", "Blobs", "S3", "Media", "Crypto", "TLS", "Settings", "Logging", "EventLoops", "System",
                "CLinux",
            ], settings: small),
        program("pics-media", ["Imaging", "Media", "System"]),
        program(
            "pics-bench",
            [
                "Jobs", "Store", "Submitters", "Postgres", "PostgresCluster", "Curl", "Crypto", "Blobs", "Domain",
                "EventLoops", "System",
                "HTTPServer", "HTTP", "Logging", "Media", "TLS",
            ]),

        // Tests, and the stand-ins for foreign services.
        .target(
            name: "Fakes",
            dependencies: ["HTTPServer", "HTTP", "EventLoops", "System", "Crypto", "CCrypto", "Logging"],
            path: "Tests/Fakes",
            swiftSettings: strict),
        .executableTarget(
            name: "fake-services", dependencies: ["Fakes", "Crypto", "Curl", "EventLoops", "HTTP", "Logging"],
            path: "Tests/fake-services",
            swiftSettings: strict),
        .executableTarget(
            name: "forbidden-calls", dependencies: ["CLinux", "Imaging", "Media"], path: "Tests/forbidden-calls",
            swiftSettings: strict),
        .executableTarget(
            name: "address-probe", dependencies: ["Curl", "HTTP", "EventLoops", "System"], path: "Tests/address-probe",
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["EventLoops", "Logging", "Postgres"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "TestTools", dependencies: ["EventLoops", "System"], path: "Tests/TestTools", swiftSettings: strict),
        .target(
            name: "TestPics",
            dependencies: [
                "pics", "pics-media", "Actions", "Webmentions", "Notices", "Jobs", "Store", "Domain", "Postgres",
                "Curl", "HTTP",
                "HTTPServer", "Crypto",
                "EventLoops", "System", "Logging", "Media", "TestSupport", "TestTools",
            ], path: "Tests/TestPics", swiftSettings: strict),
        .target(
            name: "MediaSamples", path: "Tests/MediaSamples",
            // Makes pictures of millions of samples.
            swiftSettings: strict + [.unsafeFlags(["-O"])]),
        tests("SystemTests", ["System", "EventLoops"]),
        tests("EventLoopsTests", ["EventLoops", "CLoopGuard", "TestTools"]),
        tests("SettingsTests", ["Settings"]),
        tests("LoggingTests", ["Logging"]),
        tests("HTTPTests", ["HTTP"]),
        tests("CryptoTests", ["Crypto", "EventLoops"]),
        tests("TLSTests", ["TLS", "CTLS", "EventLoops", "System", "TestTools"]),
        tests(
            "HTTPServerTests",
            ["HTTPServer", "HTTP", "EventLoops", "System", "Logging", "CNGHTTP2", "CZlib", "TestTools"]),
        tests("PostgresTests", ["Postgres", "EventLoops", "Logging", "TestSupport", "TestTools"]),
        tests("PostgresClusterTests", ["PostgresCluster", "System", "Logging", "TestTools"]),
        tests("CurlTests", ["Curl", "Crypto", "HTTP", "HTTPServer", "EventLoops", "System", "Logging", "CLinux"]),
        tests(
            "BlobsTests", ["Blobs", "Crypto", "Curl", "EventLoops", "HTTP", "S3", "System", "Fakes", "TestTools"]),
        tests(
            "BackupsTests",
            [
                "Backups", "Blobs", "S3", "Store", "Domain", "Postgres", "HTTP", "Crypto", "Curl", "EventLoops",
                "System",
                "Fakes", "TestSupport", "TestTools",
            ]),
        tests(
            "MediaTests",
            [
                "Media", "Domain", "EventLoops", "System", "Logging", "MediaSamples", "TestTools",
                "CZlib",
                "pics-media", "forbidden-calls",
            ]),
        tests("DomainTests", ["Domain", "System", "TestTools"]),
        tests(
            "ImportsTests",
            [
                "Imports", "Actions", "Domain", "Store", "Postgres", "Formats", "HTTP", "Crypto", "Media", "EventLoops",
                "System", "CZlib", "MediaSamples", "TestPics", "TestTools",
            ]),
        tests(
            "APITests",
            [
                "API", "Authentication", "Store", "Domain", "Postgres", "HTTPServer", "EventLoops", "TestPics",
                "TestTools", "HTTP",
                "Crypto", "Formats",
            ]),
        tests(
            "AppsTests",
            [
                "Apps", "Authentication", "Actions", "Domain", "Store", "Postgres", "HTTP", "HTTPServer", "Crypto",
                "Media",
                "EventLoops", "MediaSamples", "TestPics", "TestTools",
            ]),
        tests(
            "ActionsTests",
            [
                "Actions", "Domain", "HTTP", "HTTPServer", "Crypto", "Curl", "EventLoops", "System", "Logging",
                "TestTools",
            ],
            fixtures: ["Fixtures"]),
        tests(
            "WebTests",
            [
                "Web", "Domain", "Store", "Submitters", "EventLoops", "System", "HTTP", "HTTPServer", "Postgres",
                "Formats",
                "Fakes",
                "TestPics", "TestTools",
            ]),
        tests("FormatsTests", ["Formats"]),
        tests("ACMETests", ["ACME", "HTTP", "Crypto", "System", "TLS"]),
        tests("FeedTests", ["Web", "Store", "Domain", "HTTP", "Crypto"]),
        tests(
            "StoreTests",
            [
                "Store", "Domain", "Postgres", "Crypto", "EventLoops", "System", "Logging", "TestSupport",
                "TestTools",
            ],
            fixtures: ["Fixtures"]),
        tests(
            "SubmittersTests",
            [
                "Submitters", "S3", "Domain", "HTTP", "Crypto", "Curl", "EventLoops", "Formats", "System", "Fakes",
                "TestTools",
            ],
            fixtures: ["Fixtures"]),
        tests(
            "AccountsTests",
            [
                "Accounts", "Actions", "Logging", "Store", "Submitters", "Domain", "Postgres", "HTTP", "Crypto", "Curl",
                "EventLoops",
                "Fakes",
                "TestSupport", "TestTools",
            ]),
        tests(
            "WebhooksTests",
            [
                "Webhooks", "Actions", "Store", "Domain", "Postgres", "HTTP", "Crypto", "Curl", "EventLoops",
                "Logging", "Fakes", "TestSupport", "TestTools",
            ], fixtures: ["Fixtures"]),
        tests(
            "WebmentionsTests",
            [
                "Webmentions", "Store", "Domain", "Postgres", "HTTP", "Formats", "Curl", "EventLoops", "Logging",
                "TestSupport",
                "TestTools",
            ]),
        tests(
            "PushTests",
            [
                "Push", "Actions", "Store", "Domain", "Postgres", "HTTP", "Crypto", "Curl", "EventLoops", "Logging",
                "Web", "Submitters", "Fakes", "TestSupport", "TestTools",
            ]),
        tests(
            "NoticesTests",
            [
                "Notices", "Actions", "Store", "Domain", "Postgres", "HTTP", "Crypto", "Curl", "EventLoops", "Logging",
                "Formats", "Web", "Submitters", "Fakes", "TestSupport", "TestTools",
            ]),
        tests(
            "JobsTests",
            [
                "Jobs", "Accounts", "Store", "Submitters", "Domain", "Postgres", "Blobs", "Media", "HTTP", "Crypto",
                "EventLoops", "System", "Logging", "pics-media",
                "TestSupport", "TestTools",
            ]),
        tests(
            "EndToEndTests",
            [
                "pics", "pics-bench", "pics-media", "address-probe", "Fakes", "TestPics", "TestSupport", "TestTools",
                "HTTP",
                "Crypto", "Curl", "Formats",
                "EventLoops", "System",
                "Logging",
                "MediaSamples",
                "Postgres",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

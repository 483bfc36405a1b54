// swift-tools-version: 6.2
import PackageDescription

// When the tests are built (KINEMA_CHECKED), an expression outside them that takes the type checker long is a warning, thus an
// error: an older compiler gives up on it. None takes 300 ms (KINEMA_EXPRESSION_LIMIT=300 checks this on a quiet machine); a
// busy one gets a higher limit. Targets with little computation are not optimised then, which saves minutes of compiling.
let isChecked = Context.environment["KINEMA_CHECKED"] != nil
let expressionLimit = Int(Context.environment["KINEMA_EXPRESSION_LIMIT"] ?? "") ?? 1_500
let quickToCheck: [SwiftSetting] =
    isChecked ? [.unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=\(expressionLimit)"])] : []
let unoptimised: [SwiftSetting] = isChecked ? [.unsafeFlags(["-Onone"])] : []

let common: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let house = quickToCheck + common
let littleComputation = house + unoptimised
let tests = common + unoptimised

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// Scripts take the version from git's tag; a plain `swift build` has none.
let builtVersion = Context.environment["KINEMA_VERSION"].flatMap { text in
    text.isEmpty || text.contains { !$0.isASCII || !($0.isLetter || $0.isNumber || ".+-".contains($0)) } ? nil : text
}

let package = Package(
    name: "Kinema",
    products: [
        .library(name: "Kinema", targets: ["Kinema"]),
        .library(name: "KinemaDraw", targets: ["KinemaDraw"]),
        .library(name: "KinemaPorting", targets: ["KinemaPorting"]),
        .library(name: "KinemaToss", targets: ["KinemaToss"]),
        .library(name: "KinemaVN", targets: ["KinemaVN"]),
        .executable(name: "kinema", targets: ["kinema"]),
        .executable(name: "kinema-studio", targets: ["kinema-studio"]),
        // For the package in `Benchmarks`; nothing in it is public.
        .library(name: "KinemaSynth", targets: ["KinemaSynth"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        // The studio's connections with phones, and webhooks: TLS, and the certificate the studio makes.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "3.12.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        // Only `script/docs` uses it.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // System libraries, and libraries loaded at run time.
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSandbox", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CFFmpeg", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "COpenVINO", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSampling"),
        .target(name: "CCountingData"),
        .target(name: "CDemoClip", exclude: ["demo.mp4"]),
        .target(name: "CVersion", cSettings: builtVersion.map { [.define("KINEMA_VERSION", to: "\"\($0)\"")] } ?? []),

        // Kinema's own targets, in the order in which a frame passes them.
        .target(name: "KinemaCore", swiftSettings: house),
        .target(name: "KinemaMedia", dependencies: ["KinemaCore", "CFFmpeg", "CSandbox"], swiftSettings: house),
        // Samples regions of frames for models and image analyses.
        .target(
            name: "KinemaSampling", dependencies: ["KinemaCore", "KinemaMedia", "CSampling"], swiftSettings: house),
        .target(
            name: "KinemaPose", dependencies: ["KinemaCore", "KinemaMedia", "KinemaSampling", "COpenVINO"],
            swiftSettings: house),
        // Needs no model: contours, registration, flying objects.
        .target(
            name: "KinemaImaging", dependencies: ["KinemaCore", "KinemaMedia", "KinemaSampling"], swiftSettings: house),
        .target(
            name: "KinemaVision",
            dependencies: ["KinemaCore", "KinemaMedia", "KinemaSampling", "KinemaPose", "KinemaImaging"],
            swiftSettings: littleComputation),
        // Vision's requests under their older names; `Kinema` does not re-export it.
        .target(
            name: "KinemaVN",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaPorting",
            ],
            swiftSettings: littleComputation),
        // Tracks people over time, and recognises their hand gestures.
        .target(name: "KinemaMotion", dependencies: ["KinemaCore"], swiftSettings: house),
        .target(
            name: "KinemaCounting", dependencies: ["KinemaCore", "KinemaMotion", "CCountingData"],
            // The network, the trees and the built-in exercises are data, not code; CCountingData embeds them.
            exclude: [
                "RepetitionNetwork.txt", "CycleTrees.txt", "SolutionTrees.txt", "Exercises/ExerciseLibrary.json5",
            ], swiftSettings: house),
        .target(name: "KinemaLearning", dependencies: ["KinemaCore", "KinemaMotion"], swiftSettings: house),
        .target(name: "KinemaMeasuring", dependencies: ["KinemaCore", "KinemaMotion"], swiftSettings: house),
        // Pose files: reading, exports, compression.
        .target(
            name: "KinemaFormats",
            dependencies: ["KinemaCore", "KinemaMedia", "KinemaMotion", "KinemaMeasuring", "CZlib"],
            swiftSettings: littleComputation),
        // Only for code ported from Apple's frameworks.
        .target(
            name: "KinemaPorting",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaMotion",
                "KinemaCounting",
                "KinemaLearning",
            ],
            swiftSettings: littleComputation),
        .target(name: "KinemaDraw", dependencies: ["KinemaCore", "CCairo"], swiftSettings: house),
        .target(
            name: "KinemaToss",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaMotion",
                "KinemaLearning",
            ],
            swiftSettings: house),
        .target(
            name: "Kinema",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaMotion",
                "KinemaCounting", "KinemaLearning", "KinemaMeasuring", "KinemaFormats", "KinemaPorting", "KinemaDraw",
                "KinemaToss", "CVersion",
            ],
            swiftSettings: littleComputation),
        .target(name: "KinemaSynth", dependencies: ["KinemaCore", "KinemaDraw", "KinemaMedia"], swiftSettings: house),
        // Requests, responses and sockets with their limits, for the studio and for the metrics of `kinema watch`.
        .target(
            name: "KinemaHTTP",
            dependencies: [
                "KinemaCore", "KinemaFormats", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: littleComputation),
        // Phones as cameras: certificates, TLS, pairing, and what each phone may do.
        .target(
            name: "KinemaPhones",
            dependencies: [
                "KinemaCore", "KinemaHTTP", "CQRCode", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: littleComputation),
        // The sessions that a studio keeps: database, archive, measurements, charts and exports.
        .target(
            name: "KinemaHistory",
            dependencies: [
                "Kinema", "KinemaCore", "KinemaDraw", "KinemaMedia", "KinemaMotion", "KinemaCounting", "KinemaLearning",
                "KinemaHTTP",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: littleComputation),
        .target(
            name: "KinemaStudio",
            dependencies: [
                "Kinema", "KinemaCore", "KinemaDraw", "KinemaMedia", "KinemaMotion", "KinemaCounting", "KinemaLearning",
                "KinemaPose", "KinemaToss", "KinemaHTTP", "KinemaHistory", "KinemaPhones",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            resources: [.copy("Page")], swiftSettings: littleComputation),
        // What `kinema watch` sends and reports; its metrics use the studio's HTTP server.
        .target(
            name: "KinemaWatch",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaHTTP", "CMosquitto",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: littleComputation),
        .target(
            name: "KinemaCommands", dependencies: ["Kinema", "KinemaDraw", "KinemaToss", "CDemoClip", argumentParser],
            swiftSettings: littleComputation),
        // Commands that need a server or a database; `kinema` alone builds neither.
        .target(
            name: "KinemaStudioCommands",
            dependencies: [
                "Kinema", "KinemaCommands", "KinemaHTTP", "KinemaHistory", "KinemaPhones", "KinemaStudio",
                "KinemaSynth",
                "KinemaToss", "KinemaWatch", argumentParser,
                "Yams",
            ],
            swiftSettings: littleComputation),
        // Its folder has another name: on a case-insensitive file system, "kinema" is "Kinema".
        .executableTarget(
            name: "kinema", dependencies: ["KinemaCommands"], path: "Sources/KinemaMain",
            swiftSettings: littleComputation),
        .executableTarget(
            name: "kinema-studio", dependencies: ["KinemaCommands", "KinemaStudioCommands"],
            path: "Sources/KinemaStudioMain", swiftSettings: littleComputation),

        // The program of the measuring scripts. It uses internal symbols, so it is built here, with the same optimisation.
        .executableTarget(
            name: "kinema-bench",
            dependencies: ["Kinema", "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaVision", argumentParser],
            path: "Benchmarks/KinemaBench", swiftSettings: littleComputation),

        // Examples of your own programs.
        .executableTarget(
            name: "CountMyActions",
            dependencies: [
                "Kinema", "KinemaDraw", "KinemaSynth",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Examples/CountMyActions", swiftSettings: littleComputation),
        .executableTarget(
            name: "AirDrawing", dependencies: ["Kinema", "KinemaDraw"], path: "Examples/AirDrawing",
            swiftSettings: littleComputation),
        .executableTarget(
            name: "BeanBagToss", dependencies: ["Kinema", "KinemaDraw"], path: "Examples/BeanBagToss",
            swiftSettings: littleComputation),

        // Shared by all test targets: where the shared data is, images of frames, comparisons of numbers.
        .target(
            name: "KinemaTestSupport", dependencies: ["Kinema", "KinemaMedia", "KinemaSynth"],
            path: "Tests/KinemaTestSupport",
            swiftSettings: tests),
        .testTarget(
            name: "KinemaCoreTests", dependencies: ["KinemaCore", "KinemaTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "KinemaMediaTests", dependencies: ["KinemaMedia", "KinemaTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "KinemaVisionTests",
            dependencies: [
                "KinemaSampling", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaSynth", "KinemaTestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "KinemaMotionTests",
            dependencies: [
                "KinemaMotion", "KinemaCounting", "KinemaLearning", "KinemaMeasuring", "KinemaPorting",
                "KinemaTestSupport",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ], swiftSettings: tests),
        .testTarget(
            name: "KinemaDrawTests", dependencies: ["KinemaDraw", "KinemaTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "KinemaTossTests", dependencies: ["KinemaToss", "KinemaSynth", "KinemaTestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "KinemaTests",
            dependencies: ["Kinema", "KinemaDraw", "KinemaSynth", "KinemaTestSupport", "KinemaToss"],
            swiftSettings: tests),
        .testTarget(
            name: "KinemaStudioTests",
            dependencies: [
                "KinemaHTTP", "KinemaHistory", "KinemaPhones", "KinemaStudio", "KinemaSynth", "KinemaTestSupport",
                "KinemaWatch",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "KinemaSynthTests", dependencies: ["KinemaSynth", "KinemaTestSupport"], swiftSettings: tests),
        // Code written for Create ML Components, with only the import changed: in the language mode of its time, without this
        // package's settings.
        .target(
            name: "PortingSamples",
            dependencies: [
                "Kinema", "KinemaDraw", "KinemaVN",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Tests/PortingSamples", swiftSettings: [.swiftLanguageMode(.v5)] + unoptimised),
        .testTarget(
            name: "PortingTests",
            dependencies: [
                "AirDrawing", "BeanBagToss", "CountMyActions", "Kinema", "KinemaDraw", "KinemaSynth",
                "KinemaTestSupport", "KinemaVN", "PortingSamples",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ], swiftSettings: unoptimised),
        // The commands are built before their tests run them as processes.
        .testTarget(
            name: "KinemaCommandsTests",
            dependencies: [
                "KinemaCommands", "KinemaStudioCommands", "kinema", "kinema-studio", "KinemaDraw", "KinemaMedia",
                "KinemaHistory", "KinemaStudio", "KinemaSynth", "KinemaTestSupport", "KinemaWatch",
            ],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzing harness, only for `script/fuzz`: it needs libFuzzer, so no ordinary build may include it.
if Context.environment["KINEMA_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "KinemaFuzz",
            dependencies: [
                "Kinema", "KinemaCommands", "KinemaStudioCommands", "KinemaCore", "KinemaCounting", "KinemaDraw",
                "KinemaFormats",
                "KinemaLearning",
                "KinemaHistory", "KinemaMedia", "KinemaMotion", "KinemaPose", "KinemaStudio",
                "KinemaSynth", "KinemaVision", argumentParser,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Fuzzing/KinemaFuzz", swiftSettings: house))
}

// A build with a sanitizer takes long, so `script/sanitize` names the test targets it needs.
if let wanted = Context.environment["KINEMA_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

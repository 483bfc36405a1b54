// swift-tools-version: 6.2
import PackageDescription

// Where the tests are built (KINEMA_CHECKED), an expression outside them that takes the type checker long is a warning, thus
// an error: an older compiler gives up on it. None takes 300 ms (KINEMA_EXPRESSION_LIMIT=300 shows it on a quiet machine); a
// busy one is allowed more. What hardly computes is not optimised there, because that takes the compiler minutes.
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
let hardlyComputes = house + unoptimised
let tests = common + unoptimised

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// The version that scripts take from git's tag; a plain `swift build` knows none.
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
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        // Only `script/docs` uses it.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // The system libraries, and those that are loaded late.
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSandbox", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(name: "CFFmpeg", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "COpenVINO", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSampling"),
        .target(name: "CCountingData"),
        .target(name: "CDemoClip", exclude: ["demo.mp4"]),
        .target(name: "CVersion", cSettings: builtVersion.map { [.define("KINEMA_VERSION", to: "\"\($0)\"")] } ?? []),

        // The house, in the order a frame walks through it.
        .target(name: "KinemaCore", swiftSettings: house),
        .target(name: "KinemaMedia", dependencies: ["KinemaCore", "CFFmpeg", "CSandbox"], swiftSettings: house),
        // The pixels of a frame's parts, as models and pictures' analyses want them.
        .target(
            name: "KinemaSampling", dependencies: ["KinemaCore", "KinemaMedia", "CSampling"], swiftSettings: house),
        .target(
            name: "KinemaPose", dependencies: ["KinemaCore", "KinemaMedia", "KinemaSampling", "COpenVINO"],
            swiftSettings: house),
        // What needs no model: contours, registration, flying objects.
        .target(
            name: "KinemaImaging", dependencies: ["KinemaCore", "KinemaMedia", "KinemaSampling"], swiftSettings: house),
        .target(
            name: "KinemaVision",
            dependencies: ["KinemaCore", "KinemaMedia", "KinemaSampling", "KinemaPose", "KinemaImaging"],
            swiftSettings: hardlyComputes),
        // Vision's requests under their older names; `Kinema` does not bring it along.
        .target(
            name: "KinemaVN",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaPorting",
            ],
            swiftSettings: hardlyComputes),
        // What follows people over time, and the gestures of their hands.
        .target(name: "KinemaMotion", dependencies: ["KinemaCore"], swiftSettings: house),
        .target(
            name: "KinemaCounting", dependencies: ["KinemaCore", "KinemaMotion", "CCountingData"],
            // The network, the trees and the built-in exercises are data, not code; CCountingData embeds them.
            exclude: [
                "RepetitionNetwork.txt", "CycleTrees.txt", "SolutionTrees.txt", "Exercises/ExerciseLibrary.json5",
            ], swiftSettings: house),
        .target(name: "KinemaLearning", dependencies: ["KinemaCore", "KinemaMotion"], swiftSettings: house),
        .target(name: "KinemaMeasuring", dependencies: ["KinemaCore", "KinemaMotion"], swiftSettings: house),
        // Poses in files: read, exported, packed.
        .target(
            name: "KinemaFormats",
            dependencies: ["KinemaCore", "KinemaMedia", "KinemaMotion", "KinemaMeasuring", "CZlib"],
            swiftSettings: hardlyComputes),
        // What only code written for Apple's frameworks needs.
        .target(
            name: "KinemaPorting",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaImaging", "KinemaVision", "KinemaMotion",
                "KinemaCounting",
                "KinemaLearning",
            ],
            swiftSettings: hardlyComputes),
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
            swiftSettings: hardlyComputes),
        .target(name: "KinemaSynth", dependencies: ["KinemaCore", "KinemaDraw", "KinemaMedia"], swiftSettings: house),
        // Requests, answers and sockets with their limits; for the studio, and for the metrics of a watch.
        .target(
            name: "KinemaHTTP",
            dependencies: [
                "KinemaCore", "KinemaFormats", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: hardlyComputes),
        .target(
            name: "KinemaStudio",
            dependencies: [
                "Kinema", "KinemaCore", "KinemaDraw", "KinemaMedia", "KinemaMotion", "KinemaCounting", "KinemaLearning",
                "KinemaPose", "KinemaToss", "KinemaHTTP",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            resources: [.copy("Page")], swiftSettings: hardlyComputes),
        // What a watch sends and reports; the server of metrics is on the studio's transport.
        .target(
            name: "KinemaWatch",
            dependencies: [
                "KinemaCore", "KinemaMedia", "KinemaHTTP", "CMosquitto",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: hardlyComputes),
        .target(
            name: "KinemaCommands", dependencies: ["Kinema", "KinemaDraw", "KinemaToss", "CDemoClip", argumentParser],
            swiftSettings: hardlyComputes),
        // Commands that need a server or a database, so that who only analyses builds neither.
        .target(
            name: "KinemaStudioCommands",
            dependencies: [
                "Kinema", "KinemaCommands", "KinemaHTTP", "KinemaStudio", "KinemaSynth", "KinemaToss", "KinemaWatch",
                argumentParser,
                "Yams",
            ],
            swiftSettings: hardlyComputes),
        // In a folder of its own name: on a file system that ignores case, "kinema" is "Kinema".
        .executableTarget(
            name: "kinema", dependencies: ["KinemaCommands"], path: "Sources/KinemaMain",
            swiftSettings: hardlyComputes),
        .executableTarget(
            name: "kinema-studio", dependencies: ["KinemaCommands", "KinemaStudioCommands"],
            path: "Sources/KinemaStudioMain", swiftSettings: hardlyComputes),

        // What the measuring scripts run; it needs what is not public, so it is built here, with the same optimisation.
        .executableTarget(
            name: "kinema-bench",
            dependencies: ["Kinema", "KinemaCore", "KinemaMedia", "KinemaPose", "KinemaVision", argumentParser],
            path: "Benchmarks/KinemaBench", swiftSettings: hardlyComputes),

        // What programs of one's own look like.
        .executableTarget(
            name: "CountMyActions",
            dependencies: [
                "Kinema", "KinemaDraw", "KinemaSynth",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Examples/CountMyActions", swiftSettings: hardlyComputes),
        .executableTarget(
            name: "AirDrawing", dependencies: ["Kinema", "KinemaDraw"], path: "Examples/AirDrawing",
            swiftSettings: hardlyComputes),
        .executableTarget(
            name: "BeanBagToss", dependencies: ["Kinema", "KinemaDraw"], path: "Examples/BeanBagToss",
            swiftSettings: hardlyComputes),

        // What every test target shares: where the shared data lies, pictures of frames, comparing numbers.
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
                "KinemaHTTP", "KinemaStudio", "KinemaSynth", "KinemaTestSupport", "KinemaWatch",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "KinemaSynthTests", dependencies: ["KinemaSynth", "KinemaTestSupport"], swiftSettings: tests),
        // Code as users of Create ML Components write it, with nothing but the import changed: in the language mode of
        // their day, without the house's settings.
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
        // The command itself, so that it is built before its tests run it as a process.
        .testTarget(
            name: "KinemaCommandsTests",
            dependencies: [
                "KinemaCommands", "KinemaStudioCommands", "kinema", "kinema-studio", "KinemaDraw", "KinemaMedia",
                "KinemaStudio", "KinemaSynth", "KinemaTestSupport", "KinemaWatch",
            ],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzing harness, which only `script/fuzz` builds: it needs libFuzzer, so no ordinary build may see it.
if Context.environment["KINEMA_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "KinemaFuzz",
            dependencies: [
                "Kinema", "KinemaCommands", "KinemaStudioCommands", "KinemaCore", "KinemaCounting", "KinemaDraw",
                "KinemaFormats",
                "KinemaLearning",
                "KinemaMedia", "KinemaMotion", "KinemaPose", "KinemaStudio",
                "KinemaSynth", "KinemaVision", argumentParser,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Fuzzing/KinemaFuzz", swiftSettings: house))
}

// A build with a sanitizer takes long, so `script/sanitize` names the test targets it wants.
if let wanted = Context.environment["KINEMA_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

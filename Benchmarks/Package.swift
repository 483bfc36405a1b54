// swift-tools-version: 6.1
import PackageDescription

// What each stage costs. A package of its own, so that Kinema itself needs no library for measuring; `script/benchmarks`
// builds it with testing enabled, since most stages are not public.
let package = Package(
    name: "KinemaBenchmarks",
    dependencies: [
        .package(name: "Kinema", path: ".."),
        .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    ],
    targets: [
        .executableTarget(
            name: "KinemaBenchmarks",
            dependencies: [
                .product(name: "Kinema", package: "Kinema"),
                .product(name: "KinemaSynth", package: "Kinema"),
                .product(name: "Benchmark", package: "swift-benchmark"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

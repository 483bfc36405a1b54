// swift-tools-version: 6.2
import PackageDescription

// The cost of each stage. A separate package, so that Kinema needs no benchmark library; `script/benchmarks` builds it
// with testing enabled, since most stages are not public.
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

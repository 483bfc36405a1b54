// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that Kinema itself does not depend on OpenCombine.
let package = Package(
    name: "ObservedCoach",
    dependencies: [
        .package(name: "Kinema", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .executableTarget(
            name: "ObservedCoach",
            dependencies: [
                .product(name: "Kinema", package: "Kinema"), .product(name: "OpenCombine", package: "OpenCombine"),
            ], swiftSettings: [.swiftLanguageMode(.v5)])
    ]
)

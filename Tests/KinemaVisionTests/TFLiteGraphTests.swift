@testable import KinemaPose
import Foundation
import KinemaCore
import Testing

/// Cutting outputs from the published models, and from files that are none.
struct TFLiteGraphTests {
    private let bytes: [UInt8]
    private let names: Set<String>

    init() throws {
        let model = ModelCatalogue.bodyLandmarks
        bytes = [UInt8](try Data(contentsOf: ModelStore.file(of: model)))
        names = Set(model.outputs.map(\.name))
    }

    private func cut(_ bytes: [UInt8], _ names: Set<String>) throws -> [UInt8] {
        try TFLiteGraph(bytes, file: "model.tflite").keeping(outputs: names)
    }

    private func expectDamaged(_ bytes: [UInt8], _ names: Set<String>, _ comment: Comment) {
        let error = #expect(throws: KinemaError.self, comment) { try cut(bytes, names) }
        #expect(error?.code == .missingComponent && error?.description.contains("script/bootstrap") == true)
    }

    @Test func `the outputs asked for are left`() throws {
        let kept = try cut(bytes, names)
        #expect(kept.count == bytes.count && kept != bytes)
        #expect(try cut(kept, names) == kept)
        #expect(try cut(bytes, ["Identity_1"]) != kept)
        // The mask is gone.
        expectDamaged(kept, ["Identity_2"], "the mask")
    }

    @Test func `unknown outputs are refused`() {
        expectDamaged(bytes, ["Identity", "Nonsense"], "a name that is not there")
    }

    @Test func `truncated files are refused`() {
        for count in [0, 1, 3, 4, 7, 8, 20, 64, 1000, 100_000] {
            expectDamaged(Array(bytes.prefix(count)), names, "\(count) bytes")
        }
    }

    @Test func `random bytes are refused`() {
        expectDamaged([UInt8](repeating: 0, count: 4096), names, "zeros")
        expectDamaged([UInt8](repeating: 255, count: 4096), names, "ones")
        var state: UInt64 = 5
        for round in 0..<200 {
            let noise = (0..<512).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33) & 0x1F
            }
            expectDamaged(noise, names, "round \(round)")
        }
    }
}

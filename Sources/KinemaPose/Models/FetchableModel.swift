/// A model that `kinema models fetch` can install: its description, and where its files are published.
package struct FetchableModel: Sendable {
    package struct File: Sendable, Hashable {
        package let name: String
        /// The https address, at one commit of the publisher's repository.
        package let address: String
        package let sha256: String
        package let byteCount: Int
    }

    package let manifest: ModelManifest
    package let files: [File]
    /// The measured accuracy, with its source.
    package let accuracy: String

    package var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }

    /// The top-down model that `--model auto` uses for crowds.
    package static var forCrowds: String { tinyPose.manifest.name }

    package static func named(_ name: String) -> FetchableModel? { all.first { $0.manifest.name == name } }

    /// All models that can be fetched, identified by their hashes. Users describe other models in a `model.json`.
    package static let all = [picoDet, tinyPose, rtmDet]

    private static let pair = "github.com/guojin-yan/Csharp_and_OpenVINO_deploy_PP-TinyPose"
    private static let pairCommit = "0f6a4845d37b5b16edacbb76f1b1debb39e28a11"

    private static func pairAddress(_ path: String) -> String {
        "https://raw.githubusercontent.com/guojin-yan/Csharp_and_OpenVINO_deploy_PP-TinyPose/\(pairCommit)/model/\(path)"
    }

    private static let picoDet = FetchableModel(
        manifest: manifest(
            "picodet-s-320", "picodet_s_320_lcnet_pedestrian.xml", .picodet, size: (320, 320),
            origin: "PaddleDetection, Baidu; converted by \(pair)",
            sha256: "f71c0e474a93ad52981dd2c098bf58cd3e9026afe780068ec679dc4d2c8a3ded"),
        files: [
            File(
                name: "picodet_s_320_lcnet_pedestrian.xml",
                address: pairAddress("picodet_v2_s_320_pedestrian/ir_fp16/picodet_s_320_lcnet_pedestrian.xml"),
                sha256: "fc69d950abc656f657e59874e2466f82da5370166c975367fa83b1f4f72c92da", byteCount: 674_659),
            File(
                name: "picodet_s_320_lcnet_pedestrian.bin",
                address: pairAddress("picodet_v2_s_320_pedestrian/ir_fp16/picodet_s_320_lcnet_pedestrian.bin"),
                sha256: "f3b8b2de41f9b34c05f10bd4640f9dd66f4ec191be3740b261183eaff9e554d2", byteCount: 2_292_314),
        ],
        accuracy: "0.416 AP of people's boxes on COCO (PaddleDetection, configs/keypoint/tiny_pose/README.md)")

    private static let tinyPose = FetchableModel(
        manifest: manifest(
            "tinypose-256x192", "model.xml", .heatmap, size: (192, 256), detector: "picodet-s-320",
            origin: "PaddleDetection, Baidu; converted by \(pair)",
            sha256: "7af922cd0efed862b86b1118676abcc44220fedc037584dbd6dc73fc28a5e9ee"),
        files: [
            File(
                name: "model.xml", address: pairAddress("tinypose_256_192/ir_fp16/model.xml"),
                sha256: "71990905e8ee8de250c57c4d52a6bb25028fecb7f3fc35d43707febefa45ba14", byteCount: 1_470_698),
            File(
                name: "model.bin", address: pairAddress("tinypose_256_192/ir_fp16/model.bin"),
                sha256: "b16cdb387b96f431c4e0052a8f1c5344bb5cc7c71cc14e245be260624968e462", byteCount: 2_600_722),
        ], accuracy: "with picodet-s-320 0.552 AP on 65 COCO images (script/coco)")

    private static let rtmDet = FetchableModel(
        manifest: manifest(
            "rtmdet-nano", "rtmdet_nano.onnx", .rtmdet, size: (320, 320),
            origin: "OpenMMLab; converted by github.com/zli20/RtmDet-RtmPose-OnnxRuntime",
            sha256: "4720eda18a18402e7b76d85827d4bc60fba18111fc0b74b559e4d24da9ddc3d2"),
        files: [
            File(
                name: "rtmdet_nano.onnx",
                address: "https://raw.githubusercontent.com/zli20/RtmDet-RtmPose-OnnxRuntime/"
                    + "f7cb01b156d0ddce64ea09dfd24e450103782db9/models/rtmdet_nano.onnx",
                sha256: "4720eda18a18402e7b76d85827d4bc60fba18111fc0b74b559e4d24da9ddc3d2", byteCount: 4_038_157)
        ],
        accuracy:
            "0.403 AP of people's boxes on COCO (OpenMMLab, mmpose, projects/rtmpose/README.md); not measured "
            + "with this conversion")

    private static func manifest(
        _ name: String, _ file: String, _ decoder: ModelDecoder, size: (width: Int, height: Int),
        detector: String? = nil, origin: String, sha256: String
    ) -> ModelManifest {
        var manifest = ModelManifest(name: name, file: file, decoder: decoder)
        (manifest.input.width, manifest.input.height) = size
        (manifest.detector, manifest.origin, manifest.sha256) = (detector, origin, sha256)
        // With this pair, 0.02 more average precision than with the usual padding.
        if decoder == .heatmap { manifest.input.padding = 1.1 }
        // The conversions state no licence; this is the original's.
        manifest.licence = "Apache-2.0"
        return manifest
    }
}

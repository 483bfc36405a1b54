/// What the outputs of a model mean: the published layouts that Kinema knows.
public enum ModelDecoder: String, Sendable, Hashable, Codable, CaseIterable {
    /// PicoDet (Yu et al. 2021): decoded boxes [1, N, 4] and scores [1, classes, N].
    case picodet
    /// RTMDet (Lyu et al. 2022) and YOLOX with suppression inside the graph: [1, N, 5] as box and score, labels [1, N].
    case rtmdet
    /// YOLOX (Ge et al. 2021): [1, N, 5 + classes] before the grids of strides 8, 16 and 32 are applied.
    case yolox
    /// Heat maps [1, joints, rows, columns]: HRNet, ViTPose, PP-TinyPose.
    case heatmap
    /// SimCC (Li et al. 2022), as in RTMPose: a row of columns and a row of rows for each joint.
    case simcc
    /// RTMO (Lu et al. 2024) with suppression inside the graph: [1, N, 5] as box and score, joints [1, N, joints, 3].
    case rtmo
    /// The pose layout of YOLOv8 and YOLO11: [1, 5 + 3 joints, N].
    case yoloPose = "yolo-pose"
    /// MoveNet for one person: [1, 1, 17, 3] as y, x, score.
    case movenet
    /// MoveNet for several people: [1, 6, 56].
    case movenetMulti = "movenet-multi"
    /// PoseNet (Papandreou et al. 2018): heat maps, offsets and displacements, TensorFlow Lite only.
    case posenet

    /// What models with this decoder do.
    public var kind: ModelManifest.Kind {
        switch self {
        case .picodet, .rtmdet, .yolox: .detector
        case .heatmap, .simcc: .topDown
        case .rtmo, .yoloPose, .movenet, .movenetMulti, .posenet: .oneStage
        }
    }

    /// ImageNet's mean and standard deviation in levels of 255, red first.
    private static let imageNet: (mean: [Float], deviation: [Float]) = (
        [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
    )

    /// How the makers' own programs prepare the input.
    var usualInput: ModelManifest.Input {
        var input = ModelManifest.Input()
        switch self {
        case .picodet:
            (input.mean, input.scale) = Self.imageNet
        case .heatmap, .simcc:
            (input.mean, input.scale) = Self.imageNet
            input.fit = .crop
        case .rtmdet:
            (input.mean, input.scale) = (Self.imageNet.mean.reversed(), Self.imageNet.deviation.reversed())
            (input.channels, input.fit, input.border) = (.bgr, .corner, 114)
        case .yolox, .rtmo:
            (input.channels, input.fit, input.border) = (.bgr, .corner, 114)
        case .yoloPose:
            (input.scale, input.fit, input.border) = ([255], .letterbox, 114)
        case .movenet, .movenetMulti:
            input.fit = .letterbox
        case .posenet:
            (input.mean, input.scale) = ([127.5], [127.5])
        }
        return input
    }

    /// The width and height to use for a model that takes any size.
    var usualSize: (width: Int, height: Int) {
        switch self {
        case .heatmap, .simcc: (192, 256)
        case .movenet: (192, 192)
        case .movenetMulti: (256, 256)
        case .picodet, .rtmdet: (320, 320)
        case .yolox: (416, 416)
        case .rtmo, .yoloPose: (640, 640)
        case .posenet: (257, 257)
        }
    }
}

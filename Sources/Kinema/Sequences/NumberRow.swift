import KinemaMotion

/// The layout of a frame's numbers: the order of joints, and the numbers per joint.
struct NumberRow {
    let order: JointOrder
    /// The count of numbers per joint: x, y; with confidence; or MediaPipe's x, y, z, visibility and perhaps presence.
    private let each: Int
    private(set) var frameAxis = 0

    var width: Int { order.count * each }

    /// The layout of `count` numbers a frame; nil if no order has that many.
    init?(_ count: Int, of subject: ActionSubject) {
        for each in [3, 2, 4, 5] where count % each == 0 {
            guard let order = JointOrder(joints: count / each, of: subject) else { continue }
            guard each < 4 || order == .blazePose33 else { continue }
            (self.order, self.each) = (order, each)
            return
        }
        return nil
    }

    /// The layout of an array of this shape: frames x joints x numbers, or frames x numbers, without axes of size 1.
    init?(_ shape: [Int], of subject: ActionSubject) {
        guard shape.count > 1, let last = shape.last else { return nil }
        let joints = shape[shape.count - 2]
        if shape.count > 2, (2...5).contains(last), JointOrder(joints: joints, of: subject) != nil {
            self.init(joints * last, of: subject)
        } else {
            self.init(last, of: subject)
        }
        // Shapes such as 12 x 25 x 3, where 25 x 3 is a frame and 12 is the number of frames.
        let rest = shape.dropLast(order.count * each == last ? 1 : 2)
        guard rest.count(where: { $0 != 1 }) <= 1 else { return nil }
        frameAxis = rest.firstIndex { $0 != 1 } ?? 0
    }

    static func known(of subject: ActionSubject) -> String {
        subject == .hand ? "21 x 3 or 2" : "33, 26, 25, 18 or 17 x 3 or 2, or 33 x 4 of MediaPipe,"
    }

    /// The joints of a frame's numbers, each with a confidence or another third number.
    func row(_ values: [Float]) -> FileJoints {
        // A frame of zeros contains nobody.
        let confidence: Float = values.allSatisfy { $0 == 0 || $0.isNaN } ? 0 : 1
        let points = stride(from: 0, to: values.count, by: each).map {
            SIMD3(values[$0], values[$0 + 1], each == 2 ? confidence : values[$0 + (each == 3 ? 2 : 3)])
        }
        return FileJoints(order: order, points: points, hasThird: each == 3)
    }
}

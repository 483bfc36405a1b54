import KinemaCore

/// In which order a file of bare numbers lists the joints, and how its rows become those of OpenPose's 18.
enum JointTable {
    /// OpenPose's BODY_25.
    case body25
    /// OpenPose's COCO model with 18 joints.
    case openPose18
    /// COCO's own 17 joints, which lack the neck.
    case coco17

    /// The table with that many joints.
    init?(joints: Int) {
        switch joints {
        case 25: self = .body25
        case 18: self = .openPose18
        case 17: self = .coco17
        default: return nil
        }
    }

    /// How many joints a row has.
    var count: Int {
        switch self {
        case .body25: 25
        case .openPose18: 18
        case .coco17: 17
        }
    }

    /// For each of OpenPose's 18 the place in this table; the neck of COCO is the middle of its shoulders.
    private var places: [Int] {
        switch self {
        case .body25: [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]
        case .openPose18: Array(0..<18)
        case .coco17: [0, -1, 6, 8, 10, 5, 7, 9, 12, 14, 16, 11, 13, 15, 2, 1, 4, 3]
        }
    }

    /// A frame of x, y (downwards, as in pictures) and confidence as one of OpenPose's 18 with y upwards.
    func bodyFrame(_ row: ArraySlice<Float>) -> [Float] {
        func joint(_ place: Int) -> [Float] {
            let start = row.startIndex + place * 3
            return [row[start], -row[start + 1], row[start + 2]]
        }
        return places.flatMap { place -> [Float] in
            guard place < 0 else { return joint(place) }
            let (left, right) = (joint(5), joint(6))
            return [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2, min(left[2], right[2])]
        }
    }
}

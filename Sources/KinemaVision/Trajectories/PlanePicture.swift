/// One plane of a frame made small, as it is stored: row 0 is the stored picture's first row.
struct PlanePicture: Sendable {
    /// What a plane tells.
    enum Plane: Sendable {
        case luma
        /// How much bluer, or redder, than grey; 128 is grey.
        case blue, red
    }

    let width: Int
    let height: Int
    var pixels: [UInt8]
}

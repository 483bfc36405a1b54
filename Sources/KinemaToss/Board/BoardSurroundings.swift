import Foundation
import KinemaCore

/// The board and the ground around it in one frame, reduced to small cells; shows where bags come to rest.
struct BoardSurroundings: Sendable {
    /// The part of the picture it covers: normalised, origin at the lower left.
    let region: CGRect
    let grid: ColorGrid

    /// Crops the surroundings of a board from a picture: about a board's length to each side.
    init(of board: TossBoardObservation, in bitmap: Bitmap) {
        let box = board.box
        let aspectRatio = Double(bitmap.width) / Double(bitmap.height)
        let reach = board.edgeLength(aspectRatio: aspectRatio)
        let wanted = box.insetBy(dx: -1.1 * reach / aspectRatio, dy: -0.45 * reach)
        let left = min(max(Int(wanted.minX * Double(bitmap.width)), 0), bitmap.width - 2)
        let right = min(max(Int(wanted.maxX * Double(bitmap.width)), left + 2), bitmap.width)
        let top = min(max(Int((1 - wanted.maxY) * Double(bitmap.height)), 0), bitmap.height - 2)
        let bottom = min(max(Int((1 - wanted.minY) * Double(bitmap.height)), top + 2), bitmap.height)
        let grid = ColorGrid(bitmap, columns: left..<right, rows: top..<bottom, side: 2)
        // A last odd row or column fills no cell.
        let (width, height) = (Double(grid.columns * 2), Double(grid.rows * 2))
        region = CGRect(
            x: Double(left) / Double(bitmap.width), y: 1 - (Double(top) + height) / Double(bitmap.height),
            width: width / Double(bitmap.width), height: height / Double(bitmap.height))
        self.grid = grid
    }

    /// The centroid of a blob in the whole picture: normalised, origin at the lower left.
    func location(of blob: CellBlob) -> CGPoint {
        CGPoint(x: region.minX + blob.x * region.width, y: region.minY + (1 - blob.y) * region.height)
    }
}

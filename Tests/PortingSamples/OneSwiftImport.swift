import Kinema

// Code that imports Vision and nothing else, with its Swift API.

/// The tile of a grid of 3 by 5 that each wrist is on, counted from the upper left.
struct TileGame {
    let size: CGSize

    func tiles(in preview: CIImage) async throws -> [UUID: [Int]] {
        let people = try await DetectHumanBodyPoseRequest().perform(on: preview)
        var tiles: [UUID: [Int]] = [:]
        for person in people {
            let wrists: [Kinema.Joint?] = [person.joint(for: .leftWrist), person.allJoints()[.rightWrist]]
            let places = wrists.compactMap { $0?.location.toImageCoordinates(size, origin: .upperLeft) }
            tiles[person.uuid] = places.map { place in
                let (column, row) = (Int(place.x / (size.width / 3)), Int(place.y / (size.height / 5)))
                return column + 3 * row
            }
        }
        return tiles
    }
}

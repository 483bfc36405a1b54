import Kinema

// Code that imports Vision and nothing else, with its Swift API.

/// The tile of a grid of 3 by 5 that each wrist is on, counted from the upper left.
struct TileGame {
    let size: CGSize

    func tiles(in preview: CIImage) async throws -> [UUID: [Int]] {
        let people = try await DetectHumanBodyPoseRequest().perform(on: preview)
        return people.reduce(into: [:]) { tiles, person in
            let wrists: [Kinema.Joint?] = [person.joint(for: .leftWrist), person.allJoints()[.rightWrist]]
            tiles[person.uuid] = wrists.compactMap { $0?.location.toImageCoordinates(size, origin: .upperLeft) }
                .map { Int($0.x / (size.width / 3)) + 3 * Int($0.y / (size.height / 5)) }
        }
    }
}

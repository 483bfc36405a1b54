import Foundation
import KinemaCore
import Testing

@testable import KinemaDraw

@Suite struct OverlayTests {
    let grey = Bitmap(width: 640, height: 480, red: 90, green: 90, blue: 90)
    let box = CGRect(x: 0.3, y: 0.1, width: 0.3, height: 0.8)

    @Test func `every bone of vision is drawn in the persons colour`() throws {
        let pose = standingPose(in: box, id: 2)
        var picture = grey
        try OverlayRenderer().draw([.skeletons([pose])], on: &picture)
        try picture.show("overlay-one")
        #expect(Skeleton.segments.count == 12)
        for bone in Skeleton.segments {
            #expect(picture.shows(.person(2), at: middle(of: pose, bone.from, bone.to, in: picture)), "\(bone)")
        }
    }

    @Test func `a measured angle has an arc between its lines, the floor a line, a step its length`() throws {
        var picture = grey
        let knee: MeasureOverlay.Angle = (
            "right", 90, CGPoint(x: 0.5, y: 0.5), CGPoint(x: 0.5, y: 0.2), CGPoint(x: 0.7, y: 0.5)
        )
        let mark: MeasureOverlay.Mark = (CGPoint(x: 0.2, y: 0.1), "left", "0.71 m")
        let overlay = MeasureOverlay(
            [knee], floor: [CGPoint(x: 0, y: 0.1), CGPoint(x: 1, y: 0.1)], marks: [mark])
        try OverlayRenderer().draw([.measure(overlay)], on: &picture)
        try picture.show("overlay-measure")
        // The arc lies below and right of the joint, nothing above and left of it.
        #expect(picture[320 + 15, 240 + 15] != grey[0, 0] && picture[320 - 15, 240 - 15] == grey[0, 0])
        #expect(picture.shows(Color.people[0], at: (128, 437)), "the contact is in the colour of its side")
        #expect(picture[4, 432] != grey[0, 0], "the floor")
    }

    @Test func `nothing is drawn away from the person`() throws {
        var picture = grey
        try OverlayRenderer().draw([.skeletons([standingPose(in: box)])], on: &picture)
        let changed = try #require(picture.changes(from: grey))
        #expect(changed.x.lowerBound > 190 && changed.x.upperBound < 386)
        #expect(changed.y.lowerBound > 62 && changed.y.upperBound < 440)
    }

    @Test func `two people have two colours which follow their numbers`() throws {
        let first = standingPose(in: CGRect(x: 0.05, y: 0.1, width: 0.3, height: 0.8), id: 4)
        let second = standingPose(in: CGRect(x: 0.6, y: 0.1, width: 0.3, height: 0.8), id: 7)
        var picture = grey
        try OverlayRenderer().draw([.skeletons([second, first])], on: &picture)
        #expect(picture.shows(.person(4), at: middle(of: first, .leftHip, .leftKnee, in: picture)))
        #expect(picture.shows(.person(7), at: middle(of: second, .leftHip, .leftKnee, in: picture)))
        #expect(Color.person(4) != Color.person(7))
        #expect(Color.person(-1) == Color.people.last)
    }

    @Test func `several people are numbered where no face is hidden`() throws {
        let places = [
            CGRect(x: 0.03, y: 0.05, width: 0.2, height: 0.7),
            // One before another, whose face is where the first one's number would be.
            CGRect(x: 0.3, y: 0.05, width: 0.2, height: 0.6), CGRect(x: 0.3, y: 0.1, width: 0.2, height: 0.68),
            // The head at the upper edge, and one beside it.
            CGRect(x: 0.55, y: 0.2, width: 0.25, height: 0.84), CGRect(x: 0.72, y: 0.02, width: 0.25, height: 0.8),
        ]
        let people = places.enumerated().map { standingPose(in: $1, id: $0 + 1) }
        var picture = grey
        try OverlayRenderer().draw([.skeletons(people)], on: &picture)
        try picture.show("overlay-numbers")
        try picture.draw { canvas in
            let figures = people.map {
                (id: $0.id ?? 0, figure: Figure($0, canvas: canvas, minimumConfidence: 0.2))
            }
            let (plates, heads) = (PoseOverlay().plates(for: figures, on: canvas), figures.compactMap(\.figure.head))
            #expect(plates.count == 5 && heads.count == 5)
            for (index, plate) in plates.enumerated() {
                #expect(!heads.contains { $0.intersects(plate) }, "number \(index + 1)")
                #expect(!plates[..<index].contains { $0.intersects(plate) }, "number \(index + 1)")
                #expect(CGRect(x: 0, y: 0, width: 640, height: 480).contains(plate), "number \(index + 1)")
            }
        }
    }

    @Test func `the first person alone has no number, another one has`() throws {
        var (first, second) = (grey, grey)
        try OverlayRenderer().draw([.skeletons([standingPose(in: box, id: 1)])], on: &first)
        try OverlayRenderer().draw([.skeletons([standingPose(in: box, id: 2)])], on: &second)
        let (one, two) = (try #require(first.changes(from: grey)), try #require(second.changes(from: grey)))
        #expect(two.y.lowerBound < one.y.lowerBound - 15)
    }

    @Test func `colours of people are all different and none is the fault colour`() {
        #expect(Set(Color.people).count == Color.people.count)
        #expect(!Color.people.contains(.fault))
    }

    @Test(arguments: [Float(0), 0.1, 0.19]) func `joints of low confidence are hidden`(confidence: Float) throws {
        var picture = grey
        try OverlayRenderer().draw([.skeletons([standingPose(in: box, confidence: confidence)])], on: &picture)
        #expect(picture == grey)
    }

    @Test func `a finger that was not found is not drawn`() throws {
        func hand(_ tip: Float) -> Pose {
            var joints: [JointKey: JointPoint] = [:]
            for (index, key) in ([.wrist] + HandSkeleton.fingers.flatMap(\.self)).enumerated() {
                let place = CGPoint(x: 0.4 + 0.01 * Double(index % 5), y: 0.4 + 0.005 * Double(index))
                joints[key] = JointPoint(key, location: place, confidence: 0.9)
            }
            joints[.littleTip] = JointPoint(.littleTip, location: .zero, confidence: tip)
            return Pose(from: joints, keypoints3D: [:], id: 1, confidence: 0.9)
        }
        var (without, with) = (grey, grey)
        try OverlayRenderer().draw([.hands([hand(0.001)])], on: &without)
        try OverlayRenderer().draw([.hands([hand(0.9)])], on: &with)
        #expect(try #require(without.changes(from: grey)).x.lowerBound > 200)
        #expect(try #require(with.changes(from: grey)).x.lowerBound < 20)
    }

    @Test func `a doubtful forearm is dashed and fainter than a sure one`() throws {
        var pose = standingPose(in: box, id: 0)
        pose.keypoints[.leftWrist]?.confidence = 0.3
        var picture = grey
        try OverlayRenderer().draw([.skeletons([pose])], on: &picture)
        try picture.show("overlay-doubtful")
        let sure = share(of: .person(0), along: pose, .rightElbow, .rightWrist, in: picture)
        let doubtful = share(of: .person(0), along: pose, .leftElbow, .leftWrist, in: picture)
        #expect(sure > 0.9)
        #expect(doubtful < 0.1)
    }

    @Test func `the glowing look lights the bones' surroundings, brightens them outwards and rings doubtful joints`()
        throws
    {
        var pose = standingPose(in: box, id: 0)
        pose.keypoints[.leftKnee]?.confidence = 0.45
        var (plain, glowing) = (grey, grey)
        try OverlayRenderer().draw([.skeletons([pose])], on: &plain)
        try OverlayRenderer(look: .glow).draw([.skeletons([pose])], on: &glowing)
        try glowing.show("overlay-glow")
        func place(_ share: Double) -> (Int, Int) {
            let (from, to) = (
                pose.keypoints[.rightElbow]?.location ?? .zero, pose.keypoints[.rightWrist]?.location ?? .zero
            )
            let (x, y) = (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
            return (Int(x * 640), Int((1 - y) * 480))
        }
        func light(_ picture: Bitmap, _ place: (Int, Int)) -> Int {
            let color = picture[place.0, place.1]
            return Int(color.red) + Int(color.green) + Int(color.blue)
        }
        #expect(light(glowing, place(0.75)) > light(glowing, place(0.25)) + 40)
        // Seven pixels beside the bone's middle: untouched without the glow.
        let beside = (place(0.5).0 + 7, place(0.5).1)
        #expect(light(plain, beside) == light(grey, beside) && light(glowing, beside) != light(grey, beside))
        let knee = pose.keypoints[.leftKnee]?.location ?? .zero
        let (x, y) = (Int(knee.x * 640), Int((1 - knee.y) * 480))
        let red = (x - 15...x + 15).reduce(0) { sum, x in
            sum + (y - 15...y + 15).count { glowing.shows(.fault, at: (x, $0)) }
        }
        #expect(red > 20)
    }

    @Test func `a readout rings doubtful joints and leaves sure ones`() throws {
        var pose = standingPose(in: box)
        pose.keypoints[.leftKnee]?.confidence = 0.45
        pose.keypoints[.rightKnee]?.confidence = 0.55
        var picture = grey
        try OverlayRenderer().draw([.readout(JointReadout([pose]))], on: &picture)
        func red(around key: JointKey) -> Int {
            let place = pose.keypoints[key]?.location ?? .zero
            let (x, y) = (Int(place.x * 640), Int((1 - place.y) * 480))
            return (x - 15...x + 15).reduce(0) { sum, x in
                sum + (y - 15...y + 15).count { picture.shows(.fault, at: (x, $0)) }
            }
        }
        #expect(red(around: .leftKnee) > 50 && red(around: .rightKnee) == 0)
    }

    @Test func `no layer of poses draws on a hidden face`() throws {
        var face = standingPose(in: box)
        face.keypoints = face.keypoints.filter { Skeleton.face.contains($0.key) }
        for key in face.keypoints.keys { face.keypoints[key]?.confidence = 0.45 }
        for layer in [
            OverlayLayer.skeletons([face]), .joints([face], marked: [face.id ?? 0: [.nose]]),
            .readout(JointReadout([face])),
        ] {
            var (shown, hidden) = (grey, grey)
            try OverlayRenderer().draw([layer], on: &shown)
            try OverlayRenderer().draw([layer.withoutFaces], on: &hidden)
            #expect(hidden.changes(from: grey) == nil && shown.changes(from: grey) != nil, "\(layer)")
        }
    }

    @Test func `a readout shows where a joint is and its angle in true proportions`() throws {
        var pose = standingPose(in: box)
        // A square in pixels of a picture of 640 x 480.
        for (key, x, y) in [(JointKey.leftShoulder, 320.0, 240.0), (.leftElbow, 320, 120), (.leftWrist, 440, 120)] {
            pose.keypoints[key]?.location = CGPoint(x: x / 640, y: y / 480)
        }
        var picture = grey
        try picture.draw { canvas in
            let figure = Figure(pose, canvas: canvas, minimumConfidence: 0)
            let readout = JointReadout([pose])
            #expect(readout.label(of: .leftElbow, in: figure, on: canvas) == "0.50 0.25 90\u{B0}")
            #expect(readout.label(of: .leftWrist, in: figure, on: canvas) == "0.69 0.25")
            #expect(readout.label(of: .leftThumb, in: figure, on: canvas) == nil)
        }
    }

    @Test(arguments: [
        (30.0, Color(hex: 0x2EE06F)), (24, Color(hex: 0x2EE06F)), (15, Color(hex: 0xFFD23F)), (5, .fault),
    ])
    func `the rate is green, yellow or red`(rate: Double, color: Color) throws {
        var picture = grey
        try OverlayRenderer().draw([.readout(JointReadout([], rate: rate))], on: &picture)
        let plate = try #require(picture.changes(from: grey))
        #expect(plate.x.lowerBound > 320 && plate.x.upperBound < 639 && plate.y.upperBound < 60)
        let inked = plate.y.reduce(0) { sum, y in sum + plate.x.count { picture.shows(color, at: ($0, y)) } }
        #expect(inked > 20)
    }

    @Test func `faulty joints are red and the others are not`() throws {
        let pose = standingPose(in: box, id: 5)
        var picture = grey
        try OverlayRenderer().draw([.skeletons([pose], faults: [5: [.leftKnee, .leftAnkle]])], on: &picture)
        try picture.show("overlay-faults")
        #expect(picture.shows(.fault, at: middle(of: pose, .leftKnee, .leftAnkle, in: picture)))
        #expect(picture.shows(.fault, at: middle(of: pose, .leftKnee, .leftKnee, in: picture)))
        #expect(picture.shows(.person(5), at: middle(of: pose, .leftHip, .leftKnee, in: picture)))
        #expect(picture.shows(.person(5), at: middle(of: pose, .rightKnee, .rightAnkle, in: picture)))
    }

    @Test(arguments: [
        CGPoint(x: Double.nan, y: 0.5), CGPoint(x: Double.infinity, y: -Double.infinity), CGPoint(x: 1e300, y: -1e300),
        CGPoint(x: -0.2, y: 0.5), CGPoint(x: 0.5, y: 1.3),
    ])
    func `a joint out of view is left out with its bones and harms nothing else`(location: CGPoint) throws {
        var pose = standingPose(in: box, id: 1)
        let bone = middle(of: pose, .leftElbow, .leftWrist, in: grey)
        pose.keypoints[.leftWrist]?.location = location
        var picture = grey
        try OverlayRenderer().draw([.skeletons([pose])], on: &picture)
        #expect(!picture.shows(.person(1), at: bone))
        #expect(picture.shows(.person(1), at: middle(of: pose, .rightElbow, .rightWrist, in: picture)))
        let changed = try #require(picture.changes(from: grey))
        #expect(changed.x.lowerBound > 190 && changed.x.upperBound < 386)
    }

    @Test func `lines are thicker on a bigger body`() throws {
        let small = standingPose(in: CGRect(x: 0.1, y: 0.1, width: 0.12, height: 0.25), id: 0)
        let big = standingPose(in: CGRect(x: 0.4, y: 0.05, width: 0.5, height: 0.9), id: 0)
        var picture = Bitmap(width: 1280, height: 720, red: 90, green: 90, blue: 90)
        try OverlayRenderer().draw([.skeletons([small, big])], on: &picture)
        #expect(thighWidth(of: big, in: picture) > 1.8 * thighWidth(of: small, in: picture))
    }

    @Test func `a tiny picture is no trouble`() throws {
        var picture = Bitmap(width: 1, height: 1)
        let hud = HUD(count: 12, lines: ["standing"])
        try OverlayRenderer().draw([.skeletons([standingPose(in: box)]), .hud(hud)], on: &picture)
    }

    /// Columns of the person's colour across the middle of the left thigh.
    private func thighWidth(of pose: Pose, in picture: Bitmap) -> Double {
        let row = middle(of: pose, .leftHip, .leftKnee, in: picture)
        return Double((row.x - 40...row.x + 40).count { picture.shows(.person(0), at: ($0, row.y)) })
    }

    /// The share of a bone's middle half that shows the colour.
    private func share(of color: Color, along pose: Pose, _ from: JointKey, _ to: JointKey, in picture: Bitmap)
        -> Double
    {
        let start = middle(of: pose, from, from, in: picture)
        let end = middle(of: pose, to, to, in: picture)
        let hits = (25...75).count { step in
            let part = Double(step) / 100
            let x = Double(start.x) + part * Double(end.x - start.x)
            let y = Double(start.y) + part * Double(end.y - start.y)
            return picture.shows(color, at: (Int(x), Int(y)))
        }
        return Double(hits) / 51
    }
}

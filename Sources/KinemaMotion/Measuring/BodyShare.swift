import KinemaCore

/// Body proportions as shares of the standing height.
enum BodyShare {
    /// From the lateral malleolus to the ground: Drillis and Contini (1966), in Winter (2009), figure 4.1.
    static let ankle = 0.039
    /// From the middle of heel and toe landmarks to the sole: measured on rendered figures.
    static let sole = 0.0125
    /// From hip to ankle: Drillis and Contini.
    static let leg = 0.491
    /// From the crown to ears, eyes, nose and to the midpoint of the shoulder joints: tragion, eye and acromial heights
    /// of ANSUR II (Gordon et al. 2014), means of women and men; rendered figures agree within 0.005.
    static let crown: [(joints: [JointKey], share: Double)] = [
        ([.leftEar, .rightEar], 0.075), ([.leftEye, .rightEye], 0.065), ([.nose], 0.086), ([.neck], 0.182),
    ]
}

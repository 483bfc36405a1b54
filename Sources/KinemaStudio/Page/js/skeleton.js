// Which joints are drawn and connected, by Vision's names, and in which colours: the same as on overlay videos.

/** One colour a person, after Okabe and Ito, "Color Universal Design" (2008), with the dark ones brightened. */
export const people = ["#56b4e9", "#ffa81e", "#1fd6a0", "#f0e442", "#f08cc8", "#ffffff", "#8c9bff", "#b9e35a"];
export const fault = "#ff2a1a";
export const outline = "rgb(13 13 18 / 80%)";

/** A person's colour, the same for the same number. */
export const personColour = (id) => people[((id % people.length) + people.length) % people.length];

/** From, to, thickness as a share of a limb's. */
export const bones = [
    ["leftShoulder", "leftElbow", 1], ["leftElbow", "leftWrist", 1], ["rightShoulder", "rightElbow", 1],
    ["rightElbow", "rightWrist", 1], ["leftHip", "leftKnee", 1], ["leftKnee", "leftAnkle", 1],
    ["rightHip", "rightKnee", 1], ["rightKnee", "rightAnkle", 1], ["leftShoulder", "rightShoulder", 1],
    ["leftShoulder", "leftHip", 1], ["rightShoulder", "rightHip", 1], ["leftHip", "rightHip", 1],
    ["neck", "nose", 0.6], ["nose", "leftEye", 0.6], ["leftEye", "leftEar", 0.6], ["nose", "rightEye", 0.6],
    ["rightEye", "rightEar", 0.6], ["leftAnkle", "leftHeel", 0.6], ["leftHeel", "leftFootTip", 0.6],
    ["leftAnkle", "leftFootTip", 0.6], ["rightAnkle", "rightHeel", 0.6], ["rightHeel", "rightFootTip", 0.6],
    ["rightAnkle", "rightFootTip", 0.6],
];

/** Joint, size as a share of a limb joint's. */
export const dots = [
    ...["leftShoulder", "rightShoulder", "leftElbow", "rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip",
        "leftKnee", "rightKnee", "leftAnkle", "rightAnkle"].map((name) => [name, 1]),
    ...["nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftHeel", "rightHeel", "leftFootTip", "rightFootTip"]
        .map((name) => [name, 0.6]),
];

/** A finger's joints from the wrist to the tip, and its colour. */
export const fingers = [
    { joints: ["wrist", "thumbCMC", "thumbMP", "thumbIP", "thumbTip"], colour: "#ffa81e" },
    { joints: ["wrist", "indexMCP", "indexPIP", "indexDIP", "indexTip"], colour: "#1fd6a0" },
    { joints: ["wrist", "middleMCP", "middlePIP", "middleDIP", "middleTip"], colour: "#56b4e9" },
    { joints: ["wrist", "ringMCP", "ringPIP", "ringDIP", "ringTip"], colour: "#8c9bff" },
    { joints: ["wrist", "littleMCP", "littlePIP", "littleDIP", "littleTip"], colour: "#f08cc8" },
];

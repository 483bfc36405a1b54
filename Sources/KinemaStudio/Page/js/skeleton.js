// Which joints are drawn and connected, by Vision's names, and in which colours: the same as on overlay videos.

/** One colour a person, after Okabe and Ito, "Color Universal Design" (2008), with the dark ones brightened. */
export const people = ["#56b4e9", "#ffa81e", "#1fd6a0", "#f0e442", "#f08cc8", "#ffffff", "#8c9bff", "#b9e35a"];
export const fault = "#ff2a1a";
export const outline = "rgb(13 13 18 / 80%)";

/** A person's colour, the same for the same number. */
export const personColour = (id) => people[((id % people.length) + people.length) % people.length];

const both = (rows) => ["left", "right"].flatMap((side) => rows.map((row) => row.map((part) => (typeof part === "string" ? side + part : part))));

/** From, to, thickness as a share of a limb's. */
export const bones = [
    ...both([["Shoulder", "Elbow", 1], ["Elbow", "Wrist", 1], ["Hip", "Knee", 1], ["Knee", "Ankle", 1], ["Shoulder", "Hip", 1]]),
    ["leftShoulder", "rightShoulder", 1], ["leftHip", "rightHip", 1], ["neck", "nose", 0.6], ["nose", "leftEye", 0.6], ["nose", "rightEye", 0.6],
    ...both([["Eye", "Ear", 0.6], ["Ankle", "Heel", 0.6], ["Heel", "FootTip", 0.6], ["Ankle", "FootTip", 0.6]]),
];

/** Joint, size as a share of a limb joint's. */
export const dots = [
    ...both([["Shoulder", 1], ["Elbow", 1], ["Wrist", 1], ["Hip", 1], ["Knee", 1], ["Ankle", 1]]),
    ["nose", 0.6], ...both([["Eye", 0.6], ["Ear", 0.6], ["Heel", 0.6], ["FootTip", 0.6]]),
];

/** A finger's joints from the wrist to the tip, and its colour. */
export const fingers = [
    { joints: ["wrist", "thumbCMC", "thumbMP", "thumbIP", "thumbTip"], colour: "#ffa81e" },
    { joints: ["wrist", "indexMCP", "indexPIP", "indexDIP", "indexTip"], colour: "#1fd6a0" },
    { joints: ["wrist", "middleMCP", "middlePIP", "middleDIP", "middleTip"], colour: "#56b4e9" },
    { joints: ["wrist", "ringMCP", "ringPIP", "ringDIP", "ringTip"], colour: "#8c9bff" },
    { joints: ["wrist", "littleMCP", "littlePIP", "littleDIP", "littleTip"], colour: "#f08cc8" },
];

// Packs frames away from the page's thread: there the browser would wait for an idle moment first.
import { markPlanes, packFrame, planesBytes, planesHeaderBytes, separate } from "./frames.js";

const canvas = new OffscreenCanvas(640, 480);
// The encoder reads the pixels back, so they had better lie in memory.
const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });

// Answers each frame, one that can't be packed with null.
onmessage = async ({ data: { picture, most, ...frame } }) => {
    const buffer = await planesFrame(picture, frame, most).catch(() => null)
        ?? await jpegFrame(picture, frame).catch(() => null);
    picture.close();
    postMessage({ buffer, sequence: frame.sequence }, buffer ? [buffer] : []);
};

async function jpegFrame(picture, frame) {
    const { width, height, quality } = frame;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(picture, 0, 0, width, height);
    const jpeg = await (await canvas.convertToBlob({ type: "image/jpeg", quality })).arrayBuffer();
    return packFrame(frame, jpeg);
}

/** The camera's own samples, or null where they are not at hand as they are shown, or are more than `most` bytes. */
async function planesFrame(picture, frame, most) {
    const { width, height } = frame;
    const size = planesBytes(width, height);
    if (planesHeaderBytes + size > most || !["I420", "NV12"].includes(picture.format)) return null;
    const { width: columns, height: rows } = picture.visibleRect;
    const isTurned = Boolean(picture.rotation) || Boolean(picture.flip);
    if (isTurned || columns !== width || rows !== height || picture.allocationSize() !== size) return null;
    const buffer = new ArrayBuffer(planesHeaderBytes + size);
    const planes = new Uint8Array(buffer, planesHeaderBytes);
    await picture.copyTo(planes);
    if (picture.format === "NV12") separate(planes.subarray(width * height));
    const { matrix, fullRange } = picture.colorSpace;
    markPlanes(buffer, frame, { isBT709: matrix === "bt709", isFullRange: fullRange === true });
    return buffer;
}

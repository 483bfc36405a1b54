// Encodes frames away from the page's thread: there the browser would wait for an idle moment first.
import { packFrame } from "./frames.js";

const canvas = new OffscreenCanvas(640, 480);
// The encoder reads the pixels back, so they had better lie in memory.
const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });

onmessage = async ({ data: { picture, sequence, taken, width, height, quality } }) => {
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
    }
    context.drawImage(picture, 0, 0, width, height);
    picture.close();
    const jpeg = await (await canvas.convertToBlob({ type: "image/jpeg", quality })).arrayBuffer();
    const buffer = packFrame(sequence, taken / 1000, width, height, jpeg);
    postMessage({ buffer, sequence }, [buffer]);
};

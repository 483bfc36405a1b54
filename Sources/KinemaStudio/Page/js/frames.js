// A frame on the socket: 24 bytes, little-endian, then the picture. See Documentation/studio.md.

const jpegMark = 0x3152464b; // "KFR1"
const planesMark = 0x3149464b; // "KFI1"
export const headerBytes = 24;
/** The bytes before the planes of a picture: its matrix and range. */
export const planesHeaderBytes = headerBytes + 4;

function writeHeader(buffer, mark, { sequence, taken, width, height }) {
    const header = new DataView(buffer);
    header.setUint32(0, mark, true);
    header.setUint32(4, sequence, true);
    header.setFloat64(8, taken / 1000, true);
    header.setUint32(16, width, true);
    header.setUint32(20, height, true);
    return header;
}

/** One buffer with the header and the JPEG's bytes; `taken` is the time of capture, milliseconds of this machine. */
export function packFrame(frame, jpeg) {
    const buffer = new ArrayBuffer(headerBytes + jpeg.byteLength);
    writeHeader(buffer, jpegMark, frame);
    new Uint8Array(buffer, headerBytes).set(new Uint8Array(jpeg));
    return buffer;
}

/** Writes the header before the planes of a frame. */
export function markPlanes(buffer, frame, { isBT709, isFullRange }) {
    const header = writeHeader(buffer, planesMark, frame);
    header.setUint8(24, isBT709 ? 1 : 0);
    header.setUint8(25, isFullRange ? 1 : 0);
}

/** The bytes of a picture's planes: luma, and two of chroma with half the columns and rows. */
export const planesBytes = (width, height) => width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);

/** Chroma that alternates, blue and red, becomes a plane of each. */
export function separate(chroma) {
    const both = chroma.slice();
    const count = both.length / 2;
    for (let at = 0; at < count; at += 1) {
        chroma[at] = both[2 * at];
        chroma[count + at] = both[2 * at + 1];
    }
}

/** The parts of a frame with a JPEG, or null. */
export function unpackFrame(buffer) {
    if (buffer.byteLength <= headerBytes) return null;
    const header = new DataView(buffer);
    if (header.getUint32(0, true) !== jpegMark) return null;
    return {
        sequence: header.getUint32(4, true),
        time: header.getFloat64(8, true),
        jpeg: new Blob([new Uint8Array(buffer, headerBytes)], { type: "image/jpeg" }),
    };
}

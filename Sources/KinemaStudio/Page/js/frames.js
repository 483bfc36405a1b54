// A frame on the socket: 24 bytes, little-endian, then the JPEG. See Documentation/studio.md.

const mark = 0x3152464b; // "KFR1"
export const headerBytes = 24;

/** One buffer with the header and the JPEG's bytes; `seconds` is the time of capture on this machine's clock. */
export function packFrame(sequence, seconds, width, height, jpeg) {
    const buffer = new ArrayBuffer(headerBytes + jpeg.byteLength);
    const header = new DataView(buffer);
    header.setUint32(0, mark, true);
    header.setUint32(4, sequence, true);
    header.setFloat64(8, seconds, true);
    header.setUint32(16, width, true);
    header.setUint32(20, height, true);
    new Uint8Array(buffer, headerBytes).set(new Uint8Array(jpeg));
    return buffer;
}

/** The parts of a frame, or null when it is none. */
export function unpackFrame(buffer) {
    if (buffer.byteLength <= headerBytes) return null;
    const header = new DataView(buffer);
    if (header.getUint32(0, true) !== mark) return null;
    return {
        sequence: header.getUint32(4, true),
        time: header.getFloat64(8, true),
        jpeg: new Blob([new Uint8Array(buffer, headerBytes)], { type: "image/jpeg" }),
    };
}

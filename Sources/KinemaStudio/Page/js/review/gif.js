// Writes an animated GIF: one palette for all its pictures, found by median cut (Heckbert 1982), and LZW. No document here.

const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]; // ordered dither: what stands still does not flicker
const [colours, unchanged] = [255, 255]; // the last entry of the palette lets the picture before show through

export class Gif {
    #pictures = [];

    constructor(width, height) {
        Object.assign(this, { width, height });
    }

    /** Adds a picture, four bytes a pixel, to be shown for this many seconds. */
    add(rgba, seconds) {
        const pixels = new Uint16Array(this.width * this.height);
        const level = (value, noise) => Math.min(31, (value + noise) >> 3);
        for (let at = 0; at < pixels.length; at += 1) {
            const noise = bayer[(at % this.width) % 4 + 4 * (Math.floor(at / this.width) % 4)] >> 1;
            const [red, green, blue] = [0, 1, 2].map((channel) => level(rgba[4 * at + channel], noise));
            pixels[at] = (red << 10) | (green << 5) | blue;
        }
        this.#pictures.push({ pixels, delay: Math.max(2, Math.round(100 * seconds)) });
    }

    /** The file. */
    end() {
        const { palette, lookup } = paletteOf(this.#pictures.map(({ pixels }) => pixels));
        const parts = [Uint8Array.from([...bytes("GIF89a"), ...words(this.width, this.height), 0xf7, 0, 0, ...palette,
            0x21, 0xff, 11, ...bytes("NETSCAPE2.0"), 3, 1, 0, 0, 0])];
        for (const [number, { pixels, delay }] of this.#pictures.entries()) {
            const before = this.#pictures[number - 1]?.pixels;
            const indices = Uint8Array.from(pixels, (colour, at) => (before?.[at] === colour ? unchanged : lookup[colour]));
            parts.push(Uint8Array.from([0x21, 0xf9, 4, 5, ...words(delay), unchanged, 0,
                0x2c, ...words(0, 0, this.width, this.height), 0, 8]), packed(indices));
        }
        return new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" });
    }
}

const bytes = (text) => [...text].map((letter) => letter.charCodeAt(0));
const words = (...values) => values.flatMap((value) => [value & 255, value >> 8]);
const channels = [10, 5, 0];

/** At most 255 colours: the box of colours that is widest for its pixels is halved until there are enough boxes. */
function paletteOf(pictures) {
    const counts = new Uint32Array(32768);
    for (const pixels of pictures) for (const colour of pixels) counts[colour] += 1;
    const boxOf = (list) => {
        const spans = channels.map((shift) => {
            const levels = list.map((colour) => (colour >> shift) & 31);
            return Math.max(...levels) - Math.min(...levels);
        });
        const span = Math.max(...spans);
        const pixels = list.reduce((sum, colour) => sum + counts[colour], 0);
        return { list, pixels, shift: channels[spans.indexOf(span)], weight: span * Math.sqrt(pixels) };
    };
    let boxes = [boxOf([...counts.keys()].filter((colour) => counts[colour] > 0))];
    while (boxes.length < colours) {
        const widest = boxes.reduce((most, box) => (box.weight > most.weight ? box : most));
        if (widest.weight === 0) break;
        const list = widest.list.toSorted((a, b) => ((a >> widest.shift) & 31) - ((b >> widest.shift) & 31));
        let [at, sum] = [0, 0];
        while (at < list.length - 1 && sum < widest.pixels / 2) sum += counts[list[at++]];
        at = Math.max(1, at);
        boxes = [...boxes.filter((box) => box !== widest), boxOf(list.slice(0, at)), boxOf(list.slice(at))];
    }
    const [palette, lookup] = [new Array(768).fill(0), new Uint8Array(32768)];
    boxes.forEach(({ list, pixels }, index) => {
        channels.forEach((shift, channel) => {
            const sum = list.reduce((all, colour) => all + ((colour >> shift) & 31) * counts[colour], 0);
            palette[3 * index + channel] = Math.round((sum / pixels) * (255 / 31));
        });
        for (const colour of list) lookup[colour] = index;
    });
    return { palette, lookup };
}

/** LZW of bytes, in blocks of at most 255. */
function packed(indices) {
    const [clear, end, out, codes] = [256, 257, [], new Map()];
    let [size, next, buffer, bits, block] = [9, end + 1, 0, 0, []];
    const flush = () => {
        if (block.length > 0) out.push(block.length, ...block);
        block = [];
    };
    const put = (code) => {
        buffer |= code << bits;
        for (bits += size; bits >= 8; bits -= 8, buffer >>>= 8) {
            block.push(buffer & 255);
            if (block.length === 255) flush();
        }
    };
    put(clear);
    let prefix = indices[0];
    for (let at = 1; at < indices.length; at += 1) {
        const key = (prefix << 8) | indices[at];
        const known = codes.get(key);
        if (known !== undefined) {
            prefix = known;
            continue;
        }
        put(prefix);
        prefix = indices[at];
        if (next === 4096) {
            put(clear);
            codes.clear();
            [size, next] = [9, end + 1];
        } else {
            if (next >= 1 << size) size += 1;
            codes.set(key, next++);
        }
    }
    put(prefix);
    put(end);
    if (bits > 0) block.push(buffer & 255);
    flush();
    out.push(0);
    return Uint8Array.from(out);
}

// The browser's cameras.

const sizes = { 480: { width: 640, height: 480 }, 720: { width: 1280, height: 720 } };

/** Whether this page may have a camera at all. */
export const isAllowedHere = () => window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

/** Whether the reader allowed the camera before, so that no question comes. */
export async function isPermitted() {
    const asked = isAllowedHere() ? await navigator.permissions?.query({ name: "camera" }).catch(() => null) : null;
    return asked?.state === "granted";
}

/** The cameras by id and name; names are empty until one was allowed once. */
export async function cameras() {
    const devices = isAllowedHere() ? await navigator.mediaDevices.enumerateDevices().catch(() => []) : [];
    return devices.filter(({ kind }) => kind === "videoinput");
}

/** The cameras behind turned streams. */
const behind = new WeakMap();

/** What a camera shows, turned clockwise by 90, 180 or 270 degrees. */
async function turned(stream, degrees) {
    const video = Object.assign(document.createElement("video"), { srcObject: stream, muted: true, playsInline: true });
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { alpha: false });
    const draw = () => {
        const { videoWidth: width, videoHeight: height } = video;
        const shape = degrees % 180 ? [height, width] : [width, height];
        if (canvas.width !== shape[0] || canvas.height !== shape[1]) [canvas.width, canvas.height] = shape;
        context.setTransform(1, 0, 0, 1, canvas.width / 2, canvas.height / 2);
        context.rotate(degrees * Math.PI / 180);
        context.drawImage(video, -width / 2, -height / 2);
        video.requestVideoFrameCallback(draw);
    };
    await video.play();
    draw();
    const result = canvas.captureStream();
    behind.set(result, stream);
    stream.getVideoTracks()[0].addEventListener("ended", () => result.getVideoTracks()[0].dispatchEvent(new Event("ended")));
    return result;
}

/**
 * Opens a camera by `facing` ("user", "environment") or `device`; returns whether it faces the user. With the size
 * "native" pictures come as the camera has them, upright or not, which spares a phone the work.
 */
export async function openCamera({ facing, device }, size, turn) {
    const { width, height } = sizes[size] ?? sizes[480];
    const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: facing ?? "user" } };
    const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { ...which, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 },
            ...size === "native" && { resizeMode: "none" } },
    });
    const [camera] = stream.getVideoTracks();
    const { facingMode, deviceId } = camera.getSettings();
    // A laptop's camera does not say where it faces; it faces the user.
    const looksAtUser = (facingMode ?? facing ?? "user") === "user";
    const shown = turn ? await turned(stream, turn) : stream;
    return { stream: shown, track: shown.getVideoTracks()[0], device: deviceId, name: camera.label || "camera", looksAtUser };
}

/** The camera to switch to: the other side's on a phone, else the next one; null if there is only one. */
export async function otherCamera(device, looksAtUser) {
    const all = await cameras();
    if (all.length < 2) return null;
    if (matchMedia("(pointer: coarse)").matches) return { facing: looksAtUser ? "environment" : "user" };
    const at = all.findIndex(({ deviceId }) => deviceId === device);
    return { device: all[(at + 1) % all.length].deviceId };
}

/** Ends a stream, which also turns off the camera's light. */
export function closeCamera(stream) {
    for (const track of [...stream?.getTracks() ?? [], ...behind.get(stream)?.getTracks() ?? []]) track.stop();
}

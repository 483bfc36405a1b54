// The browser's camera: which there are, and opening one.

const sizes = { 480: { width: 640, height: 480 }, 720: { width: 1280, height: 720 } };

/** Whether this page may have a camera at all. */
export const isAllowedHere = () => window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

/** The cameras by id and name; names are empty until one was allowed once. */
export async function cameras() {
    if (!isAllowedHere()) return [];
    try {
        const devices = await navigator.mediaDevices.enumerateDevices();
        return devices.filter((device) => device.kind === "videoinput");
    } catch {
        return [];
    }
}

/** Opens a camera by `facing` ("user", "environment") or `device`; tells whether it looks at the user. */
export async function openCamera({ facing, device }, size) {
    const { width, height } = sizes[size] ?? sizes[480];
    const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: facing ?? "user" } };
    const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { ...which, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 } },
    });
    const [track] = stream.getVideoTracks();
    const { facingMode, deviceId } = track.getSettings();
    // A laptop's camera says nothing about where it looks; it looks at the user.
    const looksAtUser = (facingMode ?? facing ?? "user") === "user";
    return { stream, track, device: deviceId, name: track.label || "camera", looksAtUser };
}

/** The camera to take instead of the one in use: the other side's on a phone, the next one elsewhere; null if alone. */
export async function otherCamera(device, looksAtUser) {
    const all = await cameras();
    if (all.length < 2) return null;
    if (matchMedia("(pointer: coarse)").matches) return { facing: looksAtUser ? "environment" : "user" };
    const at = all.findIndex(({ deviceId }) => deviceId === device);
    return { device: all[(at + 1) % all.length].deviceId };
}

/** Ends a stream, which also puts out the camera's light. */
export function closeCamera(stream) {
    for (const track of stream?.getTracks() ?? []) track.stop();
}

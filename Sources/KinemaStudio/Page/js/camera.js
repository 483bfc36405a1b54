// The browser's cameras.

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

/** Opens a camera by `facing` ("user", "environment") or `device`; returns whether it faces the user. */
export async function openCamera({ facing, device }, size) {
    const { width, height } = sizes[size] ?? sizes[480];
    const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: facing ?? "user" } };
    const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { ...which, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 } },
    });
    const [track] = stream.getVideoTracks();
    const { facingMode, deviceId } = track.getSettings();
    // A laptop's camera does not say where it faces; it faces the user.
    const looksAtUser = (facingMode ?? facing ?? "user") === "user";
    return { stream, track, device: deviceId, name: track.label || "camera", looksAtUser };
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
    for (const track of stream?.getTracks() ?? []) track.stop();
}

// How FFmpeg's libraries are loaded (late.c). A process that calls one that is not installed says so and ends with 1.

// Loads all of them now, as before a process may no longer open files; returns what failed, or NULL.
const char *kinema_ffmpeg_load(void);

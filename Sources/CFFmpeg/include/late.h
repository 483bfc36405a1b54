// How FFmpeg's libraries are loaded (late.c).

// The exit code of a process that calls a function of FFmpeg where it is not installed.
enum { KINEMA_FFMPEG_MISSING = 69 };

// Loads all of them now, as before a process may no longer open files; returns what failed, or NULL.
const char *kinema_ffmpeg_load(void);

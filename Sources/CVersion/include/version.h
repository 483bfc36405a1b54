// The version that the script which built the command took from git.
#ifndef KINEMA_CVERSION_H
#define KINEMA_CVERSION_H

/// NULL when the package was built by `swift build` alone.
const char *kinema_built_version(void);

#endif

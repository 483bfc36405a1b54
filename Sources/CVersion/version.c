#include "version.h"

const char *kinema_built_version(void) {
#ifdef KINEMA_VERSION
    return KINEMA_VERSION;
#else
    return 0;
#endif
}

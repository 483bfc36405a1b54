// Tells the thread sanitizer what Swift's Mutex does when it has to wait. That code is in a toolchain library that is not
// instrumented, so the sanitizer would not see that writes of one thread reach the next. Loaded before that library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
SWIFT void lock_slow(uint32_t seen, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
// Synchronization._MutexHandle._unlockSlow() -> ()
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t seen, SELF) {
    typedef SWIFT void (*function)(uint32_t, SELF);
    ((function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(seen, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
    typedef SWIFT void (*function)(SELF);
    if (__tsan_release) __tsan_release(self);
    ((function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(self);
}

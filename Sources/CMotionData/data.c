#include "CMotionData.h"

// C23's, which Clang has in C of any year.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char trees[] = {
#embed "../KinemaMotion/Counting/CycleTrees.txt"
};

static const unsigned char exercises[] = {
#embed "../KinemaMotion/Exercises/ExerciseLibrary.json5"
};

struct kinema_data kinema_cycle_trees(void) { return (struct kinema_data){trees, sizeof trees}; }
struct kinema_data kinema_exercise_library(void) { return (struct kinema_data){exercises, sizeof exercises}; }

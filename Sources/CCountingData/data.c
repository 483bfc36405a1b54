#include "CCountingData.h"

// C23's, which Clang has in C of any year.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char network[] = {
#embed "../KinemaCounting/RepetitionNetwork.txt"
};

static const unsigned char cycles[] = {
#embed "../KinemaCounting/CycleTrees.txt"
};

static const unsigned char solutions[] = {
#embed "../KinemaCounting/SolutionTrees.txt"
};

static const unsigned char exercises[] = {
#embed "../KinemaCounting/Exercises/ExerciseLibrary.json5"
};

struct kinema_data kinema_repetition_network(void) { return (struct kinema_data){network, sizeof network}; }
struct kinema_data kinema_cycle_trees(void) { return (struct kinema_data){cycles, sizeof cycles}; }
struct kinema_data kinema_solution_trees(void) { return (struct kinema_data){solutions, sizeof solutions}; }
struct kinema_data kinema_exercise_library(void) { return (struct kinema_data){exercises, sizeof exercises}; }

// The data of KinemaCounting, as its files hold it. Embedded by the preprocessor: as an array in Swift it takes the compiler
// a quarter of a minute.
#ifndef KINEMA_CCOUNTINGDATA_H
#define KINEMA_CCOUNTINGDATA_H

#include <stddef.h>

/// Bytes that live as long as the process.
struct kinema_data {
    const unsigned char *bytes;
    size_t count;
};

/// RepetitionNetwork.txt.
struct kinema_data kinema_repetition_network(void);
/// CycleTrees.txt.
struct kinema_data kinema_cycle_trees(void);
/// SolutionTrees.txt.
struct kinema_data kinema_solution_trees(void);
/// Exercises/ExerciseLibrary.json5.
struct kinema_data kinema_exercise_library(void);

#endif

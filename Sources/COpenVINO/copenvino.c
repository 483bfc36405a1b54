#include "copenvino.h"

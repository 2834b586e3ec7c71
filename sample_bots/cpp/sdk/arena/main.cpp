// The main program of every bot; what it plays is make_bot(), which the author writes.
#include "arena/run.h"

int main() { return arena::run(); }

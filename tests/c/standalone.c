/* rng.h in C99, without anything of C++: the first and the last of a million values of the README, one of a child, a saved
 * state, an error. Prints what is wrong; exit code 1 if anything is. */
#include <rng/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faults = 0;

static void check(int holds, const char* what) {
    if (holds) return;
    printf("not so: %s (the last error was: %s)\n", what, rng_error_text());
    ++faults;
}

int main(void) {
    enum { n = 1000000 };
    const rng_parameter parameters[] = {{"mean", RNG_INTEGER, 0, 0.0}, {"stddev", RNG_REAL, 0, 1.0}};
    float* const x = malloc(n * sizeof *x);
    rng_stream stream, child, saved;
    rng_distribution* normal = NULL;
    unsigned char state[RNG_STATE_BYTES];
    char text[80];
    float alone = 0;

    check(x != NULL, "memory");
    check(rng_stream_init(&stream, 42, NULL, 0) == RNG_OK, "a stream");
    check(rng_distribution_new("normal", "f32", parameters, 2, &normal) == RNG_OK, "a distribution");
    check(rng_fill(normal, &stream, 0, x, n, NULL) == RNG_OK, "a fill");
    sprintf(text, "%.9g %.9g %.9g", x[0], x[1], x[n - 1]);
    check(strcmp(text, "0.813999772 1.34617996 0.648700118") == 0, "the README's values");
    check(rng_fill(normal, &stream, n - 1, &alone, 1, NULL) == RNG_OK && alone == x[n - 1], "the last value alone");
    check(rng_fill_next(normal, &stream, x, 3, NULL) == RNG_OK && stream.position == 3, "the next values");
    check(rng_stream_save(&stream, state) == RNG_OK && rng_stream_load(&saved, state) == RNG_OK, "a state");
    check(memcmp(&saved, &stream, sizeof saved) == 0, "the state of the stream");
    check(rng_stream_fork(&stream, 7, &child) == RNG_OK && child.position == 0, "a child");
    check(memcmp(child.key, stream.key, sizeof child.key) != 0, "a key of the child's own");
    check(rng_stream_init(&stream, 42, "dice", 0) == RNG_INVALID_ARGUMENT, "an error");
    check(strstr(rng_error_text(), "dice") != NULL, "the text of the error");
    rng_distribution_free(normal);
    free(x);
    return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Macros that a program may have before it includes a header of this library.
// Each expands to text that never compiles, so a header that uses the name as its own does not compile.
// libstdc++ itself needs the letters that are left out.
#pragma once

// clang-format off
// Version 14 takes the @ for Objective-C.

#define A @ macro A @
#define B @ macro B @
#define C @ macro C @
#define D @ macro D @
#define E @ macro E @
#define F @ macro F @
#define G @ macro G @
#define H @ macro H @
#define I @ macro I @
#define J @ macro J @
#define K @ macro K @
#define L @ macro L @
#define M @ macro M @
#define N @ macro N @
#define O @ macro O @
#define P @ macro P @
#define Q @ macro Q @
#define R @ macro R @
#define S @ macro S @
#define T @ macro T @
#define U @ macro U @
#define V @ macro V @
#define W @ macro W @
#define X @ macro X @
#define Y @ macro Y @
#define Z @ macro Z @
#define c @ macro c @
#define f @ macro f @
#define g @ macro g @
#define j @ macro j @
#define l @ macro l @
#define o @ macro o @
#define q @ macro q @
#define r @ macro r @
#define u @ macro u @
#define v @ macro v @
#define w @ macro w @
#define x @ macro x @
#define z @ macro z @
#define near @ macro near @
#define far @ macro far @
#define small @ macro small @
#define interface @ macro interface @
#define IN @ macro IN @
#define OUT @ macro OUT @
#define OPTIONAL @ macro OPTIONAL @
#define ERROR @ macro ERROR @
#define DIFFERENCE @ macro DIFFERENCE @
#define DOMAIN @ macro DOMAIN @
#define OVERFLOW @ macro OVERFLOW @
#define UNDERFLOW @ macro UNDERFLOW @
#define None @ macro None @
#define Status @ macro Status @
#define Success @ macro Success @
#define Always @ macro Always @
#define major @ macro major @
#define minor @ macro minor @
#define check @ macro check @
#define require @ macro require @
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define isnan(x) ((x) != (x))

/// Does not compile if a header left a macro above, "@ macro NAME @", undefined or otherwise defined.
#define EXPECT_MACRO(NAME) \
    static_assert(is_same_text(TEXT_OF_MACRO(NAME), "@ macro " #NAME " @"), "a header changed the macro " #NAME)
#define TEXT_OF_MACRO(TEXT) TEXT_OF_MACRO_(TEXT)
#define TEXT_OF_MACRO_(TEXT) #TEXT
constexpr bool is_same_text(const char* one, const char* other) {
    while (*one != 0 && *one == *other) ++one, ++other;
    return *one == *other;
}

/* Generated from contract.py by `make docs`. Do not edit. */

enum {
    CONTRACT = 13,
    WORD_MARKER = 0,
    WORD_NONE = 1,
    WORD_BOOL = 2,
    WORD_INT = 3,
    WORD_FLOAT = 4,
    WORD_OTHER = 5,
    FIRST_FREQUENT = 6,
    MOST_FREQUENT = 250,
    FREQUENT_AFTER = 64,
    SHOWS = 1,
    BIRTH = 2,
    SAFE = 4,
    DETAIL = 8,
    KIND_TUPLE = 7,
    KIND_TYPE = 15,
    KINDS = 16,
};

#define CONTRACT_CONSTANTS \
    {"CONTRACT", CONTRACT}, \
    {"WORD_MARKER", WORD_MARKER}, \
    {"WORD_NONE", WORD_NONE}, \
    {"WORD_BOOL", WORD_BOOL}, \
    {"WORD_INT", WORD_INT}, \
    {"WORD_FLOAT", WORD_FLOAT}, \
    {"WORD_OTHER", WORD_OTHER}, \
    {"FIRST_FREQUENT", FIRST_FREQUENT}, \
    {"MOST_FREQUENT", MOST_FREQUENT}, \
    {"FREQUENT_AFTER", FREQUENT_AFTER}, \
    {"SHOWS", SHOWS}, \
    {"BIRTH", BIRTH}, \
    {"SAFE", SAFE}, \
    {"DETAIL", DETAIL}, \
    {"KIND_TUPLE", KIND_TUPLE}, \
    {"KIND_TYPE", KIND_TYPE}, \
    {"KINDS", KINDS}

/* Classifies, numbers and takes apart the words of a tape: the same as tape/numbering.py, which documents the functions.

   Uses only the stable ABI of Python 3.10 (PEP 384), so that one library serves every later interpreter; formats with `#`
   are not part of it where the library is built for 3.13. No code of the program runs in here: types and values are
   distinguished by address, ints and floats are read only if the type is exactly `int` or `float`, and the items of a
   tuple only if it is exactly a `tuple`. */

#define Py_LIMITED_API 0x030A0000
#include <Python.h>
#include <stddef.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "contract.h"

/* Words are scattered over the memory: a loop prefetches the words that it will read soon. */
#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)0)
#endif
#define SOON 12

/* Object layouts of CPython 3.10 to 3.15 with a GIL, which the stable ABI does not promise:
   Include/cpython/listobject.h (PyListObject), Include/cpython/floatobject.h (PyFloatObject),
   Include/cpython/longintrepr.h (struct _longobject).
   At load, `begin` verifies the list and refcount layout and raises ImportError on mismatch; the loader then uses
   Python. If only ints or floats differ, they are read by functions of the stable ABI. */

typedef struct {
    PyVarObject head;
    PyObject **items;
    Py_ssize_t allocated;
} List;

typedef struct {
    PyObject head;
    double value;
} Float;

typedef struct {
    PyObject head;
    uintptr_t tag;
    uint32_t digits[2];
} Int;

static PyObject **
items_of(PyObject *list)
{
    return ((List *)list)->items;
}

#if defined(_WIN32) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define COUNTS_COME_FIRST 1
#else
#define COUNTS_COME_FIRST 0
#endif

/* The lower 32 bits of a reference count. They are negative for immortal objects, since 3.12
   (https://peps.python.org/pep-0683/, Include/refcount.h). */
static int32_t
count_of(const PyObject *o)
{
    int32_t count;
    memcpy(&count, o, sizeof count);
    return count;
}

static void
set_count(PyObject *o, int32_t count)
{
    memcpy(o, &count, sizeof count);
}

/* Py_INCREF, inlined for ordinary counts: the stable ABI has a function call. */
static void
hold(PyObject *o)
{
    int32_t count = COUNTS_COME_FIRST ? count_of(o) : 0;
    if (count > 0 && count < INT32_MAX)
        set_count(o, count + 1);
    else
        Py_IncRef(o);
}

static void
let_go(PyObject *o)
{
    int32_t count = COUNTS_COME_FIRST ? count_of(o) : 0;
    if (count > 1)
        set_count(o, count - 1);
    else
        Py_DecRef(o);
}

static int
refcounts_are_known(void)
{
    PyObject *o = PyList_New(0);
    if (o == NULL)
        return 0;
    int known = Py_REFCNT(o) == 1;
    hold(o);
    known = known && Py_REFCNT(o) == 2;
    Py_IncRef(o);
    known = known && Py_REFCNT(o) == 3;
    let_go(o);
    known = known && Py_REFCNT(o) == 2;
    Py_DecRef(o);
    Py_DecRef(o);
    return known;
}

static int
lists_are_known(void)
{
    PyObject *list = PyList_New(0);
    int known = list != NULL;
    for (Py_ssize_t at = 0; known && at < 20; at++) {
        known = PyList_Append(list, at % 3 ? Py_None : Py_True) == 0;
        const List *held = (const List *)list;
        known = known && held->head.ob_size == at + 1 && held->allocated > at && held->allocated < 64 &&
                held->items[at] == PyList_GetItem(list, at) && held->items[0] == Py_True;
    }
    Py_XDECREF(list);
    return known;
}

/* Append to a list of the recorder: PyList_Append without the call, while there is room. */
static int
push(PyObject *to, PyObject *o)
{
    List *list = (List *)to;
    Py_ssize_t size = list->head.ob_size;
    if (size >= list->allocated)
        return PyList_Append(to, o);
    hold(o);
    list->items[size] = o;
    Py_SET_SIZE(&list->head, size + 1);
    return 0;
}

/* The layout of ints. Digits have 30 bits. Until 3.11 the word before them, ob_size, is their number, negative for a
   negative int; since 3.12 that word, lv_tag, has the sign in its two lowest bits and the number of digits from the
   fourth bit on (https://github.com/python/cpython/issues/101291). */

enum { BY_FUNCTION, BY_SIZE, BY_TAG };

static int ints_are, floats_are;

/* Read an int of at most two digits; returns whether it is one. */
static int
read_digits(const PyObject *word, int how, long long *number)
{
    const Int *held = (const Int *)word;
    intptr_t size = how == BY_TAG ? (intptr_t)(held->tag >> 3) : (intptr_t)held->tag;
    int negative = how == BY_TAG ? (held->tag & 3) == 2 : size < 0;
    if (size < 0)
        size = -size;
    if (size > 2)
        return 0;
    long long found = size == 0 ? 0 : held->digits[0];
    if (size == 2)
        found |= (long long)held->digits[1] << 30;
    *number = negative ? -found : found;
    return 1;
}

static int
ints_are_read(int how)
{
    static const long long tried[] = {0, 1, 5, 255, 65537, 123456789, (1LL << 30) - 1, 1LL << 30, (1LL << 45) + 3,
                                      (1LL << 60) - 1};
    int known = 1;
    for (size_t at = 0; known && at < 2 * sizeof tried / sizeof *tried; at++) {
        long long wanted = at % 2 ? -tried[at / 2] : tried[at / 2], number = 1;
        PyObject *word = PyLong_FromLongLong(wanted);
        known = word != NULL && read_digits(word, how, &number) && number == wanted;
        Py_XDECREF(word);
    }
    PyObject *large = PyLong_FromLongLong(1LL << 60);
    long long number;
    known = known && large != NULL && !read_digits(large, how, &number);
    Py_XDECREF(large);
    return known;
}

static void
look_at_numbers(void)
{
    int of_words = sizeof(void *) == 8 && sizeof(Int) == sizeof(PyObject) + 16;
    ints_are = !of_words ? BY_FUNCTION : ints_are_read(BY_SIZE) ? BY_SIZE : ints_are_read(BY_TAG) ? BY_TAG : BY_FUNCTION;
    PyObject *word = PyFloat_FromDouble(-1.75);
    floats_are = word != NULL && ((const Float *)word)->value == -1.75;
    Py_XDECREF(word);
}

/* An int in 64 bits; returns whether it fits. */
static int
read_int(PyObject *word, long long *number)
{
    int overflow = 0;
    if (ints_are != BY_FUNCTION && read_digits(word, ints_are, number))
        return 1;
    *number = PyLong_AsLongLongAndOverflow(word, &overflow);
    return !overflow;
}

static double
read_float(PyObject *word)
{
    return floats_are ? ((const Float *)word)->value : PyFloat_AsDouble(word);
}

/* Delete items of a list without shrinking its buffer. A finalizer may change the list. */
static PyObject *
drop(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tape;
    Py_ssize_t start, stop;
    if (!PyArg_ParseTuple(args, "O!nn:drop", &PyList_Type, &tape, &start, &stop))
        return NULL;
    List *list = (List *)tape;
    Py_ssize_t size = list->head.ob_size;
    if (start < 0 || stop < start || stop > size) {
        PyErr_SetString(PyExc_IndexError, "no such slice");
        return NULL;
    }
    size_t bytes = (size_t)(stop - start) * sizeof(PyObject *);
    PyObject **taken = PyMem_Malloc(bytes);
    if (taken == NULL)
        return PyErr_NoMemory();
    memcpy(taken, list->items + start, bytes);
    memmove(list->items + start, list->items + stop, (size_t)(size - stop) * sizeof(PyObject *));
    Py_SET_SIZE(&list->head, size - (stop - start));
    for (Py_ssize_t at = 0; at < stop - start; at++) {
        if (at + SOON < stop - start)
            FETCH(taken[at + SOON]);
        let_go(taken[at]);
    }
    PyMem_Free(taken);
    Py_RETURN_NONE;
}

/* Objects are aligned to 16 bytes: the lower bits of an address carry no information. */
#define ADDRESS_SHIFT 4

static size_t
slot_of(const void *address, size_t mask)
{
    uintptr_t bits = (uintptr_t)address >> ADDRESS_SHIFT;
    return (size_t)(bits ^ bits >> 9) & mask;
}

/* Types with their codes and flags: a hash table with open addressing, at most a quarter full. */

typedef struct {
    PyObject *type;
    PyObject *parts; /* the parts of every value of the type, or a function that returns those of one */
    unsigned char code, flags;
} Entry;

typedef struct {
    Entry *entries;
    size_t mask;
    PyObject *listed, *parts;
} Types;

#define TYPES "adebug.types"

static void
free_types(PyObject *capsule)
{
    Types *types = PyCapsule_GetPointer(capsule, TYPES);
    Py_XDECREF(types->listed);
    Py_XDECREF(types->parts);
    PyMem_Free(types->entries);
    PyMem_Free(types);
}

static void
fill_types(const Types *types, Py_ssize_t length, const char *codes, const char *flags)
{
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *type = PyList_GetItem(types->listed, at), *parts = PyList_GetItem(types->parts, at);
        size_t slot = slot_of(type, types->mask);
        while (types->entries[slot].type != NULL && types->entries[slot].type != type)
            slot = (slot + 1) & types->mask;
        Entry entry = {type, parts == Py_None ? NULL : parts, (unsigned char)codes[at], (unsigned char)flags[at]};
        types->entries[slot] = entry;
    }
}

static PyObject *
make_types(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *listed, *codes, *flags, *parts;
    if (!PyArg_ParseTuple(args, "O!O!O!O!:types", &PyList_Type, &listed, &PyBytes_Type, &codes, &PyBytes_Type, &flags,
                          &PyList_Type, &parts))
        return NULL;
    Py_ssize_t length = PyList_Size(listed);
    if (PyBytes_Size(codes) != length || PyBytes_Size(flags) != length || PyList_Size(parts) != length) {
        PyErr_SetString(PyExc_ValueError, "there must be one code, one flag and one entry of parts for each type");
        return NULL;
    }
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *held = PyList_GetItem(parts, at);
        if (held != Py_None && !PyTuple_Check(held) && !PyCallable_Check(held)) {
            PyErr_SetString(PyExc_TypeError, "parts must be tuples, or functions that give them");
            return NULL;
        }
    }
    size_t size = 64;
    while (size < 4 * (size_t)length)
        size *= 2;
    Types *types = PyMem_Calloc(1, sizeof *types);
    if (types == NULL)
        return PyErr_NoMemory();
    types->entries = PyMem_Calloc(size, sizeof(Entry));
    types->mask = size - 1;
    types->listed = PyList_GetSlice(listed, 0, length);
    types->parts = PyList_GetSlice(parts, 0, length);
    PyObject *capsule = NULL;
    if (types->entries != NULL && types->listed != NULL && types->parts != NULL) {
        fill_types(types, length, PyBytes_AsString(codes), PyBytes_AsString(flags));
        capsule = PyCapsule_New(types, TYPES, free_types);
    }
    if (capsule == NULL) {
        Py_XDECREF(types->listed);
        Py_XDECREF(types->parts);
        PyMem_Free(types->entries);
        PyMem_Free(types);
        if (!PyErr_Occurred())
            PyErr_NoMemory();
    }
    return capsule;
}

/* The entry of the type of a word; NULL if there is none. */
static const Entry *
entry_of(const Types *types, PyObject *word)
{
    PyObject *type = (PyObject *)Py_TYPE(word);
    size_t slot = slot_of(type, types->mask);
    while (types->entries[slot].type != type) {
        if (types->entries[slot].type == NULL)
            return NULL;
        slot = (slot + 1) & types->mask;
    }
    return &types->entries[slot];
}

/* Numbers of values by address: a hash table with open addressing, at most half full. It keeps nothing alive. */

typedef struct {
    PyObject *value;
    unsigned int number;
} Found;

typedef struct {
    PyObject_HEAD
    Found *slots;
    size_t mask, used;
    int shift;
} Registry;

typedef struct {
    PyTypeObject *registry;
} State;

static Registry *
registry_of(PyObject *module, PyObject *o)
{
    State *state = PyModule_GetState(module);
    if (Py_TYPE(o) == state->registry)
        return (Registry *)o;
    PyErr_SetString(PyExc_TypeError, "expected a Registry");
    return NULL;
}

static PyObject *
make_registry(PyObject *module, PyObject *Py_UNUSED(nothing))
{
    State *state = PyModule_GetState(module);
    Registry *made = PyObject_New(Registry, state->registry);
    if (made == NULL)
        return NULL;
    made->mask = 1023;
    made->shift = 64 - 10;
    made->used = 0;
    made->slots = PyMem_Calloc(made->mask + 1, sizeof(Found));
    if (made->slots == NULL) {
        Py_DECREF(made);
        return PyErr_NoMemory();
    }
    return (PyObject *)made;
}

static void
free_registry(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(((Registry *)self)->slots);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Fibonacci hashing: objects of one size lie at regular distances, which would collide. */
static size_t
home_of(const Registry *registry, const void *value)
{
    return (size_t)((uint64_t)((uintptr_t)value >> ADDRESS_SHIFT) * 0x9E3779B97F4A7C15u >> registry->shift);
}

/* The slot where a value is, or would be. */
static Found *
find_value(const Registry *registry, const void *value)
{
    size_t slot = home_of(registry, value);
    while (registry->slots[slot].value != NULL && registry->slots[slot].value != value)
        slot = (slot + 1) & registry->mask;
    return &registry->slots[slot];
}

static int
make_room(Registry *registry)
{
    if (2 * (registry->used + 1) <= registry->mask)
        return 0;
    Found *before = registry->slots;
    size_t size = registry->mask + 1;
    Found *slots = PyMem_Calloc(2 * size, sizeof(Found));
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    registry->slots = slots;
    registry->mask = 2 * size - 1;
    registry->shift--;
    for (size_t at = 0; at < size; at++)
        if (before[at].value != NULL)
            *find_value(registry, before[at].value) = before[at];
    PyMem_Free(before);
    return 0;
}

/* Delete an entry. Entries after it in the same probe sequence move up, so that no tombstone is needed. */
static void
take_out(Registry *registry, Found *found)
{
    size_t hole = (size_t)(found - registry->slots), at = hole;
    for (;;) {
        at = (at + 1) & registry->mask;
        if (registry->slots[at].value == NULL)
            break;
        size_t home = home_of(registry, registry->slots[at].value);
        if (((at - home) & registry->mask) >= ((at - hole) & registry->mask)) {
            registry->slots[hole] = registry->slots[at];
            hole = at;
        }
    }
    registry->slots[hole].value = NULL;
    registry->used--;
}

static Found *
find_identity(PyObject *self, PyObject *identity)
{
    void *value = PyLong_AsVoidPtr(identity);
    return value == NULL && PyErr_Occurred() ? NULL : find_value((Registry *)self, value);
}

static int
registry_contains(PyObject *self, PyObject *identity)
{
    Found *found = find_identity(self, identity);
    return found == NULL ? -1 : found->value != NULL;
}

static PyObject *
registry_get(PyObject *self, PyObject *identity)
{
    Found *found = find_identity(self, identity);
    if (found != NULL && found->value == NULL)
        PyErr_SetObject(PyExc_KeyError, identity);
    return found == NULL || found->value == NULL ? NULL : PyLong_FromUnsignedLong(found->number);
}

static int
registry_set(PyObject *self, PyObject *identity, PyObject *held)
{
    Registry *registry = (Registry *)self;
    unsigned long number = held == NULL ? 0 : PyLong_AsUnsignedLong(held);
    if (PyErr_Occurred() || make_room(registry) < 0)
        return -1;
    Found *found = find_identity(self, identity);
    if (found == NULL)
        return -1;
    if (number > UINT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a number must fit into 32 bits");
        return -1;
    }
    if (held == NULL && found->value == NULL) {
        PyErr_SetObject(PyExc_KeyError, identity);
        return -1;
    }
    if (held == NULL) {
        take_out(registry, found);
        return 0;
    }
    registry->used += found->value == NULL;
    found->value = PyLong_AsVoidPtr(identity);
    found->number = (unsigned int)number;
    return 0;
}

static Py_ssize_t
registry_length(PyObject *self)
{
    return (Py_ssize_t)((Registry *)self)->used;
}

static PyType_Slot registry_slots[] = {
    {Py_tp_dealloc, free_registry},
    {Py_sq_contains, registry_contains},
    {Py_mp_subscript, registry_get},
    {Py_mp_ass_subscript, registry_set},
    {Py_mp_length, registry_length},
    {0, NULL},
};

static PyType_Spec registry_spec = {
    .name = "_accelerator.Registry",
    .basicsize = sizeof(Registry),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = registry_slots,
};

/* Number values. A value without a number gets one by its place, and is appended to `fresh`. */
static int
number_all(PyObject *const *values, Py_ssize_t length, Registry *registry, unsigned int first, unsigned int *numbers,
           unsigned int *new, PyObject *fresh)
{
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *value = values[at];
        if (at + SOON < length)
            FETCH(&registry->slots[home_of(registry, values[at + SOON])]);
        Found *found = find_value(registry, value);
        if (found->value == NULL) {
            if (make_room(registry) < 0 || push(fresh, value) < 0)
                return -1;
            found = find_value(registry, value);
            found->value = value;
            *new++ = found->number = first + (unsigned int)at;
            registry->used++;
        }
        numbers[at] = found->number;
    }
    return 0;
}

static int
have_numbers(unsigned long long first, Py_ssize_t length)
{
    if (first <= UINT_MAX && (unsigned long long)length <= UINT_MAX - first)
        return 1;
    PyErr_SetString(PyExc_OverflowError, "a number must fit into 32 bits");
    return 0;
}

static PyObject *
number(PyObject *module, PyObject *args)
{
    PyObject *values, *known, *result = NULL;
    unsigned long long first;
    if (!PyArg_ParseTuple(args, "O!OK:number", &PyList_Type, &values, &known, &first))
        return NULL;
    Registry *registry = registry_of(module, known);
    Py_ssize_t length = PyList_Size(values);
    if (registry == NULL || !have_numbers(first, length))
        return NULL;
    size_t bytes = (size_t)length * sizeof(unsigned int);
    unsigned int *numbers = PyMem_Malloc(bytes), *new = PyMem_Malloc(bytes);
    PyObject *fresh = PyList_New(0);
    if (numbers == NULL || new == NULL)
        PyErr_NoMemory();
    else if (fresh != NULL &&
             number_all(items_of(values), length, registry, (unsigned int)first, numbers, new, fresh) == 0)
        result = Py_BuildValue(
            "(NNO)", PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)bytes),
            PyBytes_FromStringAndSize((const char *)new, PyList_Size(fresh) * (Py_ssize_t)sizeof(unsigned int)), fresh);
    Py_XDECREF(fresh);
    PyMem_Free(numbers);
    PyMem_Free(new);
    return result;
}

/* The columns of a slice of words. Each buffer has room for every word. Other values are borrowed from the list of words:
   no code of the program runs before they are numbered. */

typedef struct {
    char *codes;
    long long *ints;
    double *floats;
    PyObject **others;
    unsigned int *numbers, *new, *births;
    Py_ssize_t words, ints_used, floats_used, others_used, births_used;
    PyObject *markers, *fresh, *shown, *born;
} Columns;

static void
free_columns(Columns *columns)
{
    PyMem_Free(columns->codes);
    PyMem_Free(columns->ints);
    PyMem_Free(columns->floats);
    PyMem_Free(columns->others);
    PyMem_Free(columns->numbers);
    PyMem_Free(columns->new);
    PyMem_Free(columns->births);
    Py_XDECREF(columns->markers);
    Py_XDECREF(columns->fresh);
    Py_XDECREF(columns->shown);
    Py_XDECREF(columns->born);
}

static int
make_columns(Columns *columns, Py_ssize_t room)
{
    size_t words = (size_t)room;
    memset(columns, 0, sizeof *columns);
    columns->codes = PyMem_Malloc(words);
    columns->ints = PyMem_Malloc(words * sizeof(long long));
    columns->floats = PyMem_Malloc(words * sizeof(double));
    columns->others = PyMem_Malloc(words * sizeof(PyObject *));
    columns->numbers = PyMem_Malloc(words * sizeof(unsigned int));
    columns->new = PyMem_Malloc(words * sizeof(unsigned int));
    columns->births = PyMem_Malloc(words * sizeof(unsigned int));
    if (columns->codes == NULL || columns->ints == NULL || columns->floats == NULL || columns->others == NULL ||
        columns->numbers == NULL || columns->new == NULL || columns->births == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    columns->markers = PyList_New(0);
    columns->fresh = PyList_New(0);
    columns->shown = PyList_New(0);
    columns->born = PyList_New(0);
    int made = columns->markers != NULL && columns->fresh != NULL && columns->shown != NULL && columns->born != NULL;
    return made ? 0 : -1;
}

/* One loop over all words, with its counters in local variables: the hottest loop of a flush. The flags of a marker are
   about the word after it. */
static int
sort_words(Columns *columns, const Types *types, PyObject *words, Py_ssize_t start, Py_ssize_t stop)
{
    PyObject *const *items = items_of(words);
    char *codes = columns->codes;
    long long *ints = columns->ints;
    double *floats = columns->floats;
    PyObject **others = columns->others;
    unsigned int *births = columns->births;
    unsigned char flags = 0;
    for (Py_ssize_t at = start; at < stop; at++) {
        PyObject *word = items[at];
        if (at + SOON < stop)
            FETCH(items[at + SOON]);
        const Entry *entry = entry_of(types, word);
        unsigned char code = entry == NULL ? WORD_OTHER : entry->code;
        switch (code) {
        case WORD_BOOL:
            *ints++ = word == Py_True;
            break;
        case WORD_INT:
            if (read_int(word, ints))
                ints++;
            else
                *others++ = word, code = WORD_OTHER;
            break;
        case WORD_FLOAT:
            *floats++ = read_float(word);
            break;
        case WORD_MARKER:
            if (push(columns->markers, word) < 0)
                return -1;
            break;
        case WORD_OTHER:
            *others++ = word;
            break;
        }
        *codes++ = (char)code;
        if (flags & BIRTH && code == WORD_OTHER)
            *births++ = (unsigned int)(others - columns->others) - 1;
        if (flags & SHOWS && push(columns->shown, word) < 0)
            return -1;
        flags = entry == NULL ? 0 : entry->flags;
    }
    columns->words = codes - columns->codes;
    columns->ints_used = ints - columns->ints;
    columns->floats_used = floats - columns->floats;
    columns->others_used = others - columns->others;
    columns->births_used = births - columns->births;
    if (flags & SHOWS && stop < PyList_Size(words))
        return push(columns->shown, items[stop]);
    return 0;
}

/* Those of the words which come to be that had no number before: a new one has its number from its place. */
static int
add_born(Columns *columns, unsigned int first)
{
    for (Py_ssize_t at = 0; at < columns->births_used; at++) {
        unsigned int place = columns->births[at];
        if (columns->numbers[place] == first + place && push(columns->born, columns->others[place]) < 0)
            return -1;
    }
    return 0;
}

static PyObject *
four_bytes_each(const unsigned int *numbers, Py_ssize_t count)
{
    return PyBytes_FromStringAndSize((const char *)numbers, count * (Py_ssize_t)sizeof(unsigned int));
}

static PyObject *
columns_as_tuple(const Columns *columns)
{
    return Py_BuildValue(
        "(NNNONNOOO)",
        PyBytes_FromStringAndSize(columns->codes, columns->words),
        PyBytes_FromStringAndSize((const char *)columns->ints, columns->ints_used * (Py_ssize_t)sizeof(long long)),
        PyBytes_FromStringAndSize((const char *)columns->floats, columns->floats_used * (Py_ssize_t)sizeof(double)),
        columns->markers, four_bytes_each(columns->numbers, columns->others_used),
        four_bytes_each(columns->new, PyList_Size(columns->fresh)), columns->fresh, columns->shown, columns->born);
}

static PyObject *
take(PyObject *module, PyObject *args)
{
    PyObject *words, *capsule, *known, *result = NULL;
    Py_ssize_t start, stop;
    unsigned long long first;
    if (!PyArg_ParseTuple(args, "O!nnOOK:take", &PyList_Type, &words, &start, &stop, &capsule, &known, &first))
        return NULL;
    Types *types = PyCapsule_GetPointer(capsule, TYPES);
    Registry *registry = types == NULL ? NULL : registry_of(module, known);
    if (registry == NULL)
        return NULL;
    if (start < 0 || stop < start || stop > PyList_Size(words)) {
        PyErr_SetString(PyExc_IndexError, "no such slice");
        return NULL;
    }
    Columns columns;
    if (make_columns(&columns, stop - start) == 0 && sort_words(&columns, types, words, start, stop) == 0 &&
        have_numbers(first, columns.others_used) &&
        number_all(columns.others, columns.others_used, registry, (unsigned int)first, columns.numbers, columns.new,
                   columns.fresh) == 0 &&
        add_born(&columns, (unsigned int)first) == 0)
        result = columns_as_tuple(&columns);
    free_columns(&columns);
    return result;
}

/* The numbers of values which have some; None if one of them has none. */
static PyObject *
look_up(PyObject *module, PyObject *args)
{
    PyObject *values, *known;
    if (!PyArg_ParseTuple(args, "O!O:look_up", &PyList_Type, &values, &known))
        return NULL;
    Registry *registry = registry_of(module, known);
    if (registry == NULL)
        return NULL;
    Py_ssize_t length = PyList_Size(values);
    PyObject *result = PyBytes_FromStringAndSize(NULL, length * (Py_ssize_t)sizeof(unsigned int));
    if (result == NULL)
        return NULL;
    char *out = PyBytes_AsString(result);
    for (Py_ssize_t at = 0; at < length; at++) {
        const Found *found = find_value(registry, items_of(values)[at]);
        if (found->value == NULL) {
            Py_DECREF(result);
            Py_RETURN_NONE;
        }
        memcpy(out + (size_t)at * sizeof(unsigned int), &found->number, sizeof(unsigned int));
    }
    return result;
}

static PyObject *
forget(PyObject *module, PyObject *args)
{
    PyObject *values, *known;
    if (!PyArg_ParseTuple(args, "O!O:forget", &PyList_Type, &values, &known))
        return NULL;
    Registry *registry = registry_of(module, known);
    if (registry == NULL)
        return NULL;
    Py_ssize_t length = PyList_Size(values);
    for (Py_ssize_t at = 0; at < length; at++) {
        if (at + SOON < length)
            FETCH(&registry->slots[home_of(registry, items_of(values)[at + SOON])]);
        Found *found = find_value(registry, items_of(values)[at]);
        if (found->value != NULL)
            take_out(registry, found);
    }
    Py_RETURN_NONE;
}

/* Objects that nothing but a list refers to, and the others. */
static PyObject *
alone(PyObject *Py_UNUSED(module), PyObject *objects)
{
    if (!PyList_Check(objects)) {
        PyErr_SetString(PyExc_TypeError, "a list is wanted");
        return NULL;
    }
    PyObject *dead = PyList_New(0), *alive = PyList_New(0), *result = NULL;
    int failed = dead == NULL || alive == NULL;
    for (Py_ssize_t at = 0; !failed && at < PyList_Size(objects); at++) {
        PyObject *o = items_of(objects)[at];
        failed = push(Py_REFCNT(o) == 1 ? dead : alive, o) < 0;
    }
    if (!failed)
        result = PyTuple_Pack(2, dead, alive);
    Py_XDECREF(dead);
    Py_XDECREF(alive);
    return result;
}

static int
add_to(Registry *registry, PyObject *o)
{
    if (make_room(registry) < 0)
        return -1;
    Found *found = find_value(registry, o);
    registry->used += found->value == NULL;
    found->value = o;
    return 0;
}

static int
add_shown(Registry *seen, PyObject *shown, PyObject *born, const Types *types)
{
    for (Py_ssize_t at = 0; at < PyList_Size(shown); at++)
        if (add_to(seen, items_of(shown)[at]) < 0)
            return -1;
    for (Py_ssize_t at = 0; at < PyList_Size(born); at++) {
        const Entry *entry = entry_of(types, items_of(born)[at]);
        if (entry != NULL && entry->flags & SHOWS && add_to(seen, items_of(born)[at]) < 0)
            return -1;
    }
    return 0;
}

/* The objects that no record shows. An object counts as shown from birth on, if its class says so. */
static PyObject *
unshown(PyObject *module, PyObject *args)
{
    PyObject *objects, *shown, *born, *capsule;
    if (!PyArg_ParseTuple(args, "O!O!O!O:unshown", &PyList_Type, &objects, &PyList_Type, &shown, &PyList_Type, &born,
                          &capsule))
        return NULL;
    Types *types = PyCapsule_GetPointer(capsule, TYPES);
    PyObject *seen = types == NULL ? NULL : make_registry(module, NULL), *found = PyList_New(0);
    int failed = seen == NULL || found == NULL || add_shown((Registry *)seen, shown, born, types) < 0;
    for (Py_ssize_t at = 0; !failed && at < PyList_Size(objects); at++) {
        PyObject *o = items_of(objects)[at];
        failed = find_value((Registry *)seen, o)->value == NULL && push(found, o) < 0;
    }
    Py_XDECREF(seen);
    if (failed)
        Py_CLEAR(found);
    return found;
}

static PyObject *held_for(PyObject *word);

/* Values taken apart: the kind of each, the values of each kind, and all their parts, concatenated. */

typedef struct {
    char *kinds;
    unsigned int *lengths;
    Py_ssize_t lengths_used;
    PyObject *owners, *parts;
} Apart;

static int
add_parts(Apart *apart, PyObject *held)
{
    if (held == NULL || !PyTuple_Check(held)) {
        PyErr_SetString(PyExc_TypeError, "parts must be a tuple");
        return -1;
    }
    Py_ssize_t length = PyTuple_Size(held);
    apart->lengths[apart->lengths_used++] = (unsigned int)length;
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *item = PyTuple_GetItem(held, at);
        /* A tuple is taken apart later. */
        PyObject *part = PyTuple_CheckExact(item) ? Py_NewRef(item) : held_for(item);
        int failed = push(apart->parts, part) < 0;
        Py_DECREF(part);
        if (failed)
            return -1;
    }
    return 0;
}

static int
take_apart(Apart *apart, PyObject *value, const Entry *entry)
{
    if (entry->code >= KINDS || push(items_of(apart->owners)[entry->code], value) < 0)
        return -1;
    if (entry->code == KIND_TUPLE)
        return add_parts(apart, value);
    if (entry->code < KIND_TUPLE || entry->code >= KIND_TYPE)
        return 0;
    if (entry->parts == NULL || PyTuple_Check(entry->parts))
        return add_parts(apart, entry->parts);
    PyObject *held = PyObject_CallFunctionObjArgs(entry->parts, value, NULL);
    int failed = held == NULL || add_parts(apart, held) < 0;
    Py_XDECREF(held);
    return failed ? -1 : 0;
}

/* Returns 1 if a value has a type without an entry. */
static int
apart_all(Apart *apart, PyObject *values, const Types *types)
{
    Py_ssize_t length = PyList_Size(values);
    for (Py_ssize_t at = 0; at < length; at++) {
        if (at + SOON < length)
            FETCH(items_of(values)[at + SOON]);
        const Entry *entry = entry_of(types, items_of(values)[at]);
        if (entry == NULL)
            return 1;
        apart->kinds[at] = (char)entry->code;
    }
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *value = PyList_GetItem(values, at);
        if (take_apart(apart, value, entry_of(types, value)) < 0)
            return -1;
    }
    return 0;
}

static PyObject *
take_all_apart(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *values, *capsule, *owners, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!OO!:apart", &PyList_Type, &values, &capsule, &PyList_Type, &owners))
        return NULL;
    Types *types = PyCapsule_GetPointer(capsule, TYPES);
    if (types == NULL)
        return NULL;
    int listed = PyList_Size(owners) == KINDS;
    for (Py_ssize_t at = 0; listed && at < KINDS; at++)
        listed = PyList_Check(PyList_GetItem(owners, at));
    if (!listed) {
        PyErr_SetString(PyExc_ValueError, "there must be one list for each kind");
        return NULL;
    }
    Py_ssize_t length = PyList_Size(values);
    Apart apart = {PyMem_Malloc((size_t)length), PyMem_Malloc((size_t)length * sizeof(unsigned int)), 0, owners,
                   PyList_New(0)};
    int found = -1;
    if (apart.kinds == NULL || apart.lengths == NULL)
        PyErr_NoMemory();
    else if (apart.parts != NULL)
        found = apart_all(&apart, values, types);
    if (found == 1)
        result = Py_NewRef(Py_None);
    else if (found == 0)
        result = Py_BuildValue("(NNO)", PyBytes_FromStringAndSize(apart.kinds, length),
                               PyBytes_FromStringAndSize((const char *)apart.lengths,
                                                         apart.lengths_used * (Py_ssize_t)sizeof(unsigned int)),
                               apart.parts);
    Py_XDECREF(apart.parts);
    PyMem_Free(apart.kinds);
    PyMem_Free(apart.lengths);
    return result;
}

/* The referents of an object, up to a limit. */

enum { MOST_ATTRIBUTES = 32 };

typedef struct {
    PyObject *held[MOST_ATTRIBUTES + 1];
    Py_ssize_t used;
} Referents;

static int
add_referent(PyObject *o, void *to)
{
    Referents *referents = to;
    if (referents->used > MOST_ATTRIBUTES)
        return 1;
    referents->held[referents->used++] = o;
    return 0;
}

/* Whether the dictionaries of a class and its bases still have the same sizes. */
static int
have_sizes(PyObject *dictionaries, PyObject *sizes)
{
    Py_ssize_t count = PyList_Size(dictionaries);
    int same = PyList_Size(sizes) == count;
    for (Py_ssize_t at = 0; same && at < count; at++)
        same = PyObject_Size(items_of(dictionaries)[at]) == PyLong_AsSsize_t(items_of(sizes)[at]);
    return same;
}

/* Name, value, name, value... of the attributes by these names, without creating the instance dictionary, which since
   3.11 is made on demand (inline values, Objects/dictobject.c). None if the object has others, lacks some or holds them in
   another order: tp_traverse visits the values in order and the class last (bpo-40217). The class has no attribute by these
   names, so that no code runs; otherwise its dictionaries would have other sizes. */
static PyObject *
peek(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *o, *names, *dictionaries, *sizes;
    if (!PyArg_ParseTuple(args, "OO!O!O!:peek", &o, &PyTuple_Type, &names, &PyList_Type, &dictionaries, &PyList_Type,
                          &sizes))
        return NULL;
    Py_ssize_t count = PyTuple_Size(names);
    PyTypeObject *type = Py_TYPE(o);
    if (!have_sizes(dictionaries, sizes)) {
        if (PyErr_Occurred())
            return NULL;
        Py_RETURN_NONE;
    }
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) || !PyType_IS_GC(type) || PyType_GetSlot(type, Py_tp_is_gc))
        Py_RETURN_NONE;
    traverseproc traverse = (traverseproc)PyType_GetSlot(type, Py_tp_traverse);
    Referents referents = {.used = 0};
    if (count > MOST_ATTRIBUTES || traverse == NULL || traverse(o, add_referent, &referents) ||
        referents.used != count + 1 || referents.held[count] != (PyObject *)type)
        Py_RETURN_NONE;
    PyObject *found = PyTuple_New(2 * count);
    for (Py_ssize_t at = 0; found != NULL && at < count; at++) {
        PyObject *name = PyTuple_GetItem(names, at), *value = PyObject_GenericGetAttr(o, name);
        if (value == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError)) {
            Py_DECREF(found);
            return NULL;
        }
        PyErr_Clear();
        if (value != referents.held[at]) {
            Py_XDECREF(value);
            Py_DECREF(found);
            Py_RETURN_NONE;
        }
        PyTuple_SetItem(found, 2 * at, Py_NewRef(name));
        PyTuple_SetItem(found, 2 * at + 1, value);
    }
    return found;
}

/* Byte planes of numbers of 4 or 8 bytes, block by block, so that a block stays in the cache. */

#define BLOCK 512
#define GROUP 16

/* For each byte of a number, the bitwise or over all of them. */
static void
find_used(const unsigned char *raw, Py_ssize_t length, unsigned char *used)
{
    uint64_t all = 0, eight;
    Py_ssize_t at = 0;
    for (; at + 8 <= length; at += 8) {
        memcpy(&eight, raw + at, 8);
        all |= eight;
    }
    memcpy(used, &all, 8);
    for (; at < length; at++)
        used[at & 7] |= raw[at];
}

#if defined(__SSE2__)
#include <emmintrin.h>

/* The planes of sixteen numbers at a time. Their bytes are in as many registers as a number has bytes. To interleave the
   first half of them with the second moves the highest bit of each byte's place to the end of it; done four times, the
   number of a byte has become the lower part of its place, and its place in the number the upper. */
static Py_ssize_t
fill_by_groups(const unsigned char *raw, Py_ssize_t count, Py_ssize_t width, unsigned int kept, unsigned char *out)
{
    Py_ssize_t at = 0, half = width / 2;
    for (; at + GROUP <= count; at += GROUP) {
        __m128i rows[8], turned[8];
        memcpy(rows, raw + at * width, (size_t)(GROUP * width));
        for (int round = 0; round < 4; round++) {
            for (Py_ssize_t row = 0; row < half; row++) {
                turned[2 * row] = _mm_unpacklo_epi8(rows[row], rows[row + half]);
                turned[2 * row + 1] = _mm_unpackhi_epi8(rows[row], rows[row + half]);
            }
            memcpy(rows, turned, sizeof rows);
        }
        unsigned char *plane = out + at;
        for (Py_ssize_t byte = 0; byte < width; byte++)
            if (kept >> byte & 1) {
                memcpy(plane, &rows[byte], GROUP);
                plane += count;
            }
    }
    return at;
}
#else
static Py_ssize_t
fill_by_groups(const unsigned char *Py_UNUSED(raw), Py_ssize_t Py_UNUSED(count), Py_ssize_t Py_UNUSED(width),
               unsigned int Py_UNUSED(kept), unsigned char *Py_UNUSED(out))
{
    return 0;
}
#endif

static void
fill_planes(const unsigned char *raw, Py_ssize_t count, Py_ssize_t width, unsigned int kept, unsigned char *out)
{
    /* Two calls with a constant width, so that the compiler can unroll the loops. */
    Py_ssize_t done = width == 8 ? fill_by_groups(raw, count, 8, kept, out) : fill_by_groups(raw, count, 4, kept, out);
    for (Py_ssize_t from = done; from < count; from += BLOCK) {
        Py_ssize_t to = count - from < BLOCK ? count : from + BLOCK;
        unsigned char *plane = out;
        for (Py_ssize_t byte = 0; byte < width; byte++) {
            if (!(kept >> byte & 1))
                continue;
            for (Py_ssize_t at = from; at < to; at++)
                plane[at] = raw[at * width + byte];
            plane += count;
        }
    }
}

static PyObject *
planes(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *column;
    Py_ssize_t width;
    if (!PyArg_ParseTuple(args, "O!n:planes", &PyBytes_Type, &column, &width))
        return NULL;
    Py_ssize_t length = PyBytes_Size(column);
    if ((width != 4 && width != 8) || length % width != 0) {
        PyErr_SetString(PyExc_ValueError, "numbers must have 4 or 8 bytes each");
        return NULL;
    }
    const unsigned char *raw = (const unsigned char *)PyBytes_AsString(column);
    unsigned char used[8];
    find_used(raw, length, used);
    unsigned int kept = 1;
    Py_ssize_t count = length / width, planes = 1;
    for (unsigned int byte = 1; byte < (unsigned int)width; byte++)
        if (used[byte] || (width == 4 && used[byte + 4])) {
            kept |= 1u << byte;
            planes++;
        }
    PyObject *result = PyBytes_FromStringAndSize(NULL, 1 + planes * count);
    if (result == NULL)
        return NULL;
    unsigned char *out = (unsigned char *)PyBytes_AsString(result);
    out[0] = (unsigned char)kept;
    fill_planes(raw, count, width, kept, out + 1);
    return result;
}

/* Calls on top of the frames of the program, which must not notice a RecursionError of theirs. */

static PyObject *
unless_too_deep(PyObject *result)
{
    if (result == NULL && PyErr_ExceptionMatches(PyExc_RecursionError)) {
        PyErr_Clear();
        result = Py_NewRef(Py_None);
    }
    return result;
}

#include "markers.c"

static PyMethodDef methods[] = {
    {"drop", drop, METH_VARARGS, "Delete items of a list."},
    {"types", make_types, METH_VARARGS, "A table of types."},
    {"take", take, METH_VARARGS, "Classify words, and number the other values."},
    {"registry", make_registry, METH_NOARGS, "A registry of values by their identity."},
    {"number", number, METH_VARARGS, "Number values by their identity."},
    {"look_up", look_up, METH_VARARGS, "The numbers of values in a registry."},
    {"forget", forget, METH_VARARGS, "Take values out of a registry."},
    {"alone", alone, METH_O, "Objects that nothing else refers to, and the others."},
    {"unshown", unshown, METH_VARARGS, "Objects that no record shows."},
    {"apart", take_all_apart, METH_VARARGS, "Take values apart."},
    {"peek", peek, METH_VARARGS, "The attributes of an object by their names."},
    {"planes", planes, METH_VARARGS, "Numbers as planes."},
    {"marker", make_marker, METH_VARARGS, "A native marker."},
    {"more", make_more, METH_NOARGS, "Continues a record."},
    {"kinds", make_kinds, METH_O, "Tests whether the type of a value is in a collection of identities."},
    {"begin_tape", begin_tape, METH_O, "Begin a new tape."},
    {"when_full", set_when_full, METH_O, "Set the function that flushes."},
    {"numbered", set_numbered, METH_O, "Set the registry of the values that have a number."},
    {"stand_ins", use_stand_ins, METH_VARARGS, "Set the functions of stand-ins."},
    {"use_lists", use_lists, METH_O, "Record to one list for each thread."},
    {"leave_details", leave_details, METH_NOARGS, "Drop details from now on."},
    {"forget_thread", forget_thread, METH_NOARGS, "Look the list of the current thread up again."},
    {"own", list_own, METH_NOARGS, "The numbers of frequent markers."},
    {"take_tape", take_tape, METH_VARARGS, "Columns of a native tape."},
    {NULL, NULL, 0, NULL},
};

/* The constants that this library was compiled with: the loader compares them with contract.py. */
static int
add_contract(PyObject *module)
{
    static const struct {
        const char *name;
        long value;
    } constants[] = {CONTRACT_CONSTANTS};
    PyObject *contract = PyDict_New();
    int failed = contract == NULL;
    for (size_t index = 0; !failed && index < sizeof constants / sizeof *constants; index++) {
        PyObject *value = PyLong_FromLong(constants[index].value);
        failed = value == NULL || PyDict_SetItemString(contract, constants[index].name, value) < 0;
        Py_XDECREF(value);
    }
    failed = failed || PyModule_AddObjectRef(module, "CONTRACT", contract) < 0;
    Py_XDECREF(contract);
    return failed ? -1 : 0;
}

static int
begin(PyObject *module)
{
    State *state = PyModule_GetState(module);
    if (!lists_are_known() || !refcounts_are_known()) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ImportError, "unknown layout of lists or reference counts in this interpreter");
        return -1;
    }
    look_at_numbers();
    state->registry = (PyTypeObject *)PyType_FromSpec(&registry_spec);
    if (state->registry == NULL || begin_tapes() < 0)
        return -1;
    return add_contract(module);
}

static void
end(void *module)
{
    State *state = PyModule_GetState(module);
    if (state != NULL)
        Py_CLEAR(state->registry);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, begin}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_accelerator",
    .m_size = sizeof(State),
    .m_free = end,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__accelerator(void)
{
    return PyModuleDef_Init(&definition);
}

/* Sorts and numbers the words of a tape: the same as `spill_sort.py`, which says what each function gives.

   Only the stable ABI of Python 3.10 is used, so that one library serves every later interpreter; formats with `#`
   are not part of it where the library is built for 3.13. No code of the
   program runs in here: types and values are told apart by their addresses, whole numbers and floats are read only
   where the type is exactly `int` or `float`, and the keys of the dictionary are ints of our own. */

#define Py_LIMITED_API 0x030A0000
#include <Python.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Changes with what the functions take or give: a library that was built from older source is not used. */
#define CONTRACT 2

enum { A_MARKER, A_NONE, A_BOOL, AN_INT, A_FLOAT, ANOTHER };

/* Objects are never closer than this; the bits below say nothing. */
#define ADDRESS_SHIFT 4

static size_t
slot_of(const void *address, size_t mask)
{
    uintptr_t bits = (uintptr_t)address >> ADDRESS_SHIFT;
    return (size_t)(bits ^ bits >> 9) & mask;
}

/* Types and their codes: open addressing, at most a quarter full. */

typedef struct {
    PyObject *type;
    unsigned char code;
} Entry;

typedef struct {
    Entry *entries;
    size_t mask;
} Types;

static int
make_types(Types *types, PyObject *listed, PyObject *codes)
{
    Py_ssize_t length = PyList_Size(listed);
    if (length < 0 || PyBytes_Size(codes) != length) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "there must be one code for each type");
        return -1;
    }
    size_t size = 64;
    while (size < 4 * (size_t)length)
        size *= 2;
    types->entries = PyMem_Calloc(size, sizeof(Entry));
    if (types->entries == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    types->mask = size - 1;
    const char *code = PyBytes_AsString(codes);
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *type = PyList_GetItem(listed, at);
        size_t slot = slot_of(type, types->mask);
        while (types->entries[slot].type != NULL && types->entries[slot].type != type)
            slot = (slot + 1) & types->mask;
        types->entries[slot].type = type;
        types->entries[slot].code = (unsigned char)code[at];
    }
    return 0;
}

static unsigned char
code_of(const Types *types, PyObject *word)
{
    PyObject *type = (PyObject *)Py_TYPE(word);
    size_t slot = slot_of(type, types->mask);
    while (types->entries[slot].type != type) {
        if (types->entries[slot].type == NULL)
            return ANOTHER;
        slot = (slot + 1) & types->mask;
    }
    return types->entries[slot].code;
}

/* What the words of a slice are sorted into. Each buffer has room for every word. */

typedef struct {
    char *codes;
    long long *ints;
    double *floats;
    Py_ssize_t words, ints_used, floats_used;
    PyObject *markers, *others;
} Columns;

static void
free_columns(Columns *columns)
{
    PyMem_Free(columns->codes);
    PyMem_Free(columns->ints);
    PyMem_Free(columns->floats);
    Py_XDECREF(columns->markers);
    Py_XDECREF(columns->others);
}

static int
make_columns(Columns *columns, Py_ssize_t room)
{
    size_t words = (size_t)room;
    memset(columns, 0, sizeof *columns);
    columns->codes = PyMem_Malloc(words);
    columns->ints = PyMem_Malloc(words * sizeof(long long));
    columns->floats = PyMem_Malloc(words * sizeof(double));
    if (columns->codes == NULL || columns->ints == NULL || columns->floats == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    columns->markers = PyList_New(0);
    columns->others = PyList_New(0);
    return columns->markers == NULL || columns->others == NULL ? -1 : 0;
}

static int
take_word(Columns *columns, PyObject *word, unsigned char code)
{
    int overflow;
    long long number;
    switch (code) {
    case A_BOOL:
        columns->ints[columns->ints_used++] = word == Py_True;
        break;
    case AN_INT:
        number = PyLong_AsLongLongAndOverflow(word, &overflow);
        if (overflow)
            code = ANOTHER;
        else
            columns->ints[columns->ints_used++] = number;
        break;
    case A_FLOAT:
        columns->floats[columns->floats_used++] = PyFloat_AsDouble(word);
        break;
    case A_MARKER:
        if (PyList_Append(columns->markers, word) < 0)
            return -1;
        break;
    }
    columns->codes[columns->words++] = (char)code;
    return code == ANOTHER ? PyList_Append(columns->others, word) : 0;
}

static PyObject *
columns_as_tuple(const Columns *columns)
{
    return Py_BuildValue(
        "(NNNOO)",
        PyBytes_FromStringAndSize(columns->codes, columns->words),
        PyBytes_FromStringAndSize((const char *)columns->ints, columns->ints_used * (Py_ssize_t)sizeof(long long)),
        PyBytes_FromStringAndSize((const char *)columns->floats, columns->floats_used * (Py_ssize_t)sizeof(double)),
        columns->markers, columns->others);
}

static PyObject *
sort(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *words, *listed, *codes, *result = NULL;
    Py_ssize_t start, stop;
    if (!PyArg_ParseTuple(args, "O!nnO!O!:sort", &PyList_Type, &words, &start, &stop,
                          &PyList_Type, &listed, &PyBytes_Type, &codes))
        return NULL;
    if (start < 0 || stop < start || stop > PyList_Size(words)) {
        PyErr_SetString(PyExc_IndexError, "no such slice");
        return NULL;
    }
    Types types = {NULL, 0};
    Columns columns;
    int failed = make_columns(&columns, stop - start) < 0 || make_types(&types, listed, codes) < 0;
    for (Py_ssize_t at = start; !failed && at < stop; at++) {
        PyObject *word = PyList_GetItem(words, at);
        failed = word == NULL || take_word(&columns, word, code_of(&types, word)) < 0;
    }
    if (!failed)
        result = columns_as_tuple(&columns);
    PyMem_Free(types.entries);
    free_columns(&columns);
    return result;
}

/* Numbers of values. Most values of a slice are there several times, so the last ones found are kept at hand. */

#define AT_HAND 1024

typedef struct {
    PyObject *value;
    unsigned int number;
} Found;

/* What had no number before. */

typedef struct {
    PyObject *numbers, *values;
} Fresh;

static int
read_number(PyObject *held, unsigned int *number)
{
    unsigned long found = PyLong_AsUnsignedLong(held);
    if (found == (unsigned long)-1 && PyErr_Occurred())
        return -1;
    if (found > UINT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a number must fit into 32 bits");
        return -1;
    }
    *number = (unsigned int)found;
    return 0;
}

static int
add_number(PyObject *known, PyObject *key, PyObject *value, const Fresh *fresh, unsigned long long number)
{
    PyObject *held = PyLong_FromUnsignedLongLong(number);
    int failed = held == NULL || PyDict_SetItem(known, key, held) < 0 || PyList_Append(fresh->numbers, held) < 0 ||
                 PyList_Append(fresh->values, value) < 0;
    Py_XDECREF(held);
    return failed ? -1 : 0;
}

/* The number of one value; `next` is the one that it gets if it has none. */
static int
number_of(PyObject *known, PyObject *value, const Fresh *fresh, unsigned long long next, unsigned int *number)
{
    PyObject *key = PyLong_FromVoidPtr(value);
    if (key == NULL)
        return -1;
    PyObject *held = PyDict_GetItemWithError(known, key);
    int failed;
    if (held != NULL)
        failed = read_number(held, number) < 0;
    else {
        failed = PyErr_Occurred() != NULL || add_number(known, key, value, fresh, next) < 0;
        *number = (unsigned int)next;
    }
    Py_DECREF(key);
    return failed ? -1 : 0;
}

static int
number_all(PyObject *values, Py_ssize_t length, PyObject *known, unsigned long long first, const Fresh *fresh,
           unsigned int *numbers)
{
    Found at_hand[AT_HAND] = {{NULL, 0}};
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *value = PyList_GetItem(values, at);
        if (value == NULL)
            return -1;
        Found *found = &at_hand[slot_of(value, AT_HAND - 1)];
        if (found->value != value) {
            found->value = NULL;
            if (number_of(known, value, fresh, first + (unsigned long long)at, &found->number) < 0)
                return -1;
            found->value = value;
        }
        numbers[at] = found->number;
    }
    return 0;
}

static PyObject *
number(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *values, *known, *result = NULL;
    unsigned long long first;
    if (!PyArg_ParseTuple(args, "O!O!K:number", &PyList_Type, &values, &PyDict_Type, &known, &first))
        return NULL;
    Py_ssize_t length = PyList_Size(values);
    if (first > UINT_MAX || (unsigned long long)length > UINT_MAX - first) {
        PyErr_SetString(PyExc_OverflowError, "a number must fit into 32 bits");
        return NULL;
    }
    size_t bytes = (size_t)length * sizeof(unsigned int);
    unsigned int *numbers = PyMem_Malloc(bytes);
    Fresh fresh = {PyList_New(0), PyList_New(0)};
    if (numbers == NULL)
        PyErr_NoMemory();
    else if (fresh.numbers != NULL && fresh.values != NULL &&
             number_all(values, length, known, first, &fresh, numbers) == 0)
        result = Py_BuildValue("(NOO)", PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)bytes),
                               fresh.numbers, fresh.values);
    Py_XDECREF(fresh.numbers);
    Py_XDECREF(fresh.values);
    PyMem_Free(numbers);
    return result;
}

/* Planes of numbers of 4 or 8 bytes. A block of numbers stays in the processor's cache while its planes are made. */

#define BLOCK 512

/* For each byte of a number whether it is other than zero in any of them. */
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

static void
fill_planes(const unsigned char *raw, Py_ssize_t count, Py_ssize_t width, unsigned int kept, unsigned char *out)
{
    for (Py_ssize_t from = 0; from < count; from += BLOCK) {
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

static PyMethodDef methods[] = {
    {"sort", sort, METH_VARARGS, "Sort words by what they are."},
    {"number", number, METH_VARARGS, "Number values by their identity."},
    {"planes", planes, METH_VARARGS, "Numbers as planes."},
    {NULL, NULL, 0, NULL},
};

static int
say_contract(PyObject *module)
{
    return PyModule_AddIntConstant(module, "CONTRACT", CONTRACT);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, say_contract}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_accelerator",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__accelerator(void)
{
    return PyModuleDef_Init(&definition);
}

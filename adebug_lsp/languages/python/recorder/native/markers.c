/* The native tape: records of a program with one thread, as the columns that the file needs.

   Recorded code appends a record by the operators of a native marker. An operator calls no function: it takes no level
   of recursion, and since CPython 3.11, which handles signals at calls and backward jumps only (CHECK_EVAL_BREAKER in
   Python/ceval.c), no signal handler runs in between. Ints and floats are read at once and not kept alive. With several threads the same operators append words to the list of the current thread.
   Included by accelerator.c. */

enum { MOST_WORDS = 4 }; /* appended by an operator without checking for room again */
#define FULL ((size_t)1 << 16)
#define FEW ((size_t)1 << 12)
#define LONGEST 2 /* seconds after which even a few words are flushed */
#define LOOKS 64  /* safe records between two readings of the clock */
#define HEAVY ((Py_ssize_t)1 << 26) /* bytes in large values, kept alive by a tape, after which it is flushed */
enum { FRAMES = 2 };                /* the classes of frames and of series */
enum { LATE = 64, PROBES = 64 };
enum { DEEP = 1000 };               /* levels of nested tuples that are searched */
enum { LONG = 64, WHOLE = 8 };      /* tuples longer than this, or nested, are remembered, this many (a power of two) */
enum { LIGHT = 512 };               /* types whose values are known to be small, a power of two */

typedef struct {
    PyObject_HEAD
    PyObject *owner; /* the Python object that stands for it on lists */
    unsigned int number, seen;
    unsigned char code, flags;
} NativeMarker;

typedef struct {
    PyObject_HEAD
    unsigned char *codes, *code, *limit, *end; /* first, next, where to check for a flush, end of the buffer */
    long long *ints, *whole;
    double *floats, *real;
    PyObject **others, **other;
    NativeMarker **marks, **mark;
    unsigned int *shown, *show, *born, *birth; /* indices into others */
    Py_ssize_t weight;                         /* bytes in large values */
    unsigned char after;                       /* flags of the last marker, for words that come one by one */
} NativeTape;

static struct {
    NativeTape *tape;         /* of the one thread */
    PyObject *when_full; /* flushes it */
    PyObject *find_list; /* returns the list of the current thread; NULL with one thread; None after the end */
    PyObject *list;      /* what it returned last, */
    uint64_t thread;     /* for this thread */
    char apart;          /* whether records go to lists or nowhere, or details are dropped */
    char skips;          /* whether the record that is being appended is dropped */
    PyObject *marker_class; /* the class of markers among words that come one by one */
    NativeMarker *own[MOST_FREQUENT];
    unsigned int own_used;
    PyTypeObject *tape_type, *marker_type, *more_type, *kinds_type;
    NativeTape spare;          /* the buffers of a tape that is no longer used */
    PyTypeObject *light[LIGHT], *arrays, *frames[FRAMES]; /* types of small values, by address; numpy.ndarray and those of pandas, once met */
    PyObject *met[LIGHT], *numbered; /* large values since the last flush; the registry of all that have a number */
    Py_ssize_t weight;    /* bytes in large values on the lists of threads */
    PyObject *is_mortal, *stand_in, *living; /* see tape/stand_ins.py: whether a type is mortal; the stand-in of an object; those known */
    int probes; /* so many more stand-ins are followed by a flush, which finds the objects that lead to them */
    PyObject *generators, *described; /* the types of generators and coroutines, and the class of their stand-ins */
    PyTypeObject *ends[2][LIGHT]; /* types that are not mortal, and those that are, by address */
    PyObject *whole[WHOLE]; /* long or nested tuples in which nothing needs a stand-in, by address, since the last flush */
    int depth;              /* of the tuple that is being searched, in tuples around it */
    char was_whole;         /* whether the tuple that was searched last is such a tuple, or a short one */
    size_t late[LATE]; /* indices, among the other values of the tape, of objects without their stand-in yet */
    unsigned int late_used;
    unsigned char looks;  /* safe records since the clock was read */
    time_t written;       /* time of the last flush */
} tapes;

/* Room */

#define WORDS(tape) ((size_t)((tape)->code - (tape)->codes))

static void
empty(NativeTape *tape)
{
    tape->code = tape->codes;
    tape->whole = tape->ints;
    tape->real = tape->floats;
    tape->other = tape->others;
    tape->mark = tape->marks;
    tape->show = tape->shown;
    tape->birth = tape->born;
    tape->weight = 0;
    tape->after = 0;
    tapes.late_used = 0;
    size_t room = (size_t)(tape->end - tape->codes);
    tape->limit = tape->codes + (FULL < room ? FULL : room);
}

static int
larger(void *first, void *next, size_t size, size_t words)
{
    char **begin = first, **end = next;
    size_t used = (size_t)(*end - *begin);
    char *made = PyMem_Realloc(*begin, (words + MOST_WORDS) * size);
    if (made == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    *begin = made;
    *end = made + used;
    return 1;
}

static int
grow(NativeTape *tape)
{
    size_t room = (size_t)(tape->end - tape->codes), wanted = room ? 2 * room : 2 * FULL;
    int grown = larger(&tape->codes, &tape->code, sizeof *tape->codes, wanted);
    tape->end = tape->limit = tape->codes + room; /* even if there is no memory for the other buffers */
    grown = grown && larger(&tape->ints, &tape->whole, sizeof *tape->ints, wanted) &&
            larger(&tape->floats, &tape->real, sizeof *tape->floats, wanted) &&
            larger(&tape->others, &tape->other, sizeof *tape->others, wanted) &&
            larger(&tape->marks, &tape->mark, sizeof *tape->marks, wanted) &&
            larger(&tape->shown, &tape->show, sizeof *tape->shown, wanted) &&
            larger(&tape->born, &tape->birth, sizeof *tape->born, wanted);
    if (grown)
        tape->end = tape->codes + wanted;
    return grown ? 0 : -1;
}

/* A finalizer may append records, but not to this tape: another one is in its place already. */
static void
release_all(NativeTape *tape)
{
    PyObject **others = tape->others, **end = tape->other;
    tape->other = others;
    for (PyObject **at = others; at < end; at++) {
        if (at + SOON < end)
            FETCH(at[SOON]);
        let_go(*at);
    }
}

/* Swap the content of two tapes. */
static void
exchange(NativeTape *tape, NativeTape *other)
{
    NativeTape held = *tape;
    size_t head = offsetof(NativeTape, codes), size = sizeof held - head;
    memcpy((char *)tape + head, (char *)other + head, size);
    memcpy((char *)other + head, (char *)&held + head, size);
}

static PyObject *
new_tape(void)
{
    NativeTape *made = (NativeTape *)PyType_GenericAlloc(tapes.tape_type, 0);
    if (made == NULL)
        return NULL;
    exchange(made, &tapes.spare);
    if (made->codes == NULL && grow(made) < 0)
        Py_CLEAR(made);
    else
        empty(made);
    return (PyObject *)made;
}

static void
free_tape(PyObject *self)
{
    NativeTape *tape = (NativeTape *)self;
    PyTypeObject *type = Py_TYPE(self);
    release_all(tape);
    if (tapes.spare.codes == NULL && tape->end - tape->codes <= (ptrdiff_t)(2 * FULL))
        exchange(tape, &tapes.spare);
    PyMem_Free(tape->codes);
    PyMem_Free(tape->ints);
    PyMem_Free(tape->floats);
    PyMem_Free(tape->others);
    PyMem_Free(tape->marks);
    PyMem_Free(tape->shown);
    PyMem_Free(tape->born);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Large values: bytes, bytearrays and numpy arrays. */

static int
has_text(PyObject *type, const char *attribute, const char *wanted)
{
    PyObject *held = PyObject_GetAttrString(type, attribute);
    int same = held != NULL && PyUnicode_Check(held) && PyUnicode_CompareWithASCIIString(held, wanted) == 0;
    Py_XDECREF(held);
    return same;
}

/* Whether it is numpy.ndarray, a type made in C: such types are asked for attributes without code of the program. */
static int
is_of_arrays(PyTypeObject *type)
{
    return !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && has_text((PyObject *)type, "__name__", "ndarray") &&
           has_text((PyObject *)type, "__module__", "numpy");
}

static Py_ssize_t
bytes_of_array(PyObject *array)
{
    PyObject *size = PyObject_GetAttrString(array, "nbytes");
    Py_ssize_t bytes = size == NULL ? 0 : PyLong_AsSsize_t(size);
    Py_XDECREF(size);
    return bytes;
}

/* Attributes of objects of pandas are in their dictionaries, or in C slots: no code of the program runs. */
static PyObject *
attribute_of(PyObject *o, const char *name)
{
    PyObject *key = o == NULL ? NULL : PyUnicode_InternFromString(name);
    PyObject *held = key == NULL ? NULL : PyObject_GenericGetAttr(o, key);
    Py_XDECREF(key);
    return held;
}

/* Whether it is pandas.DataFrame or pandas.Series, whose metaclass is `type`. */
static int
is_of_frames(PyTypeObject *type)
{
    PyObject *cls = (PyObject *)type;
    return Py_TYPE(cls) == &PyType_Type && (has_text(cls, "__name__", "DataFrame") || has_text(cls, "__name__", "Series")) &&
           (has_text(cls, "__module__", "pandas") || has_text(cls, "__module__", "pandas.core.frame") ||
            has_text(cls, "__module__", "pandas.core.series"));
}

/* The bytes of the arrays that a frame consists of. */
static Py_ssize_t
bytes_of_frame(PyObject *frame)
{
    PyObject *manager = attribute_of(frame, "_mgr"), *blocks = attribute_of(manager, "blocks");
    Py_ssize_t bytes = 0, count = blocks != NULL && PyTuple_CheckExact(blocks) ? PyTuple_Size(blocks) : 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *values = attribute_of(PyTuple_GetItem(blocks, at), "values");
        if (values != NULL && Py_TYPE(values) == tapes.arrays)
            bytes += bytes_of_array(values);
        Py_XDECREF(values);
    }
    Py_XDECREF(manager);
    Py_XDECREF(blocks);
    PyErr_Clear();
    return bytes;
}

/* Stand-ins: what a tape holds in place of objects whose end the program can notice, such as generators and files. */

/* Whether objects of a type may need one; -1 if that is not known, which is no error. */
static int
is_mortal(PyTypeObject *type)
{
    size_t slot = 2 * slot_of(type, LIGHT / 2 - 1);
    for (int mortal = 0; mortal < 2; mortal++)
        if (tapes.ends[mortal][slot] == type || tapes.ends[mortal][slot + 1] == type)
            return mortal;
    if (tapes.is_mortal == NULL)
        return 0;
    PyObject *answer = PyObject_CallFunctionObjArgs(tapes.is_mortal, (PyObject *)type, NULL);
    int mortal = answer == NULL ? -1 : answer == Py_True;
    Py_XDECREF(answer);
    PyErr_Clear();
    if (mortal >= 0) {
        tapes.ends[mortal][slot + 1] = tapes.ends[mortal][slot];
        tapes.ends[mortal][slot] = type;
    }
    return mortal;
}

static int
is_known_mortal(PyTypeObject *type)
{
    PyTypeObject **place = &tapes.ends[1][2 * slot_of(type, LIGHT / 2 - 1)];
    return place[0] == type || place[1] == type;
}

enum { FIRST = 8 };

/* Whether one of the first items of a list or dict needs a stand-in; `StandIns._leads` does the same. */
static int
leads(PyObject *container, int depth)
{
    PyObject *item, *key;
    Py_ssize_t place = 0;
    for (Py_ssize_t at = 0; at < FIRST; at++) {
        if (Py_TYPE(container) == &PyList_Type) {
            if (at >= PyList_Size(container))
                return 0;
            item = items_of(container)[at];
        } else if (!PyDict_Next(container, &place, &key, &item))
            return 0;
        PyTypeObject *type = Py_TYPE(item);
        if (type == &PyList_Type || type == &PyDict_Type) {
            if (depth && leads(item, depth - 1))
                return 1;
        } else if (is_known_mortal(type))
            return 1;
    }
    return 0;
}

/* Whether a value needs no stand-in, by its type; of lists and dicts by their first items. */
static inline int
is_plain(PyObject *word)
{
    PyTypeObject *type = Py_TYPE(word);
    if (type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyUnicode_Type || word == Py_None)
        return 1;
    if (type == &PyList_Type || type == &PyDict_Type)
        return tapes.living == NULL || PyDict_Size(tapes.living) == 0 || !leads(word, 2);
    PyTypeObject **place = &tapes.light[2 * slot_of(type, LIGHT / 2 - 1)];
    return place[0] == type || place[1] == type;
}

static int
is_heavy(PyTypeObject *type)
{
    return type == &PyBytes_Type || type == &PyByteArray_Type || type == tapes.arrays || type == tapes.frames[0] ||
           type == tapes.frames[FRAMES - 1];
}

/* Long and nested tuples in which nothing needs a stand-in now or later are not searched again at each record. */

static PyObject **
whole_at(PyObject *tuple)
{
    return &tapes.whole[slot_of(tuple, WHOLE - 1)];
}

static void
remember_whole(PyObject *tuple)
{
    PyObject **place = whole_at(tuple), *before = *place;
    *place = Py_NewRef(tuple);
    Py_XDECREF(before);
}

static void
forget_whole(void)
{
    for (int at = 0; at < WHOLE; at++)
        Py_CLEAR(tapes.whole[at]);
}

/* A tuple with the stand-ins of its items; the tuple itself if none of them needs one. */
static PyObject *
tuple_held_for(PyObject *tuple)
{
    tapes.was_whole = *whole_at(tuple) == tuple;
    if (tapes.was_whole)
        return Py_NewRef(tuple);
    Py_ssize_t length = PyTuple_Size(tuple);
    PyObject *made = NULL;
    int whole = 1; /* no item is a container in which something may need a stand-in later */
    int is_nested = 0;
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *item = PyTuple_GetItem(tuple, at);
        whole &= item != NULL && Py_TYPE(item) != &PyList_Type && Py_TYPE(item) != &PyDict_Type;
        if (item == NULL || is_plain(item))
            continue;
        tapes.was_whole = 0;
        PyObject *held = held_for(item);
        whole &= tapes.was_whole && Py_TYPE(item) == &PyTuple_Type;
        is_nested = 1;
        if (held == item || held == NULL) {
            Py_XDECREF(held);
            continue;
        }
        if (made == NULL) {
            made = PyTuple_New(length);
            for (Py_ssize_t copied = 0; made != NULL && copied < length; copied++)
                PyTuple_SetItem(made, copied, Py_XNewRef(PyTuple_GetItem(tuple, copied)));
        }
        if (made == NULL || PyTuple_SetItem(made, at, held) < 0)
            break;
    }
    PyErr_Clear();
    whole &= made == NULL;
    if (whole && (length > LONG || is_nested))
        remember_whole(tuple);
    tapes.was_whole = (char)whole;
    return made == NULL ? Py_NewRef(tuple) : made;
}

/* Generators and coroutines are frequent, and described here: as by `StandIns.of`, with the weak reference as last item. */

static int
is_of_generators(PyTypeObject *type)
{
    for (Py_ssize_t at = 0; at < PyTuple_Size(tapes.generators); at++)
        if (PyTuple_GetItem(tapes.generators, at) == (PyObject *)type)
            return 1;
    return 0;
}

/* Called with a weak reference when its object ends. */
static PyObject *
generator_ended(PyObject *identity, PyObject *reference)
{
    PyObject *held = tapes.living == NULL ? NULL : PyDict_GetItemWithError(tapes.living, identity);
    if (held != NULL && PyTuple_Check(held) && PyTuple_GetItem(held, PyTuple_Size(held) - 1) == reference)
        PyDict_DelItem(tapes.living, identity);
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyMethodDef generator_end = {"ended", generator_ended, METH_O, "An object has ended."};

/* NULL without an exception if that fails. */
static PyObject *
stand_in_of_generator(PyObject *word, PyObject *identity)
{
    PyObject *name = PyObject_GetAttrString(word, "__qualname__"), *made = NULL;
    PyObject *ended = PyCFunction_New(&generator_end, identity);
    PyObject *reference = ended == NULL ? NULL : PyWeakref_NewRef(word, ended);
    PyObject *parts = name == NULL || reference == NULL
                          ? NULL
                          : PyTuple_Pack(5, (PyObject *)Py_TYPE(word), Py_None, name, Py_None, reference);
    if (parts != NULL)
        made = PyObject_CallFunctionObjArgs(tapes.described, parts, NULL);
    if (made != NULL && PyDict_SetItem(tapes.living, identity, made) < 0)
        Py_CLEAR(made);
    Py_XDECREF(parts);
    Py_XDECREF(reference);
    Py_XDECREF(ended);
    Py_XDECREF(name);
    PyErr_Clear();
    return made;
}

/* The stand-in of a value, or the value itself: a new reference. Code of the recorder runs, and perhaps handlers and
   finalisers of the program: never in the middle of a record. At the limit of recursion the value itself is held. */
static PyObject *
held_for(PyObject *word)
{
    PyTypeObject *type = Py_TYPE(word);
    if (tapes.stand_in == NULL || is_plain(word) || is_heavy(type))
        return Py_NewRef(word);
    if (type == &PyTuple_Type) {
        tapes.was_whole = tapes.depth >= DEEP;
        if (tapes.was_whole)
            return Py_NewRef(word);
        if (Py_EnterRecursiveCall(" to record a tuple")) {
            PyErr_Clear();
            return Py_NewRef(word);
        }
        tapes.depth++;
        PyObject *held = tuple_held_for(word);
        tapes.depth--;
        Py_LeaveRecursiveCall();
        return held;
    }
    if (type == &PyList_Type || type == &PyDict_Type) {
        PyObject *held = PyObject_CallFunctionObjArgs(tapes.stand_in, word, NULL);
        PyErr_Clear();
        return held == NULL ? Py_NewRef(word) : held;
    }
    if (is_mortal(type) != 1)
        return Py_NewRef(word);
    PyObject *identity = PyLong_FromVoidPtr(word), *held = NULL;
    if (identity != NULL)
        held = Py_XNewRef(PyDict_GetItemWithError(tapes.living, identity));
    Py_ssize_t known = PyDict_Size(tapes.living);
    if (held == NULL && identity != NULL && is_of_generators(type))
        held = stand_in_of_generator(word, identity);
    Py_XDECREF(identity);
    if (held == NULL)
        held = PyObject_CallFunctionObjArgs(tapes.stand_in, word, NULL);
    if (held == NULL) {
        PyErr_Clear();
        return Py_NewRef(word);
    }
    if (PyDict_Size(tapes.living) > known && tapes.probes > 0) { /* others cannot be found from their objects */
        tapes.probes--;
        tapes.tape->limit = tapes.tape->codes;
    }
    return held;
}

/* The bytes of a large value, 0 for a value of any other type. */
static Py_ssize_t
heavy_bytes(PyObject *word, PyTypeObject *type, PyTypeObject **place)
{
    if (type == &PyBytes_Type)
        return PyBytes_Size(word);
    if (type == &PyByteArray_Type)
        return PyByteArray_Size(word);
    if (tapes.arrays == NULL && is_of_arrays(type))
        tapes.arrays = type;
    if (type == tapes.arrays)
        return bytes_of_array(word);
    for (int at = 0; at < FRAMES; at++)
        if (type == tapes.frames[at])
            return bytes_of_frame(word);
    if (tapes.arrays != NULL && tapes.frames[FRAMES - 1] == NULL && is_of_frames(type)) {
        tapes.frames[tapes.frames[0] != NULL] = (PyTypeObject *)Py_NewRef((PyObject *)type);
        return bytes_of_frame(word);
    }
    PyErr_Clear();
    if (is_mortal(type) != 0)
        return 0;
    place[1] = place[0]; /* each place has room for two types */
    place[0] = type;
    return 0;
}

/* The same, but only for a value that no tape has named before: others live longer anyway. */
static Py_ssize_t
new_bytes(PyObject *word, PyTypeObject *type, PyTypeObject **place)
{
    Py_ssize_t bytes = heavy_bytes(word, type, place);
    PyObject **met = &tapes.met[slot_of(word, LIGHT - 1)];
    if (bytes == 0 || *met == word || tapes.numbered == NULL ||
        find_value((Registry *)tapes.numbered, word)->value != NULL)
        return 0;
    *met = word;
    return bytes;
}

static inline Py_ssize_t
weight_of(PyObject *word)
{
    PyTypeObject *type = Py_TYPE(word);
    PyTypeObject **place = &tapes.light[2 * slot_of(type, LIGHT / 2 - 1)];
    return place[0] == type || place[1] == type || type == &PyTuple_Type ? 0 : new_bytes(word, type, place);
}

/* Words. The place of the next code is passed along: writes through a char pointer may alias any field. */

static inline unsigned char *
add_value(NativeTape *tape, unsigned char *code, PyObject *word, unsigned char after)
{
    PyTypeObject *type = Py_TYPE(word);
    long long *whole = tape->whole;
    if (type == &PyLong_Type && read_int(word, whole)) {
        tape->whole = whole + 1;
        *code = WORD_INT;
    } else if (type == &PyFloat_Type) {
        *tape->real++ = read_float(word);
        *code = WORD_FLOAT;
    } else if (word == Py_None) {
        *code = WORD_NONE;
    } else if (type == &PyBool_Type) {
        *whole = word == Py_True;
        tape->whole = whole + 1;
        *code = WORD_BOOL;
    } else {
        PyObject **other = tape->other;
        if (after & SHOWS)
            *tape->show++ = (unsigned int)(other - tape->others);
        if (after & BIRTH)
            *tape->birth++ = (unsigned int)(other - tape->others);
        hold(word);
        *other = word;
        tape->other = other + 1;
        *code = WORD_OTHER;
        tape->weight += weight_of(word);
        if (tape->weight > HEAVY)
            tape->limit = tape->codes; /* the next safe record flushes it */
    }
    return code + 1;
}

static void
add_seldom(NativeTape *tape, NativeMarker *marker)
{
    *tape->mark++ = marker;
    if (++marker->seen == FREQUENT_AFTER && tapes.own_used < MOST_FREQUENT) {
        marker->code = (unsigned char)(FIRST_FREQUENT + tapes.own_used);
        tapes.own[tapes.own_used++] = (NativeMarker *)Py_NewRef((PyObject *)marker);
    }
}

static inline unsigned char *
add_mark(NativeTape *tape, unsigned char *code, NativeMarker *marker)
{
    *code = marker->code;
    if (*code == WORD_MARKER)
        add_seldom(tape, marker);
    return code + 1;
}

/* Whether the last flush was long ago. */
static int
is_due(size_t words)
{
    tapes.looks = 0;
    return words >= FEW && time(NULL) - tapes.written >= LONGEST;
}

/* Flush, unless the stack is too deep for that: then later. Signals that were deferred meanwhile are raised now, when the
   program runs again. */
static int
flush(void)
{
    tapes.weight = 0;
    if (tapes.when_full == NULL)
        return 0;
    PyObject *done = unless_too_deep(PyObject_CallNoArgs(tapes.when_full));
    for (Py_ssize_t at = 0; done != NULL && PyList_Check(done) && at < PyList_Size(done); at++)
        PyErr_SetInterruptEx((int)PyLong_AsLong(items_of(done)[at]));
    Py_XDECREF(done);
    tapes.written = time(NULL);
    return done == NULL ? -1 : 0;
}

static int
make_way(NativeTape *tape, const NativeMarker *marker)
{
    if (marker->flags & SAFE) {
        if (flush() < 0)
            return -1;
        if (tape->code >= tape->limit) /* it could not, and does not retry at once */
            tape->limit = tape->code + FEW < tape->end ? tape->code + FEW : tape->end;
    }
    return tape->code < tape->end ? 0 : grow(tape);
}

/* The list of the current thread. Other threads may run during the lookup. */
static PyObject *
own_list(void)
{
    uint64_t thread = PyThreadState_GetID(PyThreadState_Get());
    if (thread != tapes.thread) {
        PyObject *found = PyObject_CallNoArgs(tapes.find_list);
        if (found == NULL || !PyList_Check(found)) {
            Py_XDECREF(found);
            return NULL;
        }
        PyObject *before = tapes.list;
        tapes.list = found;
        tapes.thread = thread;
        Py_XDECREF(before);
    }
    return tapes.list;
}

/* Append a marker and at most two values, NULL for none; returns whether that succeeded. Without a marker they continue a
   record. During a flush, recording can end or further threads can start. */

static int
put_on_list(const NativeMarker *marker, PyObject *first, PyObject *second)
{
    PyObject *list = tapes.find_list == Py_None ? NULL : own_list();
    if (list == NULL)
        return tapes.find_list == Py_None;
    tapes.weight += (first == NULL ? 0 : weight_of(first)) + (second == NULL ? 0 : weight_of(second));
    if (marker != NULL && marker->flags & SAFE) {
        size_t words = (size_t)PyList_Size(list);
        if ((words >= FULL || tapes.weight > HEAVY || (++tapes.looks >= LOOKS && is_due(words))) && flush() < 0)
            return 0;
    }
    PyObject *held = first == NULL ? NULL : held_for(first), *other = second == NULL ? NULL : held_for(second);
    list = tapes.find_list == Py_None ? NULL : own_list();
    int put = list == NULL ? tapes.find_list == Py_None
                           : (marker == NULL || push(list, marker->owner) == 0) && (held == NULL || push(list, held) == 0) &&
                                 (other == NULL || push(list, other) == 0);
    Py_XDECREF(held);
    Py_XDECREF(other);
    return put;
}

/* Values that came in the middle of a record get their stand-ins before the next one. */
static void
finish_late(NativeTape *tape)
{
    while (tapes.late_used) {
        size_t place = tapes.late[--tapes.late_used];
        if (place >= (size_t)(tape->other - tape->others))
            continue;
        PyObject *word = Py_NewRef(tape->others[place]), *held = held_for(word);
        if (tape == tapes.tape && place < (size_t)(tape->other - tape->others) && tape->others[place] == word) {
            tape->others[place] = held;
            held = word;
        }
        Py_DECREF(word);
        Py_XDECREF(held);
    }
}

static inline int
put_on_tape(NativeTape *tape, NativeMarker *marker, PyObject *first, PyObject *second)
{
    unsigned char *code = add_mark(tape, tape->code, marker);
    if (first != NULL)
        code = add_value(tape, code, first, marker->flags);
    if (second != NULL)
        code = add_value(tape, code, second, 0);
    tape->code = code;
    return 1;
}

/* Whether there is room; a safe record may flush the tape first. */
static inline int
has_room(NativeTape *tape, const NativeMarker *marker)
{
    int is_full = tape->code >= tape->limit || (marker->flags & SAFE && ++tapes.looks >= LOOKS && is_due(WORDS(tape)));
    return !is_full || make_way(tape, marker) == 0;
}

/* The same, with stand-ins. */
static int
put_held_on_tape(NativeMarker *marker, PyObject *first, PyObject *second)
{
    finish_late(tapes.tape);
    PyObject *held = first == NULL ? NULL : held_for(first), *other = second == NULL ? NULL : held_for(second);
    NativeTape *tape = tapes.tape;
    int put = tapes.find_list != NULL ? put_on_list(marker, held, other)
                                      : (tape->code < tape->end || grow(tape) == 0) && put_on_tape(tape, marker, held, other);
    Py_XDECREF(held);
    Py_XDECREF(other);
    return put;
}

static int
put_apart(NativeMarker *marker, PyObject *first, PyObject *second)
{
    if (tapes.find_list == NULL) {
        tapes.skips = (marker->flags & DETAIL) != 0;
        if (tapes.skips)
            return 1;
        if (!has_room(tapes.tape, marker))
            return 0;
        if (tapes.find_list == NULL)
            return put_held_on_tape(marker, first, second);
    }
    return put_on_list(marker, first, second);
}

/* There is room before stand-ins are looked for: a flush learns which further values need them. */
static inline int
put_record(NativeMarker *marker, PyObject *first, PyObject *second)
{
    if (tapes.apart)
        return put_apart(marker, first, second);
    NativeTape *tape = tapes.tape;
    if (!has_room(tape, marker))
        return 0;
    if (tapes.apart)
        return put_apart(marker, first, second);
    if (tapes.late_used || (first != NULL && !is_plain(first)) || (second != NULL && !is_plain(second)))
        return put_held_on_tape(marker, first, second);
    return put_on_tape(tape, marker, first, second);
}

/* Note that the next value on a tape needs a stand-in later. */
static inline void
note_late(const NativeTape *tape, PyObject *word)
{
    if (!is_plain(word) && !is_heavy(Py_TYPE(word)) && tapes.late_used < LATE)
        tapes.late[tapes.late_used++] = (size_t)(tape->other - tape->others);
}

static inline int
put_more(PyObject *first, PyObject *second)
{
    if (tapes.find_list != NULL)
        return put_on_list(NULL, first, second);
    if (tapes.skips)
        return 1;
    NativeTape *tape = tapes.tape;
    if (tape->code >= tape->end && grow(tape) < 0)
        return 0;
    note_late(tape, first);
    unsigned char *code = add_value(tape, tape->code, first, 0);
    if (second != NULL) {
        note_late(tape, second);
        code = add_value(tape, code, second, 0);
    }
    tape->code = code;
    return 1;
}

/* Operators. `marker[a]` returns `a`, `a in marker` False, `~marker` None, `marker @ (a, b, ...)` the last value. */

static PyObject *
marker_get(PyObject *self, PyObject *value)
{
    return put_record((NativeMarker *)self, value, NULL) ? Py_NewRef(value) : NULL;
}

static PyObject *
more_get(PyObject *Py_UNUSED(self), PyObject *value)
{
    return put_more(value, NULL) ? Py_NewRef(value) : NULL;
}

static int
none_to_take_off(void)
{
    PyErr_SetString(PyExc_TypeError, "a record cannot be deleted from a tape");
    return -1;
}

static int
marker_set(PyObject *self, PyObject *first, PyObject *second)
{
    if (second == NULL)
        return none_to_take_off();
    return put_record((NativeMarker *)self, first, second) ? 0 : -1;
}

static int
more_set(PyObject *Py_UNUSED(self), PyObject *first, PyObject *second)
{
    if (second == NULL)
        return none_to_take_off();
    return put_more(first, second) ? 0 : -1;
}

static int
marker_has(PyObject *self, PyObject *value)
{
    return put_record((NativeMarker *)self, value, NULL) ? 0 : -1;
}

static int
more_has(PyObject *Py_UNUSED(self), PyObject *value)
{
    return put_more(value, NULL) ? 0 : -1;
}

static PyObject *
marker_alone(PyObject *self)
{
    return put_record((NativeMarker *)self, NULL, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* Binary slots are also called with the marker as right operand. */
static PyObject *
marker_shift(PyObject *self, PyObject *value)
{
    if (Py_TYPE(self) == tapes.more_type)
        return put_more(value, NULL) ? Py_NewRef(Py_None) : NULL;
    if (Py_TYPE(self) != tapes.marker_type)
        return Py_NewRef(Py_NotImplemented);
    return put_record((NativeMarker *)self, value, NULL) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *
marker_all(PyObject *self, PyObject *values)
{
    if (Py_TYPE(self) != tapes.marker_type || !PyTuple_CheckExact(values) || PyTuple_Size(values) < 1)
        return Py_NewRef(Py_NotImplemented);
    Py_ssize_t length = PyTuple_Size(values);
    PyObject *held = tapes.stand_in == NULL ? Py_NewRef(values) : tuple_held_for(values);
    int put = put_record((NativeMarker *)self, PyTuple_GetItem(held, 0), NULL);
    for (Py_ssize_t at = 1; put && at < length; at++)
        put = put_more(PyTuple_GetItem(held, at), NULL);
    Py_DECREF(held);
    return put ? Py_NewRef(PyTuple_GetItem(values, length - 1)) : NULL;
}

/* Deallocation of markers and kinds: both begin with one object that they hold. */

typedef struct {
    PyObject_HEAD
    PyObject *held;
} Holder;

static void
free_holder(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((Holder *)self)->held);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *
number_of_marker(PyObject *self, void *Py_UNUSED(nothing))
{
    return PyLong_FromUnsignedLong(((NativeMarker *)self)->number);
}

static PyGetSetDef marker_attributes[] = {
    {"number", number_of_marker, NULL, "Its number.", NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot marker_slots[] = {
    {Py_tp_getset, marker_attributes}, {Py_tp_dealloc, free_holder},
    {Py_mp_subscript, marker_get}, {Py_mp_ass_subscript, marker_set},
    {Py_sq_contains, marker_has},   {Py_nb_invert, marker_alone},  {Py_nb_matrix_multiply, marker_all},
    {Py_nb_lshift, marker_shift},   {0, NULL},
};
static PyType_Slot more_slots[] = {
    {Py_mp_subscript, more_get}, {Py_mp_ass_subscript, more_set}, {Py_sq_contains, more_has},
    {Py_nb_lshift, marker_shift}, {0, NULL}};
static PyType_Spec marker_spec = {.name = "_accelerator.NativeMarker",
                                 .basicsize = sizeof(NativeMarker),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = marker_slots};
static PyType_Spec more_spec = {.name = "_accelerator.More",
                                .basicsize = sizeof(PyObject),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                .slots = more_slots};

static PyObject *
make_marker(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *owner;
    unsigned int number;
    int shows, birth, safe, detail;
    if (!PyArg_ParseTuple(args, "OIpppp:marker", &owner, &number, &shows, &birth, &safe, &detail))
        return NULL;
    NativeMarker *made = (NativeMarker *)PyType_GenericAlloc(tapes.marker_type, 0);
    if (made == NULL)
        return NULL;
    made->owner = Py_NewRef(owner); /* a reference cycle: both live forever, as a tape may name them */
    made->number = number;
    made->flags = (unsigned char)(SHOWS * shows | BIRTH * birth | SAFE * safe | DETAIL * detail);
    return (PyObject *)made;
}

static PyObject *
make_more(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing))
{
    return PyType_GenericAlloc(tapes.more_type, 0);
}

/* `value in kinds`: whether the identity of its type is in a collection of the recorder. Hits are cached. */

enum { REMEMBERED = 64 };

typedef struct {
    PyObject_HEAD
    PyObject *identities;
    PyTypeObject *found[REMEMBERED];
} Kinds;

static int
kinds_has(PyObject *self, PyObject *value)
{
    Kinds *kinds = (Kinds *)self;
    PyTypeObject *type = Py_TYPE(value);
    PyTypeObject **place = &kinds->found[slot_of(type, REMEMBERED - 1)];
    if (*place == type)
        return 1;
    PyObject *identity = PyLong_FromVoidPtr(type);
    int has = identity == NULL ? -1 : PySequence_Contains(kinds->identities, identity);
    Py_XDECREF(identity);
    if (has == 1)
        *place = type;
    return has;
}

static PyObject *
kinds_forget(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    memset(((Kinds *)self)->found, 0, sizeof ((Kinds *)self)->found);
    Py_RETURN_NONE;
}

static PyMethodDef kinds_methods[] = {
    {"forget", kinds_forget, METH_NOARGS, "Clear the cache: the collection has become smaller."}, {NULL, NULL, 0, NULL}};
static PyType_Slot kinds_slots[] = {
    {Py_tp_dealloc, free_holder}, {Py_tp_methods, kinds_methods}, {Py_sq_contains, kinds_has}, {0, NULL}};
static PyType_Spec kinds_spec = {.name = "_accelerator.Kinds",
                                 .basicsize = sizeof(Kinds),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = kinds_slots};

static PyObject *
make_kinds(PyObject *Py_UNUSED(module), PyObject *identities)
{
    Kinds *made = (Kinds *)PyType_GenericAlloc(tapes.kinds_type, 0);
    if (made != NULL)
        made->identities = Py_NewRef(identities);
    return (PyObject *)made;
}

/* The tape for callers that append words one by one: there the Python object stands for a marker. */

static int
add_word(NativeTape *tape, PyObject *word)
{
    if (tape->code >= tape->end && grow(tape) < 0)
        return -1;
    if (tapes.marker_class == NULL || !PyType_IsSubtype(Py_TYPE(word), (PyTypeObject *)tapes.marker_class)) {
        tape->code = add_value(tape, tape->code, word, tape->after);
        tape->after = 0;
        return 0;
    }
    PyObject *marker = PyObject_GetAttrString(word, "native");
    if (marker == NULL || Py_TYPE(marker) != tapes.marker_type) {
        Py_XDECREF(marker);
        PyErr_SetString(PyExc_TypeError, "a marker without its native part");
        return -1;
    }
    tape->code = add_mark(tape, tape->code, (NativeMarker *)marker);
    tape->after = ((NativeMarker *)marker)->flags;
    Py_DECREF(marker);
    return 0;
}

static PyObject *
native_tape_add(PyObject *self, PyObject *words)
{
    if (tapes.find_list == Py_None)
        return Py_NewRef(self);
    PyObject *given = PySequence_Tuple(words);
    PyObject *listed = given == NULL || tapes.stand_in == NULL ? Py_XNewRef(given) : tuple_held_for(given);
    int failed = listed == NULL;
    finish_late((NativeTape *)self);
    for (Py_ssize_t at = 0; !failed && at < PyTuple_Size(listed); at++)
        failed = add_word((NativeTape *)self, PyTuple_GetItem(listed, at)) < 0;
    Py_XDECREF(given);
    Py_XDECREF(listed);
    return failed ? NULL : Py_NewRef(self);
}

static PyObject *
native_tape_extend(PyObject *self, PyObject *words)
{
    PyObject *same = native_tape_add(self, words);
    Py_XDECREF(same);
    return same == NULL ? NULL : Py_NewRef(Py_None);
}

static Py_ssize_t
native_tape_length(PyObject *self)
{
    return (Py_ssize_t)WORDS((NativeTape *)self);
}

/* Move everything to a new tape; this one is empty then. */
static PyObject *
native_tape_take(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    finish_late((NativeTape *)self);
    NativeTape *tape = (NativeTape *)self, *made = (NativeTape *)new_tape();
    if (made != NULL)
        exchange(tape, made);
    memset(tapes.met, 0, sizeof tapes.met);
    forget_whole();
    return (PyObject *)made;
}

/* Only for a tape that was taken: the current one may have further records meanwhile. */
static PyObject *
native_tape_let_go(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    if ((NativeTape *)self == tapes.tape) {
        PyErr_SetString(PyExc_ValueError, "this is the current tape");
        return NULL;
    }
    release_all((NativeTape *)self);
    empty((NativeTape *)self);
    Py_RETURN_NONE;
}

static PyObject *
word_at(unsigned char code, long long **whole, double **real, PyObject ***other, NativeMarker ***mark)
{
    switch (code) {
    case WORD_MARKER:
        return Py_NewRef((*(*mark)++)->owner);
    case WORD_NONE:
        return Py_NewRef(Py_None);
    case WORD_BOOL:
        return PyBool_FromLong(*(*whole)++ != 0);
    case WORD_INT:
        return PyLong_FromLongLong(*(*whole)++);
    case WORD_FLOAT:
        return PyFloat_FromDouble(*(*real)++);
    case WORD_OTHER:
        return Py_NewRef(*(*other)++);
    }
    return Py_NewRef(tapes.own[code - FIRST_FREQUENT]->owner);
}

/* The words one by one. */
static PyObject *
native_tape_words(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    NativeTape *tape = (NativeTape *)self;
    long long *whole = tape->ints;
    double *real = tape->floats;
    PyObject **other = tape->others, *found = PyList_New(0);
    NativeMarker **mark = tape->marks;
    for (unsigned char *code = tape->codes; found != NULL && code < tape->code; code++) {
        PyObject *word = word_at(*code, &whole, &real, &other, &mark);
        if (word == NULL || push(found, word) < 0)
            Py_CLEAR(found);
        Py_XDECREF(word);
    }
    return found;
}

/* Number of words of one column from a place on; callers ask about the last few. */
static size_t
count_from(const NativeTape *tape, size_t place, int (*is_in)(unsigned char))
{
    size_t found = 0;
    for (size_t at = place; at < WORDS(tape); at++)
        found += is_in(tape->codes[at]) != 0;
    return found;
}

static int is_int(unsigned char code) { return code == WORD_INT || code == WORD_BOOL; }
static int is_float(unsigned char code) { return code == WORD_FLOAT; }
static int is_other(unsigned char code) { return code == WORD_OTHER; }
static int is_mark(unsigned char code) { return code == WORD_MARKER; }

static int
read_place(PyObject *self, PyObject *number, size_t *place)
{
    Py_ssize_t found = PyLong_AsSsize_t(number);
    if (found == -1 && PyErr_Occurred())
        return 0;
    size_t words = WORDS((NativeTape *)self);
    *place = found < 0 ? 0 : (size_t)found < words ? (size_t)found : words;
    return 1;
}

/* The values from a place on that it keeps alive. */
static PyObject *
native_tape_held(PyObject *self, PyObject *since)
{
    NativeTape *tape = (NativeTape *)self;
    size_t place;
    PyObject *found = read_place(self, since, &place) ? PyList_New(0) : NULL;
    size_t count = found == NULL ? 0 : count_from(tape, place, is_other);
    for (PyObject **at = tape->other - count; found != NULL && at < tape->other; at++)
        if (push(found, *at) < 0)
            Py_CLEAR(found);
    return found;
}

/* Truncate at a place. */
static PyObject *
native_tape_cut(PyObject *self, PyObject *from)
{
    NativeTape *tape = (NativeTape *)self;
    size_t place;
    if (!read_place(self, from, &place))
        return NULL;
    PyObject *gone = native_tape_held(self, from);
    if (gone == NULL)
        return NULL;
    PyObject **end = tape->other;
    tape->whole -= count_from(tape, place, is_int);
    tape->real -= count_from(tape, place, is_float);
    tape->mark -= count_from(tape, place, is_mark);
    tape->other -= count_from(tape, place, is_other);
    size_t kept = (size_t)(tape->other - tape->others);
    while (tape->show > tape->shown && tape->show[-1] >= kept)
        tape->show--;
    while (tape->birth > tape->born && tape->birth[-1] >= kept)
        tape->birth--;
    tape->code = tape->codes + place;
    for (PyObject **at = tape->other; at < end; at++)
        let_go(*at); /* the list still holds them */
    Py_DECREF(gone);
    Py_RETURN_NONE;
}

static PyMethodDef native_tape_methods[] = {
    {"extend", native_tape_extend, METH_O, "Append words."},
    {"take", native_tape_take, METH_NOARGS, "Move everything to a new tape."},
    {"let_go", native_tape_let_go, METH_NOARGS, "Release everything."},
    {"words", native_tape_words, METH_NOARGS, "The words tape by tape."},
    {"held", native_tape_held, METH_O, "The values from a place on that it keeps alive."},
    {"cut", native_tape_cut, METH_O, "Truncate at a place."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot native_tape_slots[] = {
    {Py_tp_dealloc, free_tape},  {Py_tp_methods, native_tape_methods}, {Py_sq_length, native_tape_length},
    {Py_sq_inplace_concat, native_tape_add}, {0, NULL},
};
static PyType_Spec native_tape_spec = {.name = "_accelerator.NativeTape",
                                 .basicsize = sizeof(NativeTape),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = native_tape_slots};

/* From now on records go to a new tape. Returns the tape. */
static PyObject *
begin_tape(PyObject *Py_UNUSED(module), PyObject *markers)
{
    PyObject *made = new_tape();
    if (made == NULL)
        return NULL;
    Py_CLEAR(tapes.find_list);
    tapes.apart = tapes.skips = 0;
    tapes.written = time(NULL);
    Py_XDECREF(tapes.marker_class);
    tapes.marker_class = Py_NewRef(markers);
    PyObject *before = (PyObject *)tapes.tape;
    tapes.tape = (NativeTape *)Py_NewRef(made);
    Py_XDECREF(before);
    return made;
}

static PyObject *
set_when_full(PyObject *Py_UNUSED(module), PyObject *function)
{
    PyObject *before = tapes.when_full;
    tapes.when_full = function == Py_None ? NULL : Py_NewRef(function);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyObject *
set_numbered(PyObject *module, PyObject *registry)
{
    if (registry != Py_None && registry_of(module, registry) == NULL)
        return NULL;
    PyObject *before = tapes.numbered;
    tapes.numbered = registry == Py_None ? NULL : Py_NewRef(registry);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* The functions of stand-ins, and the dictionary of those known. With None, there are none from now on. */
static PyObject *
use_stand_ins(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *is_mortal, *stand_in, *living, *generators, *described;
    PyObject *before[] = {tapes.is_mortal, tapes.stand_in, tapes.living, tapes.generators, tapes.described};
    if (!PyArg_ParseTuple(args, "OOO!O!O:stand_ins", &is_mortal, &stand_in, &PyDict_Type, &living, &PyTuple_Type,
                          &generators, &described))
        return NULL;
    tapes.is_mortal = is_mortal == Py_None ? NULL : Py_NewRef(is_mortal);
    tapes.stand_in = stand_in == Py_None ? NULL : Py_NewRef(stand_in);
    tapes.living = Py_NewRef(living);
    tapes.generators = Py_NewRef(generators);
    tapes.described = Py_NewRef(described);
    tapes.probes = PROBES;
    memset(tapes.ends, 0, sizeof tapes.ends);
    memset(tapes.light, 0, sizeof tapes.light);
    forget_whole();
    for (size_t at = 0; at < sizeof before / sizeof *before; at++)
        Py_XDECREF(before[at]);
    Py_RETURN_NONE;
}

/* From now on records go to the list that a function returns for the current thread; with None, nowhere. */
static PyObject *
use_lists(PyObject *Py_UNUSED(module), PyObject *function)
{
    PyObject *before = tapes.find_list;
    tapes.find_list = Py_NewRef(function);
    tapes.apart = 1;
    tapes.thread = 0;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* From now on details are dropped, while records go to a tape. */
static PyObject *
leave_details(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing))
{
    tapes.apart = 1;
    Py_RETURN_NONE;
}

/* Another thread runs than at the last lookup of a list. */
static PyObject *
forget_thread(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing))
{
    tapes.thread = 0;
    Py_RETURN_NONE;
}

static PyObject *
list_own(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing))
{
    PyObject *found = PyList_New(0);
    for (unsigned int at = 0; found != NULL && at < tapes.own_used; at++) {
        PyObject *number = PyLong_FromUnsignedLong(tapes.own[at]->number);
        if (number == NULL || PyList_Append(found, number) < 0)
            Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

static PyObject *
numbers_of_marks(const NativeTape *tape)
{
    PyObject *found = PyBytes_FromStringAndSize(NULL, (tape->mark - tape->marks) * (Py_ssize_t)sizeof(unsigned int));
    char *out = found == NULL ? NULL : PyBytes_AsString(found);
    for (NativeMarker **at = tape->marks; out != NULL && at < tape->mark; at++, out += sizeof(unsigned int))
        memcpy(out, &(*at)->number, sizeof(unsigned int));
    return found;
}

/* As `take` returns for a slice of a list, except that markers are numbers already. */
static PyObject *
take_tape(PyObject *module, PyObject *args)
{
    PyObject *given, *known;
    unsigned long long first;
    if (!PyArg_ParseTuple(args, "OOK:take_tape", &given, &known, &first))
        return NULL;
    Registry *registry = registry_of(module, known);
    if (registry == NULL)
        return NULL;
    if (Py_TYPE(given) != tapes.tape_type) {
        PyErr_SetString(PyExc_TypeError, "expected a NativeTape");
        return NULL;
    }
    NativeTape *tape = (NativeTape *)given;
    Py_ssize_t count = tape->other - tape->others;
    if (!have_numbers(first, count))
        return NULL;
    PyObject *result = NULL, *fresh = PyList_New(0), *shown = PyList_New(0), *born = PyList_New(0);
    unsigned int *numbers = PyMem_Malloc((size_t)count * sizeof *numbers);
    unsigned int *new = PyMem_Malloc((size_t)count * sizeof *new);
    int failed = fresh == NULL || shown == NULL || born == NULL;
    if (!failed && (numbers == NULL || new == NULL)) {
        PyErr_NoMemory();
        failed = 1;
    }
    failed = failed || number_all(tape->others, count, registry, (unsigned int)first, numbers, new, fresh) < 0;
    for (unsigned int *at = tape->shown; !failed && at < tape->show; at++)
        failed = push(shown, tape->others[*at]) < 0;
    for (unsigned int *at = tape->born; !failed && at < tape->birth; at++)
        if (numbers[*at] == first + *at) /* a new value is numbered by its place */
            failed = push(born, tape->others[*at]) < 0;
    if (!failed)
        result = Py_BuildValue(
            "(NNNNNNOOO)", PyBytes_FromStringAndSize((const char *)tape->codes, tape->code - tape->codes),
            PyBytes_FromStringAndSize((const char *)tape->ints, (char *)tape->whole - (char *)tape->ints),
            PyBytes_FromStringAndSize((const char *)tape->floats, (char *)tape->real - (char *)tape->floats),
            numbers_of_marks(tape),
            four_bytes_each(numbers, count), four_bytes_each(new, PyList_Size(fresh)), fresh, shown, born);
    Py_XDECREF(fresh);
    Py_XDECREF(shown);
    Py_XDECREF(born);
    PyMem_Free(numbers);
    PyMem_Free(new);
    return result;
}

/* Once per process, however often the module is loaded. */
static int
begin_tapes(void)
{
    if (tapes.tape != NULL)
        return 0;
    tapes.tape_type = (PyTypeObject *)PyType_FromSpec(&native_tape_spec);
    tapes.marker_type = (PyTypeObject *)PyType_FromSpec(&marker_spec);
    tapes.more_type = (PyTypeObject *)PyType_FromSpec(&more_spec);
    tapes.kinds_type = (PyTypeObject *)PyType_FromSpec(&kinds_spec);
    if (tapes.tape_type == NULL || tapes.marker_type == NULL || tapes.more_type == NULL || tapes.kinds_type == NULL)
        return -1;
    tapes.tape = (NativeTape *)new_tape();
    return tapes.tape == NULL ? -1 : 0;
}

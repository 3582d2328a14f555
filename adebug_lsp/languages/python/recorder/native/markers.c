/* Where the records of a program with one thread go: a strip, which holds words as the columns that the file needs.

   Recording code puts a record there by the operators of a stamp, which stands for a marker. No function is called: so
   nothing counts a level of recursion, and in 3.11 and later no signal comes in between. Numbers are read at once and
   not kept alive. Where there are several threads the same operators append words to the list of the current thread.
   This file is a part of accelerator.c. */

enum { MOST_WORDS = 4 }; /* that an operator puts there without looking for room again */
#define FULL ((size_t)1 << 16)
#define FEW ((size_t)1 << 12)
#define LONGEST 2 /* seconds after which a few words are written away, too */
#define LOOKS 64  /* safe records between two looks at the clock */

typedef struct {
    PyObject_HEAD
    PyObject *marker;
    unsigned int number, seen;
    unsigned char code, flags;
} Stamp;

typedef struct {
    PyObject_HEAD
    unsigned char *codes, *code, *limit, *end; /* the first, the next, from where on to look up, where the room ends */
    long long *ints, *whole;
    double *floats, *real;
    PyObject **others, **other;
    Stamp **marks, **mark;
    unsigned int *shown, *show, *born, *birth; /* places among the others */
    unsigned char after;                       /* what the last marker says of the next word, among words one by one */
} Strip;

static struct {
    Strip *strip;        /* of the one thread */
    PyObject *when_full; /* writes it away */
    PyObject *find_list; /* gives the list of the current thread, where there are several; else NULL; None at the end */
    PyObject *list;      /* what it gave last, */
    uint64_t thread;     /* for this thread */
    char apart;          /* whether records go to lists or nowhere, or those of details are not taken */
    char skips;          /* whether the record that is being put there is one of these */
    PyObject *markers;   /* the class of what stands for a marker where words are given one by one */
    Stamp *own[MOST_FREQUENT];
    unsigned int own_used;
    PyTypeObject *strip_type, *stamp_type, *more_type, *kinds_type;
    Strip spare;          /* the room of a strip that is not used any more */
    unsigned char looks;  /* safe records since the last look at the clock */
    time_t written;       /* when something was written away */
} tapes;

/* Room */

#define WORDS(one) ((size_t)((one)->code - (one)->codes))

static void
empty(Strip *one)
{
    one->code = one->codes;
    one->whole = one->ints;
    one->real = one->floats;
    one->other = one->others;
    one->mark = one->marks;
    one->show = one->shown;
    one->birth = one->born;
    one->after = 0;
    size_t room = (size_t)(one->end - one->codes);
    one->limit = one->codes + (FULL < room ? FULL : room);
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
grow(Strip *one)
{
    size_t room = (size_t)(one->end - one->codes), wanted = room ? 2 * room : 2 * FULL;
    int grown = larger(&one->codes, &one->code, sizeof *one->codes, wanted);
    one->end = one->limit = one->codes + room; /* also if there is no more memory for the others */
    grown = grown && larger(&one->ints, &one->whole, sizeof *one->ints, wanted) &&
            larger(&one->floats, &one->real, sizeof *one->floats, wanted) &&
            larger(&one->others, &one->other, sizeof *one->others, wanted) &&
            larger(&one->marks, &one->mark, sizeof *one->marks, wanted) &&
            larger(&one->shown, &one->show, sizeof *one->shown, wanted) &&
            larger(&one->born, &one->birth, sizeof *one->born, wanted);
    if (grown)
        one->end = one->codes + wanted;
    return grown ? 0 : -1;
}

/* What dies may put something on the strip, but not on this one: it has been taken away from there. */
static void
let_go_of_all(Strip *one)
{
    PyObject **others = one->others, **end = one->other;
    one->other = others;
    for (PyObject **at = others; at < end; at++) {
        if (at + SOON < end)
            FETCH(at[SOON]);
        let_go(*at);
    }
}

/* Exchange all that two strips hold. */
static void
exchange(Strip *one, Strip *other)
{
    Strip held = *one;
    size_t head = offsetof(Strip, codes), size = sizeof held - head;
    memcpy((char *)one + head, (char *)other + head, size);
    memcpy((char *)other + head, (char *)&held + head, size);
}

static PyObject *
new_strip(void)
{
    Strip *made = (Strip *)PyType_GenericAlloc(tapes.strip_type, 0);
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
free_strip(PyObject *self)
{
    Strip *one = (Strip *)self;
    PyTypeObject *type = Py_TYPE(self);
    let_go_of_all(one);
    if (tapes.spare.codes == NULL && one->end - one->codes <= (ptrdiff_t)(2 * FULL))
        exchange(one, &tapes.spare);
    PyMem_Free(one->codes);
    PyMem_Free(one->ints);
    PyMem_Free(one->floats);
    PyMem_Free(one->others);
    PyMem_Free(one->marks);
    PyMem_Free(one->shown);
    PyMem_Free(one->born);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Words. Where the next code goes is given from hand to hand: what is written there could be anything to the compiler. */

static inline unsigned char *
add_value(Strip *one, unsigned char *code, PyObject *word, unsigned char after)
{
    PyTypeObject *type = Py_TYPE(word);
    long long *whole = one->whole;
    if (type == &PyLong_Type && read_int(word, whole)) {
        one->whole = whole + 1;
        *code = WORD_INT;
    } else if (type == &PyFloat_Type) {
        *one->real++ = read_float(word);
        *code = WORD_FLOAT;
    } else if (word == Py_None) {
        *code = WORD_NONE;
    } else if (type == &PyBool_Type) {
        *whole = word == Py_True;
        one->whole = whole + 1;
        *code = WORD_BOOL;
    } else {
        PyObject **other = one->other;
        if (after & SHOWS)
            *one->show++ = (unsigned int)(other - one->others);
        if (after & BIRTH)
            *one->birth++ = (unsigned int)(other - one->others);
        hold(word);
        *other = word;
        one->other = other + 1;
        *code = WORD_OTHER;
    }
    return code + 1;
}

static void
add_seldom(Strip *one, Stamp *stamp)
{
    *one->mark++ = stamp;
    if (++stamp->seen == FREQUENT_AFTER && tapes.own_used < MOST_FREQUENT) {
        stamp->code = (unsigned char)(FIRST_FREQUENT + tapes.own_used);
        tapes.own[tapes.own_used++] = (Stamp *)Py_NewRef((PyObject *)stamp);
    }
}

static inline unsigned char *
add_mark(Strip *one, unsigned char *code, Stamp *stamp)
{
    *code = stamp->code;
    if (*code == WORD_MARKER)
        add_seldom(one, stamp);
    return code + 1;
}

/* Whether nothing was written away for long. */
static int
is_due(size_t words)
{
    tapes.looks = 0;
    return words >= FEW && time(NULL) - tapes.written >= LONGEST;
}

/* Write away what there is, unless there is no room for that: then it is for another time. Signals that were held back
   meanwhile come now, when the program is at work again. */
static int
write_away(void)
{
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
make_way(Strip *one, const Stamp *stamp)
{
    if (stamp->flags & SAFE) {
        if (write_away() < 0)
            return -1;
        if (one->code >= one->limit) /* it could not, and does not try again at once */
            one->limit = one->code + FEW < one->end ? one->code + FEW : one->end;
    }
    return one->code < one->end ? 0 : grow(one);
}

/* The list of the current thread. Others may run while it is looked for. */
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

/* Of no more than two values the second may be missing; gives whether all could be put there. Without a stamp, they go
   on with a record. While something is written away, recording can end or further threads begin. */

static int
put_on_list(const Stamp *stamp, PyObject *first, PyObject *second)
{
    PyObject *list = tapes.find_list == Py_None ? NULL : own_list();
    if (list != NULL && stamp != NULL && stamp->flags & SAFE) {
        size_t words = (size_t)PyList_Size(list);
        if (words >= FULL || (++tapes.looks >= LOOKS && is_due(words))) {
            if (write_away() < 0)
                return 0;
            list = tapes.find_list == Py_None ? NULL : own_list();
        }
    }
    if (list == NULL)
        return tapes.find_list == Py_None;
    return (stamp == NULL || push(list, stamp->marker) == 0) && (first == NULL || push(list, first) == 0) &&
           (second == NULL || push(list, second) == 0);
}

static inline int
put_on_strip(Strip *one, Stamp *stamp, PyObject *first, PyObject *second)
{
    unsigned char *code = add_mark(one, one->code, stamp);
    if (first != NULL)
        code = add_value(one, code, first, stamp->flags);
    if (second != NULL)
        code = add_value(one, code, second, 0);
    one->code = code;
    return 1;
}

/* Whether there is room; a safe record may have all that is there written away. */
static inline int
has_room(Strip *one, const Stamp *stamp)
{
    int is_full = one->code >= one->limit || (stamp->flags & SAFE && ++tapes.looks >= LOOKS && is_due(WORDS(one)));
    return !is_full || make_way(one, stamp) == 0;
}

static int
put_apart(Stamp *stamp, PyObject *first, PyObject *second)
{
    if (tapes.find_list == NULL) {
        tapes.skips = (stamp->flags & DETAIL) != 0;
        if (tapes.skips)
            return 1;
        if (!has_room(tapes.strip, stamp))
            return 0;
        if (tapes.find_list == NULL)
            return put_on_strip(tapes.strip, stamp, first, second);
    }
    return put_on_list(stamp, first, second);
}

static inline int
put_record(Stamp *stamp, PyObject *first, PyObject *second)
{
    if (tapes.apart)
        return put_apart(stamp, first, second);
    Strip *one = tapes.strip;
    if (!has_room(one, stamp))
        return 0;
    return tapes.apart ? put_apart(stamp, first, second) : put_on_strip(one, stamp, first, second);
}

static inline int
put_more(PyObject *first, PyObject *second)
{
    if (tapes.find_list != NULL)
        return put_on_list(NULL, first, second);
    if (tapes.skips)
        return 1;
    Strip *one = tapes.strip;
    if (one->code >= one->end && grow(one) < 0)
        return 0;
    unsigned char *code = add_value(one, one->code, first, 0);
    if (second != NULL)
        code = add_value(one, code, second, 0);
    one->code = code;
    return 1;
}

/* The operators. `stamp[a]` is `a`, `a in stamp` is false, `~stamp` is None; `stamp @ (a, b, ...)` is the last. */

static PyObject *
stamp_get(PyObject *self, PyObject *value)
{
    return put_record((Stamp *)self, value, NULL) ? Py_NewRef(value) : NULL;
}

static PyObject *
more_get(PyObject *Py_UNUSED(self), PyObject *value)
{
    return put_more(value, NULL) ? Py_NewRef(value) : NULL;
}

static int
none_to_take_off(void)
{
    PyErr_SetString(PyExc_TypeError, "nothing can be taken off a tape");
    return -1;
}

static int
stamp_set(PyObject *self, PyObject *first, PyObject *second)
{
    if (second == NULL)
        return none_to_take_off();
    return put_record((Stamp *)self, first, second) ? 0 : -1;
}

static int
more_set(PyObject *Py_UNUSED(self), PyObject *first, PyObject *second)
{
    if (second == NULL)
        return none_to_take_off();
    return put_more(first, second) ? 0 : -1;
}

static int
stamp_has(PyObject *self, PyObject *value)
{
    return put_record((Stamp *)self, value, NULL) ? 0 : -1;
}

static int
more_has(PyObject *Py_UNUSED(self), PyObject *value)
{
    return put_more(value, NULL) ? 0 : -1;
}

static PyObject *
stamp_alone(PyObject *self)
{
    return put_record((Stamp *)self, NULL, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* The interpreter asks the left operand first; who is not one of ours here would be asked second. */
static PyObject *
stamp_shift(PyObject *self, PyObject *value)
{
    if (Py_TYPE(self) == tapes.more_type)
        return put_more(value, NULL) ? Py_NewRef(Py_None) : NULL;
    if (Py_TYPE(self) != tapes.stamp_type)
        return Py_NewRef(Py_NotImplemented);
    return put_record((Stamp *)self, value, NULL) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *
stamp_all(PyObject *self, PyObject *values)
{
    if (Py_TYPE(self) != tapes.stamp_type || !PyTuple_CheckExact(values) || PyTuple_Size(values) < 1)
        return Py_NewRef(Py_NotImplemented);
    Py_ssize_t length = PyTuple_Size(values);
    int put = put_record((Stamp *)self, PyTuple_GetItem(values, 0), NULL);
    for (Py_ssize_t at = 1; put && at < length; at++)
        put = put_more(PyTuple_GetItem(values, at), NULL);
    return put ? Py_NewRef(PyTuple_GetItem(values, length - 1)) : NULL;
}

/* What stamps and kinds have in common: they hold one object, before all else. */

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
number_of_stamp(PyObject *self, void *Py_UNUSED(nothing))
{
    return PyLong_FromUnsignedLong(((Stamp *)self)->number);
}

static PyGetSetDef stamp_attributes[] = {
    {"number", number_of_stamp, NULL, "The number of its marker.", NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot stamp_slots[] = {
    {Py_tp_getset, stamp_attributes}, {Py_tp_dealloc, free_holder},   {Py_mp_subscript, stamp_get}, {Py_mp_ass_subscript, stamp_set},
    {Py_sq_contains, stamp_has},   {Py_nb_invert, stamp_alone},  {Py_nb_matrix_multiply, stamp_all},
    {Py_nb_lshift, stamp_shift},   {0, NULL},
};
static PyType_Slot more_slots[] = {
    {Py_mp_subscript, more_get}, {Py_mp_ass_subscript, more_set}, {Py_sq_contains, more_has},
    {Py_nb_lshift, stamp_shift}, {0, NULL}};
static PyType_Spec stamp_spec = {.name = "_accelerator.Stamp",
                                 .basicsize = sizeof(Stamp),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = stamp_slots};
static PyType_Spec more_spec = {.name = "_accelerator.More",
                                .basicsize = sizeof(PyObject),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                .slots = more_slots};

static PyObject *
make_stamp(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *marker;
    unsigned int number;
    int shows, birth, safe, detail;
    if (!PyArg_ParseTuple(args, "OIpppp:stamp", &marker, &number, &shows, &birth, &safe, &detail))
        return NULL;
    Stamp *made = (Stamp *)PyType_GenericAlloc(tapes.stamp_type, 0);
    if (made == NULL)
        return NULL;
    made->marker = Py_NewRef(marker); /* which holds the stamp: both live forever, as a strip may name them */
    made->number = number;
    made->flags = (unsigned char)(SHOWS * shows | BIRTH * birth | SAFE * safe | DETAIL * detail);
    return (PyObject *)made;
}

static PyObject *
make_more(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing))
{
    return PyType_GenericAlloc(tapes.more_type, 0);
}

/* `value in kinds`: whether the identity of its type is in a collection of the recorder. What was found is remembered. */

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
    {"forget", kinds_forget, METH_NOARGS, "Remember nothing: the collection has become smaller."}, {NULL, NULL, 0, NULL}};
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

/* The strip, for those who put words on it one by one: there a marker stands for itself. */

static int
add_word(Strip *one, PyObject *word)
{
    if (one->code >= one->end && grow(one) < 0)
        return -1;
    if (tapes.markers == NULL || !PyType_IsSubtype(Py_TYPE(word), (PyTypeObject *)tapes.markers)) {
        one->code = add_value(one, one->code, word, one->after);
        one->after = 0;
        return 0;
    }
    PyObject *stamp = PyObject_GetAttrString(word, "stamp");
    if (stamp == NULL || Py_TYPE(stamp) != tapes.stamp_type) {
        Py_XDECREF(stamp);
        PyErr_SetString(PyExc_TypeError, "a marker without a stamp");
        return -1;
    }
    one->code = add_mark(one, one->code, (Stamp *)stamp);
    one->after = ((Stamp *)stamp)->flags;
    Py_DECREF(stamp);
    return 0;
}

static PyObject *
strip_add(PyObject *self, PyObject *words)
{
    if (tapes.find_list == Py_None)
        return Py_NewRef(self);
    PyObject *listed = PySequence_Tuple(words);
    int failed = listed == NULL;
    for (Py_ssize_t at = 0; !failed && at < PyTuple_Size(listed); at++)
        failed = add_word((Strip *)self, PyTuple_GetItem(listed, at)) < 0;
    Py_XDECREF(listed);
    return failed ? NULL : Py_NewRef(self);
}

static PyObject *
strip_extend(PyObject *self, PyObject *words)
{
    PyObject *same = strip_add(self, words);
    Py_XDECREF(same);
    return same == NULL ? NULL : Py_NewRef(Py_None);
}

static Py_ssize_t
strip_length(PyObject *self)
{
    return (Py_ssize_t)WORDS((Strip *)self);
}

/* Everything, as a strip of its own; this one is empty then. */
static PyObject *
strip_take(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    Strip *one = (Strip *)self, *made = (Strip *)new_strip();
    if (made != NULL)
        exchange(one, made);
    return (PyObject *)made;
}

/* Only a strip that was taken lets go of all: on another one there may be more, meanwhile. */
static PyObject *
strip_let_go(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    if ((Strip *)self == tapes.strip) {
        PyErr_SetString(PyExc_ValueError, "records go to this strip");
        return NULL;
    }
    let_go_of_all((Strip *)self);
    empty((Strip *)self);
    Py_RETURN_NONE;
}

static PyObject *
word_at(unsigned char code, long long **whole, double **real, PyObject ***other, Stamp ***mark)
{
    switch (code) {
    case WORD_MARKER:
        return Py_NewRef((*(*mark)++)->marker);
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
    return Py_NewRef(tapes.own[code - FIRST_FREQUENT]->marker);
}

/* The same words one by one. */
static PyObject *
strip_words(PyObject *self, PyObject *Py_UNUSED(nothing))
{
    Strip *one = (Strip *)self;
    long long *whole = one->ints;
    double *real = one->floats;
    PyObject **other = one->others, *found = PyList_New(0);
    Stamp **mark = one->marks;
    for (unsigned char *code = one->codes; found != NULL && code < one->code; code++) {
        PyObject *word = word_at(*code, &whole, &real, &other, &mark);
        if (word == NULL || push(found, word) < 0)
            Py_CLEAR(found);
        Py_XDECREF(word);
    }
    return found;
}

/* How many words of a column come from a place on: who asks looks at the last ones. */
static size_t
count_from(const Strip *one, size_t place, int (*is_in)(unsigned char))
{
    size_t found = 0;
    for (size_t at = place; at < WORDS(one); at++)
        found += is_in(one->codes[at]) != 0;
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
    size_t words = WORDS((Strip *)self);
    *place = found < 0 ? 0 : (size_t)found < words ? (size_t)found : words;
    return 1;
}

/* The values from a place on that are held. */
static PyObject *
strip_held(PyObject *self, PyObject *since)
{
    Strip *one = (Strip *)self;
    size_t place;
    PyObject *found = read_place(self, since, &place) ? PyList_New(0) : NULL;
    size_t count = found == NULL ? 0 : count_from(one, place, is_other);
    for (PyObject **at = one->other - count; found != NULL && at < one->other; at++)
        if (push(found, *at) < 0)
            Py_CLEAR(found);
    return found;
}

/* Take words off from a place on. */
static PyObject *
strip_cut(PyObject *self, PyObject *from)
{
    Strip *one = (Strip *)self;
    size_t place;
    if (!read_place(self, from, &place))
        return NULL;
    PyObject *gone = strip_held(self, from);
    if (gone == NULL)
        return NULL;
    PyObject **end = one->other;
    one->whole -= count_from(one, place, is_int);
    one->real -= count_from(one, place, is_float);
    one->mark -= count_from(one, place, is_mark);
    one->other -= count_from(one, place, is_other);
    size_t kept = (size_t)(one->other - one->others);
    while (one->show > one->shown && one->show[-1] >= kept)
        one->show--;
    while (one->birth > one->born && one->birth[-1] >= kept)
        one->birth--;
    one->code = one->codes + place;
    for (PyObject **at = one->other; at < end; at++)
        let_go(*at); /* the list holds them still */
    Py_DECREF(gone);
    Py_RETURN_NONE;
}

static PyMethodDef strip_methods[] = {
    {"extend", strip_extend, METH_O, "Put words on it."},
    {"take", strip_take, METH_NOARGS, "Take everything off, as a strip of its own."},
    {"let_go", strip_let_go, METH_NOARGS, "Let go of everything."},
    {"words", strip_words, METH_NOARGS, "The words one by one."},
    {"held", strip_held, METH_O, "The values from a place on that are held."},
    {"cut", strip_cut, METH_O, "Take words off from a place on."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot strip_slots[] = {
    {Py_tp_dealloc, free_strip},  {Py_tp_methods, strip_methods}, {Py_sq_length, strip_length},
    {Py_sq_inplace_concat, strip_add}, {0, NULL},
};
static PyType_Spec strip_spec = {.name = "_accelerator.Strip",
                                 .basicsize = sizeof(Strip),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = strip_slots};

/* From now on records go to a new strip, which a function writes away. Gives the strip. */
static PyObject *
begin_strip(PyObject *Py_UNUSED(module), PyObject *markers)
{
    PyObject *made = new_strip();
    if (made == NULL)
        return NULL;
    Py_CLEAR(tapes.find_list);
    tapes.apart = tapes.skips = 0;
    tapes.written = time(NULL);
    Py_XDECREF(tapes.markers);
    tapes.markers = Py_NewRef(markers);
    PyObject *before = (PyObject *)tapes.strip;
    tapes.strip = (Strip *)Py_NewRef(made);
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

/* From now on records go to the list that a function gives for the current thread; with None, nowhere. */
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

/* From now on records of details are not taken, as long as they would go to a strip. */
static PyObject *
leave_details(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing))
{
    tapes.apart = 1;
    Py_RETURN_NONE;
}

/* Another thread runs than did when its list was looked for. */
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
numbers_of_marks(const Strip *one)
{
    PyObject *found = PyBytes_FromStringAndSize(NULL, (one->mark - one->marks) * (Py_ssize_t)sizeof(unsigned int));
    char *out = found == NULL ? NULL : PyBytes_AsString(found);
    for (Stamp **at = one->marks; out != NULL && at < one->mark; at++, out += sizeof(unsigned int))
        memcpy(out, &(*at)->number, sizeof(unsigned int));
    return found;
}

/* What `take` gives for a slice of a list, but for the markers: these are numbers already. */
static PyObject *
take_strip(PyObject *module, PyObject *args)
{
    PyObject *given, *known;
    unsigned long long first;
    if (!PyArg_ParseTuple(args, "OOK:take_strip", &given, &known, &first))
        return NULL;
    Registry *registry = registry_of(module, known);
    if (registry == NULL)
        return NULL;
    if (Py_TYPE(given) != tapes.strip_type) {
        PyErr_SetString(PyExc_TypeError, "a strip is wanted");
        return NULL;
    }
    Strip *one = (Strip *)given;
    Py_ssize_t count = one->other - one->others;
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
    failed = failed || number_all(one->others, count, registry, (unsigned int)first, numbers, new, fresh) < 0;
    for (unsigned int *at = one->shown; !failed && at < one->show; at++)
        failed = push(shown, one->others[*at]) < 0;
    for (unsigned int *at = one->born; !failed && at < one->birth; at++)
        if (numbers[*at] == first + *at) /* a new one has its number from its place */
            failed = push(born, one->others[*at]) < 0;
    if (!failed)
        result = Py_BuildValue(
            "(NNNNNNOOO)", PyBytes_FromStringAndSize((const char *)one->codes, one->code - one->codes),
            PyBytes_FromStringAndSize((const char *)one->ints, (char *)one->whole - (char *)one->ints),
            PyBytes_FromStringAndSize((const char *)one->floats, (char *)one->real - (char *)one->floats),
            numbers_of_marks(one),
            four_bytes_each(numbers, count), four_bytes_each(new, PyList_Size(fresh)), fresh, shown, born);
    Py_XDECREF(fresh);
    Py_XDECREF(shown);
    Py_XDECREF(born);
    PyMem_Free(numbers);
    PyMem_Free(new);
    return result;
}

/* Once for the process, however often the library is loaded in it. */
static int
begin_tapes(void)
{
    if (tapes.strip != NULL)
        return 0;
    tapes.strip_type = (PyTypeObject *)PyType_FromSpec(&strip_spec);
    tapes.stamp_type = (PyTypeObject *)PyType_FromSpec(&stamp_spec);
    tapes.more_type = (PyTypeObject *)PyType_FromSpec(&more_spec);
    tapes.kinds_type = (PyTypeObject *)PyType_FromSpec(&kinds_spec);
    if (tapes.strip_type == NULL || tapes.stamp_type == NULL || tapes.more_type == NULL || tapes.kinds_type == NULL)
        return -1;
    tapes.strip = (Strip *)new_strip();
    return tapes.strip == NULL ? -1 : 0;
}

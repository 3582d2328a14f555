/* Loops over whole columns. Plain C without Python's headers, so that one library fits every
   interpreter; `shared_library.py` calls it through ctypes, which releases the interpreter lock. Each function has a twin in
   numpy that gives the same columns. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Changes with the parameters and results of the functions; see `shared_library.py`. */
EXPORT int32_t adebug_contract(void) { return 2; }

/* Positions of the words `first` + n whose flag n is set; without `positions`, only how many there are. */
EXPORT int64_t adebug_places(const uint32_t *words, int64_t count, const uint8_t *wanted, uint32_t flags,
                             uint32_t first, int64_t *positions) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t number = words[i] - first; /* lower numbers wrap around and become very large */
        if (number < flags && wanted[number]) {
            if (positions != NULL)
                positions[found] = i;
            found++;
        }
    }
    return found;
}

/* Kinds of events: those of `event_nesting.py` and `span_events.py`. */
enum { BEGINS = 1, ENDS = 2, OPENS = 3, CLOSES = 4, THROWN = 254 };
enum { IS_OPEN = 1, IS_RAISED = 2 };
enum { NOT_NESTED = -1, NO_MEMORY = -2 };

typedef struct {
    uint32_t markers;
    const uint8_t *does, *raised, *returns;
    const int16_t *level;
    const int32_t *node, *routine;
    const int64_t *arity;
} Table;

typedef struct {
    int32_t *parent, *routine, *node, *activation, *size;
    int8_t *kind, *flags;
    int64_t *first, *last;
} Columns;

typedef struct {
    int32_t span;
    int16_t level;
} Open;

typedef struct {
    int32_t span, routine;
    int64_t base; /* its index in the stack of open spans */
    int returned;
} Frame;

typedef struct {
    Open *open;
    Frame *frames;
    int64_t opened, depth, room_open, room_frames;
} Stack;

static int grow(void **items, int64_t *room, int64_t count, size_t item) {
    if (count < *room)
        return 1;
    int64_t larger = *room ? 2 * *room : 1024;
    void *moved = realloc(*items, (size_t)larger * item);
    if (moved == NULL)
        return 0;
    *items = moved;
    *room = larger;
    return 1;
}

static void close_spans(Stack *stack, Columns *to, int64_t base, int level, int64_t until, int raised, int32_t next) {
    while (stack->opened > base && stack->open[stack->opened - 1].level >= level) {
        int32_t span = stack->open[--stack->opened].span;
        to->last[span] = until;
        to->flags[span] = raised ? IS_RAISED : 0;
        to->size[span] = next - span;
    }
}

/* Appends an open span below the innermost one. */
static int open_span(Stack *stack, Columns *to, int32_t span, int level, int64_t first) {
    if (!grow((void **)&stack->open, &stack->room_open, stack->opened, sizeof(Open)))
        return 0;
    to->parent[span] = stack->opened ? stack->open[stack->opened - 1].span : -1;
    to->first[span] = first;
    stack->open[stack->opened].span = span;
    stack->open[stack->opened++].level = (int16_t)level;
    return 1;
}

static int64_t find_spans(const uint32_t *words, int64_t count, const Table *table, int64_t coarse, uint32_t test_begin,
                          const int8_t *kinds, int8_t loop, int8_t iteration, Columns *to, int64_t room, Stack *stack) {
    int32_t next = 0;
    int skip = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t marker = words[i];
        if (marker >= table->markers)
            continue;
        int does = table->does[marker];
        if (does == 0) {
            if (marker == test_begin && stack->depth > 0)
                return NOT_NESTED;
            continue;
        }
        if (skip) { /* the end of a generator that was closed without running */
            skip = 0;
            continue;
        }
        if (does == THROWN) {
            skip = 1;
            continue;
        }
        if (does > CLOSES)
            return NOT_NESTED;
        int returns = table->returns[marker];
        if ((does > ENDS && i >= coarse && !returns) || (does <= ENDS && i + table->arity[marker] >= count))
            continue;
        int level = table->level[marker];
        int32_t routine = table->routine[marker];
        if (does == BEGINS) {
            if (next >= room)
                return NOT_NESTED;
            if (!grow((void **)&stack->frames, &stack->room_frames, stack->depth, sizeof(Frame)))
                return NO_MEMORY;
            Frame frame = {next, routine, stack->opened, 0};
            stack->frames[stack->depth++] = frame;
            if (!open_span(stack, to, next, 0, i))
                return NO_MEMORY;
            to->kind[next] = kinds[routine];
        } else {
            if (stack->depth == 0 || stack->frames[stack->depth - 1].routine != routine)
                return NOT_NESTED;
            Frame *frame = &stack->frames[stack->depth - 1];
            int64_t until = does == ENDS || returns ? i + table->arity[marker] : i - 1;
            if (returns)
                frame->returned = 1;
            if (does == ENDS) {
                close_spans(stack, to, frame->base, 0, until, table->raised[marker], next);
                stack->depth--;
                continue;
            }
            close_spans(stack, to, frame->base + 1, level, until, table->raised[marker] && !frame->returned, next);
            if (does == CLOSES)
                continue;
            if (next >= room)
                return NOT_NESTED;
            if (level % 2 == 0) { /* an iteration must be in its loop */
                Open around = stack->open[stack->opened - 1];
                if (around.level != level - 1 || to->node[around.span] != table->node[marker])
                    return NOT_NESTED;
            }
            if (!open_span(stack, to, next, level, i))
                return NO_MEMORY;
            to->kind[next] = level % 2 ? loop : iteration;
        }
        to->routine[next] = routine;
        to->node[next] = table->node[marker];
        to->activation[next] = stack->frames[stack->depth - 1].span;
        next++;
    }
    while (stack->opened) { /* what never ended */
        int32_t span = stack->open[--stack->opened].span;
        to->last[span] = count - 1;
        to->flags[span] = IS_OPEN;
        to->size[span] = next - span;
    }
    return next;
}

/* All spans of a run that is properly nested in time; -1 if it is not, -2 without memory. */
EXPORT int64_t adebug_spans(const uint32_t *words, int64_t count, uint32_t markers, const uint8_t *does,
                            const uint8_t *raised, const uint8_t *returns, const int16_t *level, const int32_t *node,
                            const int32_t *routine, const int64_t *arity, int64_t coarse, uint32_t test_begin,
                            const int8_t *kinds, int32_t loop, int32_t iteration, int64_t room, int32_t *parent,
                            int8_t *kind, int32_t *routines, int32_t *nodes, int64_t *first, int64_t *last,
                            int8_t *flags, int32_t *activation, int32_t *size) {
    Table table = {markers, does, raised, returns, level, node, routine, arity};
    Columns to = {parent, routines, nodes, activation, size, kind, flags, first, last};
    Stack stack = {NULL, NULL, 0, 0, 0, 0};
    int64_t found = find_spans(words, count, &table, coarse, test_begin, kinds, (int8_t)loop, (int8_t)iteration, &to,
                               room, &stack);
    free(stack.open);
    free(stack.frames);
    return found;
}

/* The columns of a tree, before and after halving. */
typedef struct {
    const int32_t *size, *site, *cost;
    const uint8_t *kind, *raised;
    const int64_t *first, *last;
} Tree;

typedef struct {
    int32_t *parent, *size, *site, *cost, *identity, *made_at, *low, *high;
    uint8_t *kind, *raised;
    int64_t *first, *last;
} Halved;

/* Which siblings are halved: iterations of a loop, and others if they are more than `longest` (none if that is < 0). */
typedef struct {
    uint8_t loop, iteration, range, others;
    int64_t longest;
} Rule;

/* A node of the new tree, `at`, whose subtree is not complete: the old node `old`, or a range over children of it. Its
   subtree ends before the old node `until`. Below it come pool[low], ..., pool[end - 1], of which `next` is the first
   that is missing; the run that it belongs to ends before `stop`, and is divided into two halves if `halved`. */
typedef struct {
    int32_t at, old;
    int64_t until, low, next, stop, end;
    int halved;
} Level;

static int is_turn(const Tree *tree, const Rule *rule, int64_t node, int64_t child) {
    return tree->kind[node] == rule->loop && tree->kind[child] == rule->iteration;
}

/* The end of the run of siblings that begins with pool[start], and whether it is halved. */
static int64_t run_of(const Tree *tree, const Rule *rule, const int32_t *pool, int64_t node, int64_t start, int64_t end,
                      int *halved) {
    int turns = is_turn(tree, rule, node, pool[start]);
    int64_t stop = start + 1;
    while (stop < end && is_turn(tree, rule, node, pool[stop]) == turns)
        stop++;
    *halved = stop - start > (turns ? 1 : rule->longest < 0 ? stop - start : rule->longest);
    return stop;
}

/* Appends the children of a node to the pool; returns where they end. */
static int64_t children(const Tree *tree, int64_t node, int32_t *pool, int64_t pooled) {
    for (int64_t child = node + 1, end = node + tree->size[node]; child < end; child += tree->size[child])
        pool[pooled++] = (int32_t)child;
    return pooled;
}

/* Fills the pool with the children of all nodes, in order of their parents; returns the number of ranges above them. */
EXPORT int64_t adebug_ranges(int64_t nodes, const int32_t *size, const uint8_t *kind, int32_t loop, int32_t iteration,
                             int64_t longest, int32_t *pool) {
    Tree tree = {.size = size, .kind = kind};
    Rule rule = {.loop = (uint8_t)loop, .iteration = (uint8_t)iteration, .longest = longest};
    int64_t made = 0, pooled = 0;
    for (int64_t node = 0; node < nodes; node++) {
        int64_t begin = pooled;
        pooled = children(&tree, node, pool, pooled);
        for (int64_t start = begin, stop; start < pooled; start = stop) {
            int halved;
            stop = run_of(&tree, &rule, pool, node, start, pooled, &halved);
            if (halved)
                made += stop - start - (stop - start < pooled - begin ? 1 : 2);
        }
    }
    return made;
}

/* Opens a range over pool[low], ..., pool[stop - 1]. */
static void open_range(Level *level, const Tree *tree, const Rule *rule, const Halved *to, const int32_t *pool,
                       int32_t at, int32_t made, int32_t parent, int32_t under, int64_t low, int64_t stop) {
    int32_t begin = pool[low], right = pool[stop - 1];
    to->parent[at] = parent;
    to->site[at] = tree->site[under];
    to->cost[at] = tree->cost[under];
    to->kind[at] = is_turn(tree, rule, under, begin) ? rule->range : rule->others;
    to->raised[at] = tree->raised[right];
    to->first[at] = tree->first[begin];
    to->last[at] = tree->last[right];
    to->identity[at] = -1;
    to->made_at[at] = made;
    to->low[made] = (int32_t)low;
    to->high[made] = (int32_t)stop;
    Level opened = {at, under, right + tree->size[right], low, low, stop, stop, 1};
    *level = opened;
}

static void copy_node(const Tree *tree, const Halved *to, int32_t at, int32_t node, int32_t parent) {
    to->parent[at] = parent;
    to->site[at] = tree->site[node];
    to->cost[at] = tree->cost[node];
    to->kind[at] = tree->kind[node];
    to->raised[at] = tree->raised[node];
    to->first[at] = tree->first[node];
    to->last[at] = tree->last[node];
    to->identity[at] = node;
    to->made_at[at] = -1;
}

/* Writes the halved tree in preorder, with the pool of `adebug_ranges`; false without memory. */
EXPORT int32_t adebug_halve(int64_t nodes, const int32_t *size, const uint8_t *kind, const int32_t *site,
                            const uint8_t *raised, const int32_t *cost, const int64_t *first, const int64_t *last,
                            int32_t loop, int32_t iteration, int32_t range, int32_t others, int64_t longest,
                            const int32_t *pool, int32_t *parent_to, int32_t *size_to, int32_t *site_to,
                            uint8_t *kind_to, uint8_t *raised_to, int32_t *cost_to, int64_t *first_to,
                            int64_t *last_to, int32_t *identity, int32_t *made_at, int32_t *low, int32_t *high) {
    Tree tree = {size, site, cost, kind, raised, first, last};
    Halved to = {parent_to, size_to, site_to, cost_to, identity, made_at, low, high, kind_to, raised_to, first_to,
                 last_to};
    Rule rule = {(uint8_t)loop, (uint8_t)iteration, (uint8_t)range, (uint8_t)others, longest};
    Level *open = NULL;
    int64_t depth = 0, room = 0, pooled = 0;
    int32_t at = 0, made = 0;
    for (int64_t node = 0; node < nodes; node++) {
        while (depth > 0 && open[depth - 1].until <= node) {
            depth--;
            to.size[open[depth].at] = at - open[depth].at;
        }
        for (;;) { /* the ranges that begin with this node */
            if (!grow((void **)&open, &room, depth + 1, sizeof(Level))) {
                free(open);
                return 0;
            }
            if (depth == 0)
                break;
            Level *around = &open[depth - 1];
            int64_t begin = around->next, stop = begin + 1;
            if (begin == around->stop) { /* the next run; only below an old node is there more than one */
                around->stop = run_of(&tree, &rule, pool, around->old, begin, around->end, &around->halved);
                if (around->halved && around->stop - begin < around->end - around->low) {
                    around->halved = 0; /* beside other siblings, it gets a range of its own */
                    stop = around->stop;
                }
            }
            if (around->halved) {
                int64_t middle = (around->low + around->stop + 1) / 2;
                stop = begin < middle ? middle : around->stop;
            }
            around->next = stop;
            if (stop - begin == 1)
                break;
            open_range(&open[depth], &tree, &rule, &to, pool, at++, made++, around->at, around->old, begin, stop);
            depth++;
        }
        copy_node(&tree, &to, at, (int32_t)node, depth > 0 ? open[depth - 1].at : -1);
        int64_t begin = pooled;
        for (int64_t child = node + 1, end = node + size[node]; child < end; child += size[child])
            pooled++;
        Level opened = {at, (int32_t)node, node + size[node], begin, begin, begin, pooled, 0};
        open[depth++] = opened;
        at++;
    }
    while (depth > 0) {
        depth--;
        to.size[open[depth].at] = at - open[depth].at;
    }
    free(open);
    return 1;
}

/* Words from the kinds of each: `table` has those that are one word, the others come in order from their columns. The
   values of bools and ints are in `integers`, and every int that is not small has a number of its own. */
EXPORT int32_t adebug_words(const uint8_t *codes, int64_t count, const uint32_t *table, int32_t marker, int32_t other,
                            int32_t boolean, int32_t integer, int32_t real, const uint32_t *markers,
                            const uint32_t *others, const int64_t *integers, uint32_t first_int, uint32_t first_real,
                            int32_t smallest, int32_t largest, uint32_t zero, uint32_t falsehood, uint32_t *words) {
    int64_t ranks = 0;
    for (int64_t i = 0; i < count; i++) {
        int code = codes[i];
        if (code == other)
            words[i] = *others++;
        else if (code == marker)
            words[i] = *markers++;
        else if (code == integer || code == boolean) {
            int64_t value = integers[ranks];
            if (code == boolean) {
                if (value != 0 && value != 1)
                    return 0;
                words[i] = falsehood + (uint32_t)value;
            } else if (value >= smallest && value <= largest)
                words[i] = zero + (uint32_t)value;
            else
                words[i] = first_int + (uint32_t)ranks;
            ranks++;
        } else if (code == real)
            words[i] = first_real++;
        else
            words[i] = table[code];
    }
    return 1;
}

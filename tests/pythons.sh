#!/bin/sh
# Puts the CPython versions of another Debian release into a folder, runnable there, and prints their interpreters.
#
#   tests/pythons.sh sid /some/folder 3.14 3.15
#
# It takes root, debootstrap and patchelf. Nothing outside of the folder is changed: programs of that release find its
# own C library beside them. Headers, venv and the tests of the standard library are there, too.
set -eu

suite="$1"
folder="$2/$suite"
shift 2

packages=
for version in "$@"; do
    packages="$packages,python$version,python$version-dev,python$version-venv,libpython$version-testsuite"
done
packages="${packages#,}"

if [ "$(cat "$folder/.ready" 2> /dev/null)" != "$packages" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    debootstrap --variant=minbase --include="$packages" "$suite" "$folder" >&2
    libraries="$(dirname "$(find "$folder/usr/lib" -name 'libc.so.6' | head -n 1)")"
    loader="$(find "$folder/usr/lib" "$folder/usr/lib64" -name 'ld-linux-*.so.*' | head -n 1)"
    for version in "$@"; do
        program="$folder/usr/bin/python$version"
        # DT_RPATH, not DT_RUNPATH: it also holds for libraries that extension modules need.
        patchelf --force-rpath --set-rpath "$libraries" --set-interpreter "$loader" "$program"
        # venv takes pip from a folder that is told by its absolute name.
        sed -i "s#'/usr/share/python-wheels#'$folder/usr/share/python-wheels#" "$folder/usr/lib/python$version"/_sysconfigdata_*.py
        # Headers: the real one is in the folder of the architecture, where only the system's compiler would look.
        cp "$folder"/usr/include/*-linux-*/"python$version/pyconfig.h" "$folder/usr/include/python$version/pyconfig.h"
        "$program" -c 'import ssl, ctypes, sqlite3, ensurepip, test.support' >&2
    done
    echo "$packages" > "$folder/.ready"
fi
for version in "$@"; do
    echo "$folder/usr/bin/python$version"
done

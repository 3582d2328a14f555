#!/bin/sh
# Installs CPython versions of another Debian release into a folder, and prints the paths of the interpreters.
#
#   tests/pythons.sh sid /some/folder 3.14 3.15
#
# Requires root, debootstrap and patchelf. Nothing outside the folder is changed: programs of that release use its own C
# library in the folder. Headers, venv and the tests of the standard library are included.
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
        # DT_RPATH, not DT_RUNPATH: it also applies to the libraries of extension modules.
        patchelf --force-rpath --set-rpath "$libraries" --set-interpreter "$loader" "$program"
        # venv installs pip from a folder with an absolute path.
        sed -i "s#'/usr/share/python-wheels#'$folder/usr/share/python-wheels#" "$folder/usr/lib/python$version"/_sysconfigdata_*.py
        # Headers: the real pyconfig.h is in the architecture's folder, where only the system's compiler looks.
        cp "$folder"/usr/include/*-linux-*/"python$version/pyconfig.h" "$folder/usr/include/python$version/pyconfig.h"
        "$program" -c 'import ssl, ctypes, sqlite3, ensurepip, test.support' >&2
    done
    echo "$packages" > "$folder/.ready"
fi
for version in "$@"; do
    echo "$folder/usr/bin/python$version"
done

#!/bin/sh
# Installs the Erlang/OTP of another Debian release into a folder, and prints the folder to add to PATH.
#
#   tests/otp.sh trixie /some/folder
#
# Requires root, debootstrap and patchelf. Nothing outside the folder is changed: programs of that release use its own C
# library in the folder.
set -eu

suite="$1"
folder="$2/$suite"
bin="$folder/usr/lib/erlang/bin"
packages=erlang-base,erlang-dev,erlang-eunit,erlang-runtime-tools,erlang-parsetools,erlang-src

if [ ! -f "$folder/.ready" ]; then
    rm -rf "$folder"
    mkdir -p "$2"
    debootstrap --variant=minbase --include="$packages" "$suite" "$folder" >&2
    libraries="$(dirname "$(find "$folder/usr/lib" -name 'libc.so.6' | head -n 1)")"
    loader="$(find "$folder/usr/lib" "$folder/lib64" -name 'ld-linux-*.so.*' | head -n 1)"
    find "$folder/usr/lib/erlang" -type f \( -perm -100 -o -name '*.so' \) | while read -r file; do
        if patchelf --set-rpath "$libraries" "$file" 2> /dev/null && patchelf --print-interpreter "$file" > /dev/null 2>&1; then
            patchelf --set-interpreter "$loader" "$file"
        fi
    done
    find "$folder/usr/lib/erlang" -type l -lname '/*' | while read -r link; do
        ln -sfn "$folder$(readlink "$link")" "$link"
    done
    sed -i "s#/usr/lib/erlang#$folder/usr/lib/erlang#g" "$(readlink -f "$bin/erl")"
    "$bin/erl" -noshell -eval 'halt(0).' >&2
    touch "$folder/.ready"
fi
echo "$bin"

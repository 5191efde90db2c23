# shellcheck shell=bash
# Sourced by the scripts that build: the Swift that script/bootstrap --install-swift has installed comes before others.

swift_folder=${PICS_SWIFT_DIR:-${HOME:-/root}/.local/share/pics/swift}
if [[ -x $swift_folder/usr/bin/swift ]]; then PATH=$swift_folder/usr/bin:$PATH; fi

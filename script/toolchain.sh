# shellcheck shell=bash
# Sourced by the scripts that build: the Swift that script/bootstrap --install-swift has installed comes before others.

swift_folder=${PICS_SWIFT_DIR:-${HOME:-/root}/.local/share/pics/swift}
if [[ -x $swift_folder/usr/bin/swift ]]; then PATH=$swift_folder/usr/bin:$PATH; fi

# A program that needs no Swift where it runs, with short relocations (glibc 2.36) and without a table of names for other programs. The default
# linker would warn of a function that Foundation never calls.
# shellcheck disable=SC2034  # For the scripts that read this file.
release_options=(
    -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
)

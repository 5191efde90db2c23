# shellcheck shell=bash
# Sourced by the scripts that build: the Swift that script/bootstrap --install-swift has installed comes before others.

swift_folder=${PICS_SWIFT_DIR:-${HOME:-/root}/.local/share/pics/swift}
if [[ -x $swift_folder/usr/bin/swift ]]; then PATH=$swift_folder/usr/bin:$PATH; fi

# A program that needs no Swift where it runs, without a table of names for other programs, functions that nobody calls, equal
# functions twice, and unwind tables (docs/decisions/small-programs.md). The default linker would warn of a function that Foundation
# never calls.
release_options=(-c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic)
release_options+=(-Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --icf=all)
release_options+=(-Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/without-unwind-tables.ld")
# Short relocations, which the C library reads from 2.36 on.
if [[ $(getconf GNU_LIBC_VERSION | sed 's/.* //; s/$/\n2.36/' | sort -V | head -n 1) == 2.36 ]]; then
    release_options+=(-Xlinker -z -Xlinker pack-relative-relocs)
fi

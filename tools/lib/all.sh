# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Everything in this folder, in the order in which it stands on each other.

lib=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tools/lib/common.sh
. "$lib/common.sh"
# shellcheck source=tools/lib/packages.sh
. "$lib/packages.sh"
# shellcheck source=tools/lib/vm.sh
. "$lib/vm.sh"
# shellcheck source=tools/lib/linux.sh
. "$lib/linux.sh"
# shellcheck source=tools/lib/build.sh
. "$lib/build.sh"
# shellcheck source=tools/lib/demo.sh
. "$lib/demo.sh"
# shellcheck source=tools/lib/check.sh
. "$lib/check.sh"

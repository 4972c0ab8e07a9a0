# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Running tests and keeping count of them.

passed=0 failed=0 skipped=0
check_patience=5 # times meson's own limits: the machine may be busy, and sanitizers are slow

check_count() {
    case $1 in
    passed) passed=$((passed + $2)) ;;
    failed) failed=$((failed + $2)) ;;
    skipped) skipped=$((skipped + $2)) ;;
    esac
}

check_skip() {
    say "skipped: $*"
    check_count skipped 1
}

check_fail() {
    say "FAILED: $*"
    check_count failed 1
}

# One section, with what it adds to the sum and how long it took. A section that ends with an error
# of its own, rather than with a test that failed, counts as one failure.
check_section() {
    local title=$1 begin=$SECONDS p=$passed f=$failed s=$skipped
    shift
    heading "$title"
    if ! "$@" && [ "$failed" -eq "$f" ]; then
        check_fail "the section \"$title\" ended early"
    fi
    say "   passed $((passed - p)), failed $((failed - f)), skipped $((skipped - s))" \
        "in $((SECONDS - begin)) s"
}

# A test that is one command.
check_one() {
    local name=$1 what=$2
    shift 2
    if quietly "$build/check/$name.log" "$@"; then
        say "ok: $what"
        check_count passed 1
    else
        check_fail "$what"
        return 1
    fi
}

# A test that is a command whose output is TAP.
check_tap() {
    local name=$1 log status=0
    shift
    log=$build/check/$name.log
    mkdir -p "$(dirname "$log")"
    "$@" </dev/null >"$log" 2>&1 || status=$?
    cat "$log"
    check_count skipped "$(grep -c '^ok.*# SKIP' "$log")"
    check_count passed "$(grep '^ok' "$log" | grep -vc '# SKIP')"
    check_count failed "$(grep -c '^not ok' "$log")"
    # A program that died before it could say "not ok" has failed too.
    if [ "$status" -ne 0 ] && ! grep -q '^not ok' "$log"; then
        check_fail "$name ended with status $status"
    fi
}

# Builds one build folder and runs its meson tests.
check_meson() {
    local name=$1 dir=$2 log=$build/check/$1.log kind number status=0 before=$failed
    shift 2
    check_one "$name.build" "builds without a warning" build_in "$dir" "$@" || return
    rm -f "$dir/meson-logs/testlog.json"
    meson test -C "$dir" --no-rebuild --print-errorlogs -t "$check_patience" \
        </dev/null >"$log" 2>&1 || status=$?
    while read -r kind number; do
        check_count "$kind" "$number"
    done < <(check_meson_results "$dir/meson-logs/testlog.json")
    if [ "$status" -ne 0 ]; then
        tail -n 100 "$log"
        [ "$failed" -gt "$before" ] || check_fail "meson test ended with status $status"
    fi
}

# meson writes one JSON object a test.
check_meson_results() {
    [ -f "$1" ] || return 0
    jq -r 'if .result == "OK" or .result == "EXPECTEDFAIL" then "passed"
           elif .result == "SKIP" then "skipped" else "failed" end' "$1" |
        sort | uniq -c | awk '{ print $2, $1 }'
}

# Every shell script of ours, each with the libraries that it sources, named from the root.
check_shell_scripts() (
    cd "$top" || exit
    mapfile -t files < <(grep -rlE "^#!/bin/(ba)?sh" tools tests .ci)
    shellcheck -x -a "${files[@]}"
)

check_finish() {
    printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# Where things are; read by the other scripts of this folder, which set $bin first.
#
# Sets own (the tree of these scripts), ROCKETMQ_HOME and lib (our jars; empty where nothing is built).
# Switches off the expansion of file names: options are split into words, but a * in them stays a *.
# shellcheck shell=sh

warn() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
}

# The value of -DNAME=... in the JVM's options; the last one wins, as in the JVM.
jvm_property() {
    found=
    for word in ${JAVA_TOOL_OPTIONS-} ${JDK_JAVA_OPTIONS-} ${JAVA_OPT-} ${JAVA_OPT_EXT-}; do
        case $word in "-D$1="*) found=${word#"-D$1="} ;; esac
    done
    printf '%s' "$found"
}

# The home of this user in the table of users, which is where the JVM looks, not at $HOME.
passwd_home() {
    uid=$(id -u)
    { getent passwd "$uid" 2>/dev/null || cat /etc/passwd; } | while IFS=: read -r _ _ id _ _ dir _; do
        if [ "$id" = "$uid" ]; then
            printf '%s' "$dir"
            break
        fi
    done
}

# Sets user_home, what the JVM is to call user.home. Containers run under uids that no table knows: then $HOME,
# and last a folder of our own; never one in a folder that all may write.
find_user_home() {
    user_home=$(jvm_property user.home)
    [ -n "$user_home" ] || user_home=$(passwd_home)
    [ -z "$user_home" ] || return 0
    if [ -d "${HOME-}" ] && [ "$HOME" != / ]; then
        user_home=$HOME
    else
        user_home=$ROCKETMQ_HOME/data
    fi
    warn "uid $(id -u) has no home; using $user_home as user.home"
}

# Our jars: beside these scripts, as the distribution has them; where Maven lays them out in a checkout;
# or, for scripts copied elsewhere, under ROCKETMQ_HOME.
find_lib() {
    for lib in "$own/lib" "$own/namesrv-server/target/namesrv/lib" "$ROCKETMQ_HOME/lib"; do
        for jar in "$lib"/namesrv-server-*.jar; do
            [ ! -f "$jar" ] || return 0
        done
    done
    lib=
}

# shellcheck disable=SC2154 # bin comes from the caller
own=${bin%/*}
[ -n "${ROCKETMQ_HOME-}" ] || ROCKETMQ_HOME=$own
export ROCKETMQ_HOME
find_lib
set -f

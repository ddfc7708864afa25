#!/bin/sh
# Runs a class of the distribution in a JVM set up for the daemon: runserver.sh [JVM OPTION...] CLASS [ARGUMENT...]
# Environment: JAVA_HOME, JAVA_OPT (before our options), JAVA_OPT_EXT (after them), HEAP_OPTS, JAVA_HEAP_SIZE,
# CLASSPATH (appended), NAMESRV_LOG_DIR, NAMESRV_LOG_FORMAT (file, stdout or json), NAMESRV_DEBUG (says why the class
# data archive is not used).

bin=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=places.sh
. "$bin/places.sh"

# Apache's own way to call this script.
if [ "${1-}" = org.apache.rocketmq.namesrv.NamesrvStartup ]; then
    shift
    exec sh "$bin/mqnamesrv" "$@"
fi

find_java() {
    java=
    if [ -n "${JAVA_HOME-}" ]; then
        java=$JAVA_HOME/bin/java
        [ -x "$java" ] || { warn "JAVA_HOME is $JAVA_HOME, but there is no $java; using the java on the PATH" && java=; }
    fi
    [ -n "$java" ] || java=$(command -v java) || { warn "no java found: set JAVA_HOME to Java 17 or later" && exit 1; }

    release=$(dirname "$(dirname "$(readlink -f "$java")")")/release
    [ -r "$release" ] || return 0
    while IFS='="' read -r key _ version _; do
        [ "$key" = JAVA_VERSION ] || continue
        case ${version%%[!0-9]*} in
            [1-9] | 1[0-6]) warn "Java 17 or later is needed, but $java is $version (set JAVA_HOME)" && exit 1 ;;
        esac
    done <"$release"
}

# The jars by name, ours first, in an order that no locale changes: a class data archive demands that.
# Then what the environment adds.
class_path() (
    LC_ALL=C
    set +f
    for jar in "$lib"/namesrv-*.jar; do
        printf '%s:' "$jar"
    done
    for jar in "$lib"/*.jar; do
        case $jar in "$lib"/namesrv-*) ;; *) printf '%s:' "$jar" ;; esac
    done
    printf '%s' "${CLASSPATH-}"
)

# The class data archive that the build left beside the jars. The JVM passes over one that does not fit (another JDK, a jar
# that was touched), but dies of one that was cut short, as by a full disk: so its length was written down.
archive_is_whole() {
    [ -f "$lib/namesrv.jsa" ] && read -r length <"$lib/namesrv.jsa.length" && [ "$(wc -c <"$lib/namesrv.jsa")" -eq "$length" ]
} 2>/dev/null

# Memory of this machine or container in MiB, the smaller of the two.
memory() {
    least=$((1 << 40))
    while read -r key kib _; do
        [ "$key" = MemTotal: ] || continue
        least=$((kib / 1024))
        break
    done 2>/dev/null </proc/meminfo
    for limit in "$cgroup/memory.max" /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
        { [ -r "$limit" ] && read -r bytes <"$limit" && [ "$bytes" != max ]; } || continue
        [ $((bytes / 1048576)) -ge "$least" ] || least=$((bytes / 1048576))
    done
    echo "$least"
}

processors() {
    for limit in "$cgroup/cpu.max" /sys/fs/cgroup/cpu.max; do
        { [ -r "$limit" ] && read -r quota period <"$limit" && [ "$quota" != max ]; } || continue
        [ "$quota" -gt "$period" ] || { echo 1 && return; }
    done
    nproc 2>/dev/null || getconf _NPROCESSORS_ONLN
}

# None where JAVA_OPT_EXT brings its own: half of ours beside half of theirs could contradict each other,
# and an initial heap beyond the largest ends the JVM.
heap() {
    for word in ${JAVA_OPT_EXT-}; do
        case $word in -Xm[sx]* | -XX:*HeapSize=* | -XX:*RAMPercentage=*) return ;; esac
    done
    if [ -n "${NAMESRV_ONE_SHOT-}" ]; then
        echo -Xms16m -Xmx256m
    elif [ -n "${HEAP_OPTS-}" ]; then
        echo "$HEAP_OPTS"
    elif [ -n "${JAVA_HEAP_SIZE-}" ]; then
        echo "-Xms$JAVA_HEAP_SIZE" "-Xmx$JAVA_HEAP_SIZE"
    elif [ "$(memory)" -lt 2048 ]; then
        echo -XX:InitialRAMPercentage=25 -XX:MaxRAMPercentage=50
    else
        echo -Xms256m -Xmx1g
    fi
}

# Sets collector: the last one that is chosen, for two of them end the JVM; ours where none is.
# What the JVM reads from the environment by itself cannot be taken back, so its word counts as the last.
find_collector() {
    collector=
    for word in ${JAVA_OPT-} ${HEAP_OPTS-} ${JAVA_OPT_EXT-} ${JDK_JAVA_OPTIONS-} ${JAVA_TOOL_OPTIONS-}; do
        case $word in -XX:+Use*GC) collector=$word ;; esac
    done
    [ -z "$collector" ] || return 0
    if [ -n "${NAMESRV_ONE_SHOT-}" ] || [ "$(processors)" -lt 2 ]; then
        collector=-XX:+UseSerialGC
    else
        collector=-XX:+UseG1GC
    fi
}

# Options without the words of old option files over which the JVM ends at once, and no option helps;
# and without the collector, which stands behind all of them: some have to be unlocked first.
usable() {
    for word in $1; do
        case $word in
            "$collector") ;;
            -XX:+Use*GC) warn "dropped $word: the collector is $collector" ;;
            -Djava.ext.dirs=* | -Djava.endorsed.dirs=*) warn "dropped $word: Java 9 and later refuse it" ;;
            *) printf '%s ' "$word" ;;
        esac
    done
}

if [ -z "$lib" ]; then
    warn "no namesrv-server jar in $own/lib; run mqnamesrv, or mvn package in a checkout"
    exit 1
fi
find_java
find_user_home
find_collector

# The limits of a container stand at the root of the tree it sees; those of a service of the machine further down.
cgroup=
while IFS=: read -r _ controllers path; do
    [ -n "$controllers" ] || cgroup=/sys/fs/cgroup$path
done 2>/dev/null </proc/self/cgroup

case ${NAMESRV_LOG_FORMAT:=file} in
    file | stdout | json) ;;
    *)
        warn "NAMESRV_LOG_FORMAT is $NAMESRV_LOG_FORMAT (expected: file, stdout or json); using file"
        NAMESRV_LOG_FORMAT="file"
        ;;
esac
NAMESRV_LOG_DIR=${NAMESRV_LOG_DIR:-$user_home/logs/rocketmqlogs}
export NAMESRV_LOG_FORMAT NAMESRV_LOG_DIR

logs_usable=
if [ -z "${NAMESRV_ONE_SHOT-}" ]; then
    if mkdir -p "$NAMESRV_LOG_DIR" 2>/dev/null && [ -w "$NAMESRV_LOG_DIR" ]; then
        logs_usable=yes
    elif [ "$NAMESRV_LOG_FORMAT" = file ]; then
        warn "cannot write to $NAMESRV_LOG_DIR: no log files (set NAMESRV_LOG_DIR, or NAMESRV_LOG_FORMAT=stdout)"
    fi
fi

logging=logback.xml
[ "$NAMESRV_LOG_FORMAT" = file ] || logging=logback-stdout.xml
[ -z "${NAMESRV_ONE_SHOT-}" ] || logging=logback-none.xml
if [ -f "$ROCKETMQ_HOME/conf/$logging" ]; then
    logging=$ROCKETMQ_HOME/conf/$logging
else
    logging=$own/conf/$logging
fi

# From here the command line grows at its front, so it stands here from its end to its beginning.
class_path=$(class_path)
set -- -cp "${class_path%:}" "$@"
# shellcheck disable=SC2046 # split into words on purpose
set -- $(usable "${JAVA_OPT_EXT-}") "$collector" "$@"
set -- -Dlogback.configurationFile="$logging" -Duser.home="$user_home" "$@"
# Netty loads native code and fastjson2 asks Unsafe; JDK 24 and later report both unless they are allowed.
set -- --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow "$@"
set -- -Dfile.encoding=UTF-8 -Dfastjson2.parser.safeMode=true "$@"
[ -z "$logs_usable" ] || set -- "-Xlog:gc*:file=\"$NAMESRV_LOG_DIR/gc-%p.log\":time,tags:filecount=5,filesize=10M" "$@"
# Without a fitting archive the start takes longer, which is nothing to warn of.
[ -n "${NAMESRV_DEBUG-}" ] || set -- -Xlog:cds*=off:stderr "$@"
set -- -Xlog:disable -Xlog:all=warning:stderr:uptime,level,tags "$@"
! archive_is_whole || set -- -XX:SharedArchiveFile="$lib/namesrv.jsa" "$@"
set -- -Xshare:auto "$@"
set -- -XX:+IgnoreUnrecognizedVMOptions -XX:MaxDirectMemorySize=512m "$@"
set -- -XX:+ExitOnOutOfMemoryError -XX:-OmitStackTraceInFastThrow "$@"
# shellcheck disable=SC2046
set -- $(usable "${JAVA_OPT-}") $(usable "$(heap)") "$@"

# glibc keeps a pool of freed memory for nearly each thread, which with ours is some 70 MB that nobody uses.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"

# The end of a terminal never ends the daemon: a signal that is ignored here stays ignored in the JVM.
trap '' HUP
exec "$java" "$@"

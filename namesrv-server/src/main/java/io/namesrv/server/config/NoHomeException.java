package io.namesrv.server.config;

/** Nothing says where the home is; Apache's NameServer ends with exit code 254 (-2) then, and so does this one. */
public final class NoHomeException extends ConfigException {
    NoHomeException() {
        super("no home: set ROCKETMQ_HOME, or -Drocketmq.home.dir, to the directory this name server is installed in");
    }
}

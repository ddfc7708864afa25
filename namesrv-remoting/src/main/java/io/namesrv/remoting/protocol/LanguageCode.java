package io.namesrv.remoting.protocol;

/**
 * The language a peer says it is written in. Only shown, never decided upon.
 *
 * <p>The wire has a name in a JSON header and a number in a binary one. What is not in this list is served all the
 * same, as NameServer 4.9.7 and 5.3.3 do, and counts as {@link #OTHER}.
 */
public enum LanguageCode {
    JAVA(0),
    CPP(1),
    DOTNET(2),
    PYTHON(3),
    DELPHI(4),
    ERLANG(5),
    RUBY(6),
    OTHER(7),
    HTTP(8),
    GO(9),
    PHP(10),
    OMS(11),
    RUST(12),
    NODE_JS(13);

    private static final LanguageCode[] ALL = values();

    private final byte code;

    LanguageCode(int code) {
        this.code = (byte) code;
    }

    /** The number of this language in a binary header. */
    public byte code() {
        return code;
    }

    /** The language of a number, {@link #OTHER} for one that nobody has. */
    public static LanguageCode ofCode(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : OTHER;
    }

    /** The language of a name, in capitals; {@link #OTHER} for a name that nobody has. */
    public static LanguageCode ofName(String name) {
        for (LanguageCode language : ALL) {
            if (language.name().equals(name)) {
                return language;
            }
        }
        return OTHER;
    }
}

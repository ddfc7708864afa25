package io.namesrv.remoting.protocol;

/**
 * A peer's own text, made fit to be shown to somebody: in a remark or in a log line.
 *
 * <p>It cannot forge a line, move a terminal's cursor or fill a disk: control characters (C0, DEL, C1), line and
 * paragraph separators and lone surrogates are written as {@code \}{@code uXXXX}, and a long text is cut.
 */
public final class PeerText {
    /** The most characters of a peer's text that a remark carries. */
    public static final int REMARK_MAX = 512;

    /** The most characters of a whole remark: a peer's text and what we say around it. */
    static final int WHOLE_REMARK_MAX = REMARK_MAX + 256;

    /** The most characters of a peer's text in a line of the log, or in a message to an operator. */
    public static final int LOG_MAX = 256;

    private static final String CUT = "...";

    private PeerText() {}

    /** The text for a remark: at most {@value #REMARK_MAX} characters. */
    public static String inRemark(String text) {
        return shown(text, REMARK_MAX);
    }

    /** The text for a line of the log, or a message to an operator: at most {@value #LOG_MAX} characters. */
    public static String inLog(String text) {
        return shown(text, LOG_MAX);
    }

    /** The text escaped and cut to at most {@code max} characters, of which the last three then say so. */
    public static String shown(String text, int max) {
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) {
            plain++;
        }
        if (plain == text.length() && plain <= max) {
            return text;
        }
        StringBuilder out = new StringBuilder(Math.min(max, text.length() + 16));
        int lastWhole = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            append(out, point);
            if (out.length() > max) {
                out.setLength(lastWhole);
                return out.append(CUT, 0, Math.min(CUT.length(), max - lastWhole))
                        .toString();
            }
            if (out.length() <= max - CUT.length()) {
                lastWhole = out.length();
            }
        }
        return out.toString();
    }

    /** A whole remark, fit to be sent: cut, and without control characters other than the line breaks of our own. */
    static String fitRemark(String remark) {
        int plain = 0;
        while (plain < remark.length() && (isPlain(remark.charAt(plain)) || remark.charAt(plain) == '\n')) {
            plain++;
        }
        if (plain == remark.length() && plain <= WHOLE_REMARK_MAX) {
            return remark;
        }
        String[] lines = remark.split("\n", -1);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.length && out.length() < WHOLE_REMARK_MAX; i++) {
            out.append(i == 0 ? "" : "\n").append(shown(lines[i], WHOLE_REMARK_MAX - out.length()));
        }
        return out.toString();
    }

    private static void append(StringBuilder out, int point) {
        if (Character.isBmpCodePoint(point) && !isPlain((char) point)) {
            out.append(String.format("\\u%04X", point));
        } else {
            out.appendCodePoint(point);
        }
    }

    /** False for what must be escaped, and for surrogates, which have to be looked at in pairs. */
    private static boolean isPlain(char c) {
        boolean ascii = c >= ' ' && c < 0x7F;
        return ascii || (c > 0x9F && !Character.isSurrogate(c) && c != '\u2028' && c != '\u2029');
    }
}

package io.namesrv.server.config;

/** The text of a file or of a peer, made fit for a message: no control characters, and not long. */
final class ShownText {
    /** What stands for a value that nobody is to read. */
    static final String SECRET = "***";

    private static final int MOST = 256;

    private ShownText() {}

    /** The text with control characters and lone line ends as {@code \}{@code uXXXX}, cut to {@value #MOST} characters. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder(Math.min(text.length(), MOST));
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            String piece = isPlain(c) ? String.valueOf(c) : String.format("\\u%04X", (int) c);
            if (shown.length() + piece.length() > MOST) {
                return shown.append("...").toString();
            }
            shown.append(piece);
        }
        return shown.toString();
    }

    /** Whether a text holds a control character (C0, DEL, C1) or a Unicode line end. */
    static boolean hasControl(String text) {
        return text.chars().anyMatch(c -> !isPlain((char) c));
    }

    private static boolean isPlain(char c) {
        return !Character.isISOControl(c) && c != '\u2028' && c != '\u2029';
    }
}

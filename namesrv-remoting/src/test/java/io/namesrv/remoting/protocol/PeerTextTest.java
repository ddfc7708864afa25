package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PeerTextTest {
    @Test
    void a_harmless_text_is_the_same() {
        String text = "%RETRY%group-a 名字 é \uD83D\uDE00 \\";

        assertThat(PeerText.inRemark(text)).isEqualTo(text);
    }

    @Test
    void controls_separators_and_lone_surrogates_are_escaped() {
        String text = "a\nb\r\u0000\u001B[2J\u007F\u0085\u2028\uD800x\uDC00";

        assertThat(PeerText.inRemark(text))
                .isEqualTo("a\\u000Ab\\u000D\\u0000\\u001B[2J\\u007F\\u0085\\u2028\\uD800x\\uDC00");
    }

    @Test
    void a_long_text_is_cut_and_says_so() {
        assertThat(PeerText.inRemark("x".repeat(512))).hasSize(512).doesNotContain(".");
        assertThat(PeerText.inRemark("x".repeat(513))).hasSize(512).endsWith("xx...");
        assertThat(PeerText.inRemark("x".repeat(1 << 20))).hasSize(512);
    }

    @Test
    void a_cut_never_parts_a_pair_or_an_escape() {
        assertThat(PeerText.shown("\uD83D\uDE00".repeat(10), 8)).isEqualTo("\uD83D\uDE00".repeat(2) + "...");
        assertThat(PeerText.shown("\n\n\n", 10)).isEqualTo("\\u000A...");
    }

    @Test
    void a_whole_remark_keeps_its_line_breaks_and_nothing_else() {
        assertThat(RemotingCommand.error(17, "No topic\nSee URL").remark()).contains("No topic\nSee URL");
        assertThat(RemotingCommand.error(1, "a\u0000b\nc\td").remark()).contains("a\\u0000b\nc\\u0009d");
    }

    @Test
    void a_whole_remark_is_cut() {
        assertThat(RemotingCommand.error(1, "y".repeat(100_000)).remark().orElseThrow())
                .hasSize(768)
                .endsWith("...");
    }
}

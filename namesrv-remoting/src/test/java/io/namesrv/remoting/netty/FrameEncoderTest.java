package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class FrameEncoderTest {
    private static ByteBuf shared(int bytes) {
        return PooledByteBufAllocator.DEFAULT.directBuffer(bytes).writeZero(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0,JSON", "1,ROCKETMQ", "4096,JSON", "4097,JSON", "300000,ROCKETMQ"})
    void what_is_written_is_read_again(int bodyBytes, SerializeType form) {
        byte[] body = new byte[bodyBytes];
        Arrays.fill(body, (byte) 'x');
        RemotingCommand request =
                RemotingCommand.request(0, Map.of()).withSerializeType(form).withOpaque(-5);
        RemotingCommand answer =
                RemotingCommand.success(body).withExtField("ключ", "值").answering(request, 479);

        try (DecoderBench bench = new DecoderBench()) {
            RemotingCommand read = bench.feed(Wire.encode(answer)).onlyCommand();

            assertThat(read.bodyBytes()).isEqualTo(body);
            assertThat(read.opaque()).isEqualTo(-5);
            assertThat(read.flag()).isEqualTo(RemotingCommand.FLAG_RESPONSE);
            assertThat(read.serializeType()).isEqualTo(form);
            assertThat(read.version()).isEqualTo(479);
            assertThat(read.extFields()).isEqualTo(Map.of("ключ", "值"));
        }
    }

    @ParameterizedTest
    @CsvSource({"10", "100000"})
    void a_shared_body_is_given_up_once_for_each_frame_and_not_moved(int bytes) {
        ByteBuf body = shared(bytes);
        for (int i = 0; i < 3; i++) {
            Wire.encode(RemotingCommand.success(body.retainedDuplicate()));
        }

        assertThat(body.refCnt()).isEqualTo(1);
        assertThat(body.readableBytes()).isEqualTo(bytes);
        body.release();
    }

    @Test
    void a_command_that_cannot_be_written_gives_its_body_up() {
        ByteBuf body = shared(10);
        RemotingCommand tooMuch = RemotingCommand.success(body).withExtField("k", "v".repeat(1 << 24));
        EmbeddedChannel channel = new EmbeddedChannel(new FrameEncoder());

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> channel.writeOutbound(tooMuch));

        assertThat(body.refCnt()).isZero();
        channel.finishAndReleaseAll();
    }
}

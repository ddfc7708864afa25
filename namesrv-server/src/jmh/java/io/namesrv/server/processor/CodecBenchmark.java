package io.namesrv.server.processor;

import io.namesrv.remoting.protocol.HeaderCodec;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.MalformedHeaderException;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.ReadyFrames;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The header of a route query, and the frame of its answer. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private final HeaderScan scan = new HeaderScan();
    private final HeaderCodec jsonCodec = HeaderCodec.of(SerializeType.JSON, HeaderLimits.DEFAULT);
    private final HeaderCodec binaryCodec = HeaderCodec.of(SerializeType.ROCKETMQ, HeaderLimits.DEFAULT);
    private final ReadyFrames frames = new ReadyFrames(479);
    private final ReadyAnswer answer = ReadyAnswer.success(new byte[1000]);
    private final ByteBuf out = Unpooled.directBuffer(4096);
    private byte[] json = {};
    private byte[] binary = {};

    @Setup
    public void headers() {
        RemotingCommand query = RemotingCommand.request(
                        105, Map.of("topic", "bench-topic-000123", "acceptStandardJsonOnly", "true"))
                .withOpaque(123_456)
                .withVersion(479);
        json = encoded(query, jsonCodec);
        binary = encoded(query.withSerializeType(SerializeType.ROCKETMQ), binaryCodec);
    }

    private static byte[] encoded(RemotingCommand command, HeaderCodec codec) {
        ByteBuf header = Unpooled.buffer();
        codec.encode(command, header);
        byte[] bytes = new byte[header.readableBytes()];
        header.readBytes(bytes);
        return bytes;
    }

    @Benchmark
    public boolean scanJson() {
        return scan.read(SerializeType.JSON, json, json.length, HeaderLimits.DEFAULT);
    }

    @Benchmark
    public boolean scanBinary() {
        return scan.read(SerializeType.ROCKETMQ, binary, binary.length, HeaderLimits.DEFAULT);
    }

    @Benchmark
    public RemotingCommand decodeJson() throws MalformedHeaderException {
        return jsonCodec.decode(json, Unpooled.EMPTY_BUFFER);
    }

    @Benchmark
    public RemotingCommand decodeBinary() throws MalformedHeaderException {
        return binaryCodec.decode(binary, Unpooled.EMPTY_BUFFER);
    }

    @Benchmark
    public int writeReadyAnswer() {
        out.clear();
        frames.write(answer, SerializeType.JSON, 123_456, out);
        return out.writerIndex();
    }
}

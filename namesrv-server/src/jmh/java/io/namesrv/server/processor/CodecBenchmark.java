package io.namesrv.server.processor;

import io.namesrv.remoting.protocol.HeaderCodec;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.MalformedHeaderException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Headers in both forms: that of a route query read, that of its answer written. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
    @Param
    private SerializeType form;

    private HeaderCodec codec;
    private byte[] query;
    private RemotingCommand answer;
    private final ByteBuf out = Unpooled.buffer(1024);

    @Setup
    public void prepare() {
        codec = HeaderCodec.of(form, HeaderLimits.DEFAULT);
        RemotingCommand request = RemotingCommand.request(
                        RequestCode.GET_ROUTEINFO_BY_TOPIC,
                        Map.of("topic", BenchTables.topic(1), "acceptStandardJsonOnly", "true"))
                .withSerializeType(form)
                .withVersion(479)
                .withOpaque(12_345);
        codec.encode(request, out);
        query = ByteBufUtil.getBytes(out);
        answer = RemotingCommand.success().answering(request, 479);
    }

    /** A route query of a 5.x client. */
    @Benchmark
    public RemotingCommand decodeQuery() throws MalformedHeaderException {
        return codec.decode(query, Unpooled.EMPTY_BUFFER);
    }

    /** The header of an answer without fields. */
    @Benchmark
    public ByteBuf encodeAnswer() {
        codec.encode(answer, out.clear());
        return out;
    }
}

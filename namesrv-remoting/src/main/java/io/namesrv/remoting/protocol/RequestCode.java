package io.namesrv.remoting.protocol;

/** The request codes a name server answers or sends. Plain {@code int}s, since a peer may send any number. */
public final class RequestCode {
    public static final int PUT_KV_CONFIG = 100;
    public static final int GET_KV_CONFIG = 101;
    public static final int DELETE_KV_CONFIG = 102;
    public static final int REGISTER_BROKER = 103;
    public static final int UNREGISTER_BROKER = 104;
    public static final int GET_ROUTEINFO_BY_TOPIC = 105;
    public static final int GET_BROKER_CLUSTER_INFO = 106;
    public static final int WIPE_WRITE_PERM_OF_BROKER = 205;
    public static final int GET_ALL_TOPIC_LIST_FROM_NAMESERVER = 206;
    public static final int DELETE_TOPIC_IN_NAMESRV = 216;
    public static final int REGISTER_TOPIC_IN_NAMESRV = 217;
    public static final int GET_KVLIST_BY_NAMESPACE = 219;
    public static final int GET_TOPICS_BY_CLUSTER = 224;
    public static final int GET_SYSTEM_TOPIC_LIST_FROM_NS = 304;
    public static final int GET_UNIT_TOPIC_LIST = 311;
    public static final int GET_HAS_UNIT_SUB_TOPIC_LIST = 312;
    public static final int GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST = 313;
    public static final int UPDATE_NAMESRV_CONFIG = 318;
    public static final int GET_NAMESRV_CONFIG = 319;
    public static final int QUERY_DATA_VERSION = 322;
    public static final int ADD_WRITE_PERM_OF_BROKER = 327;
    public static final int GET_BROKER_MEMBER_GROUP = 901;
    public static final int BROKER_HEARTBEAT = 904;
    /** The only request a name server sends: one-way, to brokers. */
    public static final int NOTIFY_MIN_BROKER_ID_CHANGE = 905;

    private RequestCode() {}

    /** The name of a code for logs and metrics; the number itself for a code without one. */
    public static String name(int code) {
        return switch (code) {
            case PUT_KV_CONFIG -> "PUT_KV_CONFIG";
            case GET_KV_CONFIG -> "GET_KV_CONFIG";
            case DELETE_KV_CONFIG -> "DELETE_KV_CONFIG";
            case REGISTER_BROKER -> "REGISTER_BROKER";
            case UNREGISTER_BROKER -> "UNREGISTER_BROKER";
            case GET_ROUTEINFO_BY_TOPIC -> "GET_ROUTEINFO_BY_TOPIC";
            case GET_BROKER_CLUSTER_INFO -> "GET_BROKER_CLUSTER_INFO";
            case WIPE_WRITE_PERM_OF_BROKER -> "WIPE_WRITE_PERM_OF_BROKER";
            case GET_ALL_TOPIC_LIST_FROM_NAMESERVER -> "GET_ALL_TOPIC_LIST_FROM_NAMESERVER";
            case DELETE_TOPIC_IN_NAMESRV -> "DELETE_TOPIC_IN_NAMESRV";
            case REGISTER_TOPIC_IN_NAMESRV -> "REGISTER_TOPIC_IN_NAMESRV";
            case GET_KVLIST_BY_NAMESPACE -> "GET_KVLIST_BY_NAMESPACE";
            case GET_TOPICS_BY_CLUSTER -> "GET_TOPICS_BY_CLUSTER";
            case GET_SYSTEM_TOPIC_LIST_FROM_NS -> "GET_SYSTEM_TOPIC_LIST_FROM_NS";
            case GET_UNIT_TOPIC_LIST -> "GET_UNIT_TOPIC_LIST";
            case GET_HAS_UNIT_SUB_TOPIC_LIST -> "GET_HAS_UNIT_SUB_TOPIC_LIST";
            case GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST -> "GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST";
            case UPDATE_NAMESRV_CONFIG -> "UPDATE_NAMESRV_CONFIG";
            case GET_NAMESRV_CONFIG -> "GET_NAMESRV_CONFIG";
            case QUERY_DATA_VERSION -> "QUERY_DATA_VERSION";
            case ADD_WRITE_PERM_OF_BROKER -> "ADD_WRITE_PERM_OF_BROKER";
            case GET_BROKER_MEMBER_GROUP -> "GET_BROKER_MEMBER_GROUP";
            case BROKER_HEARTBEAT -> "BROKER_HEARTBEAT";
            case NOTIFY_MIN_BROKER_ID_CHANGE -> "NOTIFY_MIN_BROKER_ID_CHANGE";
            default -> Integer.toString(code);
        };
    }
}

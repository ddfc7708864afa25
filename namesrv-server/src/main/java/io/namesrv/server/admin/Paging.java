package io.namesrv.server.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page of a list: {@code {"items":[...],"total":n,"next":"cursor or null"}}. A cursor is a place in the list. */
final class Paging {
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 1000;

    private Paging() {}

    /**
     * The page that {@code limit} and {@code cursor} ask for.
     *
     * @param item makes what is shown of an item; called for those of the page alone
     */
    static <T> AdminAnswer page(AdminRequest request, List<T> all, Function<T, ?> item) throws AdminException {
        int limit = request.number("limit", LIMIT_DEFAULT, 1, LIMIT_MAX);
        int from = Math.min(request.number("cursor", 0, 0, Integer.MAX_VALUE), all.size());
        int to = Math.min(all.size(), from + limit);
        List<Object> items = new ArrayList<>(to - from);
        all.subList(from, to).forEach(one -> items.add(item.apply(one)));
        @Nullable String next = to < all.size() ? Integer.toString(to) : null;
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("items", items);
        body.put("total", all.size());
        body.put("next", next);
        return AdminAnswer.json(body);
    }

    /** Whether a text is what {@code q} asks for: it is in it somewhere, whatever the case of letters. */
    static boolean matches(AdminRequest request, String... texts) {
        return request.parameter("q")
                .map(q -> q.toLowerCase(Locale.ROOT))
                .map(q -> {
                    for (String text : texts) {
                        if (text.toLowerCase(Locale.ROOT).contains(q)) {
                            return true;
                        }
                    }
                    return false;
                })
                .orElse(true);
    }
}

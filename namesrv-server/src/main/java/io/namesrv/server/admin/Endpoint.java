package io.namesrv.server.admin;

/** Answers the requests for one path, on a thread of the admin port. It waits for nobody. */
@FunctionalInterface
interface Endpoint {
    AdminAnswer answer(AdminRequest request) throws AdminException;
}

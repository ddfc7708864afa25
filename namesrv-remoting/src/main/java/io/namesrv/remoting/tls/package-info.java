/** TLS on the remoting port: modes, files, contexts that follow their files, and a certificate for tests. */
@NullMarked
package io.namesrv.remoting.tls;

import org.jspecify.annotations.NullMarked;

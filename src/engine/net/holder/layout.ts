/** What the rules of the router's namespace and the holder process have to agree on. */

export const queueNumber = 1;
/** A packet that carries it is answered with a reset. The box cannot set it: marks do not cross the wire. */
export const resetMark = 2;
/** Of the router process, which answers by itself: there is nothing to wait for. */
export const resolverPort = 53;

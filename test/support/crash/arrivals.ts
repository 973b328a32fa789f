import type { Treatment } from "./service-process";

/** The service surely did not take such a request. */
const NOT_TAKEN = /^(statusCode (5003|4023|4031)|HTTP 429)$/;
/** After such an answer the request may be sent again. */
const MAY_REPEAT = /^(statusCode (5003|4023)|HTTP 429)$/;
/** The client cannot know whether the request was taken. */
const UNCLEAR = /^(statusCode 5000|HTTP 50[23]|[a-z-]+)$/;

/** The requests for one recipient, by what the service did with each, and what that permits. */
export const arrivalsOf = (arrivals: readonly Treatment[]) => ({
  /** Nobody can say from the answers alone whether the service took the message. */
  unclear: arrivals.some((each) => each !== null && UNCLEAR.test(each)),
  surelyNotTaken: arrivals.every((each) => each !== null && NOT_TAKEN.test(each)),
  /** Only after an answer that surely means "not taken, try again" may another request come. */
  repeatedAfterUncertain: arrivals.slice(0, -1).some((each) => each === null || !MAY_REPEAT.test(each)),
});

/** Multiplies database timeouts. Tests set it, because a busy computer is no fault of the database. */
export const TIMEOUT_FACTOR = Number(process.env.MESSAGING_TIMEOUT_FACTOR) || 1;

type State = "filling" | "queued" | "held" | "parked" | "leaving" | "settled";

/**
 * Follows the choice of rows of `requests` whose state is changed: each is still in one of these states when its turn comes. Two that
 * overlap choose the same rows, and PostgreSQL looks again only at the conditions on the row itself. No index is chosen by it.
 */
export const isStill = (...states: readonly State[]): string =>
  `coalesce(requests.state, '') IN (${states.map((state) => `'${state}'`).join(", ")})`;

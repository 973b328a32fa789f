/** Returns the time of a node that waits: short only for numbers about which the simulator never reports anything. */
export const waitBriefly = (...silent: readonly string[]) => ({
  within: `result.recipients[0] in ${JSON.stringify(silent)} ? "1 s" : "5 min"`,
  withinSource: "jsonata",
});

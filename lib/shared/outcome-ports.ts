/**
 * Outputs for the outcomes of a node that sends or transfers: four or six. A download can have one more behind them, for
 * messages in which there is no file.
 */
export const outcomePorts = (outputs: unknown): 4 | 6 => (outputs === 6 || outputs === 7 ? 6 : 4);

/** Whether there is an output behind those of the outcomes; its index is their number. */
export const hasPortBehind = (outputs: unknown): boolean => outputs === 5 || outputs === 7;

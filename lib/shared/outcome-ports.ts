/** A download has one more output for messages without a file. */
export const outcomePorts = (outputs: unknown): 4 | 6 => (outputs === 6 || outputs === 7 ? 6 : 4);

export const hasPortBehind = (outputs: unknown): boolean => outputs === 5 || outputs === 7;

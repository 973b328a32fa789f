/** Whether a text has `{{` in it, so that it may be a personal one. */
export const hasBraces = (text: string): boolean => text.includes("{{");

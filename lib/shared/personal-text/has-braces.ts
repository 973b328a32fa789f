export const hasBraces = (text: string): boolean => text.includes("{{");

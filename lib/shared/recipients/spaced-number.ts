/** A calling code: the plan of the world has those of one and two digits, and all others have three. */
const CALLING_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d)/;

/**
 * A number with its plus and a space behind the calling code: `+41 790000001`. Spreadsheets take digits with a plus for an amount, and drop
 * the plus; with the space it is a text to them. All fields for numbers take it.
 * @param digits without plus
 */
export const spacedNumber = (digits: string): string => `+${digits.replace(CALLING_CODE, "$& ")}`;

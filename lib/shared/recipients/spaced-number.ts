/** Plan of the world: listed codes have one or two digits, others have three. */
const CALLING_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d)/;

/** The space keeps spreadsheets from converting the number and dropping its plus. */
export const spacedNumber = (digits: string): string => `+${digits.replace(CALLING_CODE, "$& ")}`;

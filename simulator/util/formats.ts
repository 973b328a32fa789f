/** International number: 5 to 15 digits, with or without the plus, the first not 0. */
export const MSISDN = /^\+?[1-9]\d{4,14}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isMsisdn(text: string): boolean {
  return MSISDN.test(text);
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A number without its plus. */
export function digits(number: string): string {
  return number.replace(/^\+/, "");
}

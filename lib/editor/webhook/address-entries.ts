import { addressEntries, parseBlock } from "../../shared/network/ip-address";

/** @param typed entries separated by commas, semicolons or white space */
export const findWrongAddress = (typed: string): string | null =>
  addressEntries(typed).find((entry) => parseBlock(entry) === null) ?? null;

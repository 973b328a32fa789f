import { addressEntries, parseBlock } from "../../shared/network/ip-address";

/**
 * The first entry of a typed list that is neither an address nor a CIDR block; null where every entry is one.
 * @param typed entries separated by commas, semicolons or white space
 */
export const findWrongAddress = (typed: string): string | null =>
  addressEntries(typed).find((entry) => parseBlock(entry) === null) ?? null;

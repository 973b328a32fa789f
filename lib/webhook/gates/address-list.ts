import {
  type AddressBlock,
  addressEntries,
  isInBlock,
  parseAddress,
  parseBlock,
} from "../../shared/network/ip-address";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";

/** An empty list allows every address. */
export class AddressList {
  readonly #blocks: readonly AddressBlock[];

  /** @throws SetupError BAD_SETTING with the first wrong entry */
  constructor(typed: string) {
    this.#blocks = addressEntries(typed).map((entry) => {
      const block = parseBlock(entry);
      if (block === null) {
        throw badEntry(entry);
      }
      return block;
    });
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  allows(text: string): boolean {
    if (this.isEmpty) {
      return true;
    }
    const address = parseAddress(text);
    return address !== null && this.#blocks.some((block) => isInBlock(address, block));
  }
}

const badEntry = (entry: string): SetupError =>
  new SetupError("BAD_SETTING", say("webhook.bad.address-list", { value: quoteValue(entry) }));

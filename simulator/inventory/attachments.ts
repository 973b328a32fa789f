import type { ByteBudget, ByteHolder } from "../util/byte-budget";
import { sizeOfValue } from "../util/size-of-value";
import type { FileDescription } from "../request/uploaded-file";

const MAX_ATTACHMENTS = 10_000;

/** A file for WhatsApp broadcasts. */
export interface SimulatedAttachment extends FileDescription {
  readonly attachmentId: number;
}

/** The attachments of one account. They cannot be downloaded, so their content is not kept. */
export class Attachments implements ByteHolder {
  readonly #budget: ByteBudget;
  readonly #byId = new Map<number, SimulatedAttachment>();
  #bytes = 0;
  /** A reset does not restart it, so that old ids never denote another file. */
  #last = 0;

  /** @param budget shared with all other records */
  constructor(budget: ByteBudget) {
    this.#budget = budget;
    budget.join(this);
  }

  get count(): number {
    return this.#byId.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns the id of the new attachment */
  add(file: FileDescription): number {
    this.#last += 1;
    const attachment = { attachmentId: this.#last, ...file };
    this.#byId.set(this.#last, attachment);
    this.#count(sizeOfValue(attachment));
    if (this.#byId.size > MAX_ATTACHMENTS) this.dropOldest();
    this.#budget.settle(this);
    return this.#last;
  }

  has(attachmentId: number): boolean {
    return this.#byId.has(attachmentId);
  }

  list(): SimulatedAttachment[] {
    return [...this.#byId.values()];
  }

  dropOldest(): void {
    const [oldest] = this.#byId;
    if (!oldest) return;
    this.#byId.delete(oldest[0]);
    this.#count(-sizeOfValue(oldest[1]));
  }

  clear(): void {
    this.#byId.clear();
    this.#count(-this.#bytes);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.charge(bytes);
  }
}

import type { ByteBudget, ByteHolder } from "../util/byte-budget";
import { sizeOfValue } from "../util/size-of-value";
import type { FileDescription } from "../request/uploaded-file";

const MOST_ATTACHMENTS = 10_000;

/** A file that a WhatsApp broadcast can carry. */
export interface SimulatedAttachment extends FileDescription {
  readonly attachmentId: number;
}

/** The attachments of one account. Nobody can download them, so their content is not kept. */
export class Attachments implements ByteHolder {
  readonly #budget: ByteBudget;
  readonly #byId = new Map<number, SimulatedAttachment>();
  #bytes = 0;
  /** Never starts again, so that an id from before a reset does not come to mean another file. */
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

  /** @returns the new attachment's id */
  add(file: FileDescription): number {
    this.#last += 1;
    const attachment = { attachmentId: this.#last, ...file };
    this.#byId.set(this.#last, attachment);
    this.#count(sizeOfValue(attachment));
    if (this.#byId.size > MOST_ATTACHMENTS) this.dropOldest();
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

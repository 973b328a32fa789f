import { putBounded } from "./put-bounded";
import type { FileDescription } from "./uploaded-file";

const MOST_ATTACHMENTS = 10_000;

/** A file that a WhatsApp broadcast can carry. */
export interface SimulatedAttachment extends FileDescription {
  readonly attachmentId: number;
}

/** The attachments of one account. Nobody can download them, so their content is not kept. */
export class Attachments {
  readonly #byId = new Map<number, SimulatedAttachment>();
  /** Never starts again, so that an id from before a reset does not come to mean another file. */
  #last = 0;

  /** @returns the new attachment's id */
  add(file: FileDescription): number {
    this.#last += 1;
    putBounded(this.#byId, this.#last, { attachmentId: this.#last, ...file }, MOST_ATTACHMENTS);
    return this.#last;
  }

  has(attachmentId: number): boolean {
    return this.#byId.has(attachmentId);
  }

  list(): SimulatedAttachment[] {
    return [...this.#byId.values()];
  }

  clear(): void {
    this.#byId.clear();
  }
}

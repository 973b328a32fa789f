import { BoundedLog } from "../util/bounded-log";
import type { FileDescription } from "../request/uploaded-file";

const MAX_ATTACHMENTS = 10_000;

export interface SimulatedAttachment extends FileDescription {
  readonly attachmentId: number;
}

export class Attachments {
  readonly #files = new BoundedLog<SimulatedAttachment>(MAX_ATTACHMENTS);
  /** A reset does not restart it, so that old ids never denote another file. */
  #last = 0;

  add(file: FileDescription): number {
    this.#last += 1;
    this.#files.add({ attachmentId: this.#last, ...file });
    return this.#last;
  }

  has(attachmentId: number): boolean {
    return this.#files.entries.some((each) => each.attachmentId === attachmentId);
  }

  list(): SimulatedAttachment[] {
    return [...this.#files.entries];
  }

  clear(): void {
    this.#files.clear();
  }
}

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { SendResult } from "../../../lib/runtime/channels/send-result";
import type { Digest } from "../../../lib/runtime/digest/digest-message";
import { personOf } from "./traffic";

/** A result as the flow saw it. */
export interface SeenResult {
  /** Property that the driver gave the message; a restored message has it too. */
  readonly mark: unknown;
  /** Which hand-in of its message it belongs to, where the driver counts them. */
  readonly attempt: number | null;
  readonly outcome: string;
  readonly statusName: string;
  readonly restored: boolean;
  /** Position of the life of Node-RED in which it was seen, from 0. */
  readonly life: number;
}

/** An event of a webhook as the flow saw it. */
export interface SeenEvent {
  /** The event itself, as the service sent it. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly possibleDuplicate: boolean;
  readonly life: number;
  /** When the driver read it: epoch ms. */
  readonly readAt: number;
}

/** A digest as the flow saw it. */
export interface SeenDigest extends Pick<Digest, "id" | "key" | "count" | "over"> {
  /** Payloads of the messages that it lists. */
  readonly ids: readonly string[];
  readonly restored: boolean;
  readonly life: number;
}

type Result = SendResult & { readonly restored?: boolean };

/** Reads what the flow has written, as far as it has got; a line that a kill has cut is not read. */
export class FlowLog {
  /** By person. */
  readonly results = new Map<string, SeenResult[]>();
  /** Complete groups of Join nodes, by the mark of their message: the people of each. */
  readonly groups = new Map<string, string[][]>();
  readonly caught: string[] = [];
  readonly events: SeenEvent[] = [];
  readonly digests: SeenDigest[] = [];
  /** Results and groups so far. */
  lines = 0;
  /** Told of each result for a person when it is read. */
  onResult: (person: string, result: SeenResult) => void = () => {};
  life = 0;
  #position = 0;
  #rest = "";

  constructor(readonly file: string) {}

  /** @returns people for whom there is a result that was not there before */
  read(): readonly string[] {
    const fresh: string[] = [];
    const lines = (this.#rest + this.#next()).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const { mark, attempt, result, group, caught, event, payload, digest } = JSON.parse(line) as {
        mark?: unknown;
        attempt?: number;
        result?: Result;
        group?: readonly Result[];
        caught?: string;
        event?: { readonly possibleDuplicate: boolean };
        payload?: SeenEvent["payload"];
        digest?: Digest;
      };
      this.lines++;
      if (digest !== undefined) {
        const { id, key, count, over, items, restored = false } = digest;
        const ids = items.map((item) => String(item.payload));
        this.digests.push({ id, key, count, over, ids, restored, life: this.life });
      }
      if (event !== undefined && payload !== undefined) {
        const { possibleDuplicate } = event;
        this.events.push({ payload, possibleDuplicate, life: this.life, readAt: Date.now() });
      }
      if (caught !== undefined) this.caught.push(caught);
      if (group !== undefined) {
        const groups = this.groups.get(String(mark)) ?? [];
        groups.push(
          group.flatMap(({ recipients }) => (recipients ?? []).map((each) => personOf(String(mark), each))),
        );
        this.groups.set(String(mark), groups);
      }
      if (result !== undefined) {
        const { outcome, restored = false, statusName } = result;
        for (const recipient of result.recipients ?? []) {
          const person = personOf(String(mark), recipient);
          const seen = this.results.get(person) ?? [];
          if (seen.length === 0) fresh.push(person);
          const { life } = this;
          const each = { mark, attempt: attempt ?? null, outcome, statusName, restored, life };
          this.onResult(person, each);
          seen.push(each);
          this.results.set(person, seen);
        }
      }
    }
    return fresh;
  }

  /** A process was killed: the line that it had begun is not finished by the next one. */
  nextLife(): readonly string[] {
    const fresh = this.read();
    this.#rest = "";
    this.life++;
    return fresh;
  }

  #next(): string {
    if (!existsSync(this.file)) return "";
    const handle = openSync(this.file, "r");
    try {
      const pieces: Buffer[] = [];
      for (;;) {
        const piece = Buffer.alloc(1 << 18);
        const count = readSync(handle, piece, 0, piece.length, this.#position);
        if (count === 0) return Buffer.concat(pieces).toString();
        this.#position += count;
        pieces.push(piece.subarray(0, count));
      }
    } finally {
      closeSync(handle);
    }
  }
}

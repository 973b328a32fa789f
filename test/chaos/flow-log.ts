import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { Seen, SeenDigest, SeenEvent, SeenResult, SeenWait } from "./judge";

const CHUNK = 1 << 18;

type Line =
  | ({ readonly what: "result" } & SeenResult)
  | ({ readonly what: "wait" } & SeenWait)
  | ({ readonly what: "digest" } & SeenDigest)
  | ({ readonly what: "event" } & SeenEvent)
  | ({ readonly what: "error"; readonly text: string } & Seen);

export class Sightings {
  readonly results: SeenResult[] = [];
  readonly waits: SeenWait[] = [];
  readonly digests: SeenDigest[] = [];
  readonly events: SeenEvent[] = [];
  readonly errors: string[] = [];
  onResult: (result: SeenResult) => void = () => {};

  note(line: Line): void {
    if (line.what === "wait") this.waits.push(line);
    else if (line.what === "digest") this.digests.push(line);
    else if (line.what === "event") this.events.push(line);
    else if (line.what === "error") this.errors.push(line.text);
    else {
      this.results.push(line);
      this.onResult(line);
    }
  }
}

export class FlowLog {
  life = 0;
  #position = 0;
  #rest = "";

  constructor(
    readonly file: string,
    private readonly node: number,
    private readonly seen: Sightings,
  ) {}

  read(): void {
    const lines = (this.#rest + this.#readNew()).split("\n");
    this.#rest = lines.pop() ?? "";
    const { node, life } = this;
    for (const line of lines) this.seen.note({ ...(JSON.parse(line) as Line), node, life });
  }

  /** A process ended: the next one does not complete a line that a kill has cut. */
  startLife(): void {
    this.read();
    this.#rest = "";
    this.life++;
  }

  #readNew(): string {
    if (!existsSync(this.file)) return "";
    const handle = openSync(this.file, "r");
    try {
      const pieces: Buffer[] = [];
      for (;;) {
        const piece = Buffer.alloc(CHUNK);
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

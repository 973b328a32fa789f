import { connect, createServer } from "node:net";

/**
 * A process that does nothing but pass bytes on to the service and note when each request begins, so that nobody else's work
 * makes its times wrong. The parent sends the port of the service, and later `report` for what was noted.
 */

/** What was noted. Times are epoch ms with fractions. */
export interface FrontReport {
  /** Each request: when its first bytes came, its path, and ms since its connection was opened. */
  readonly arrivals: readonly (readonly [at: number, path: string, open: number])[];
  /** Times in which this process itself was held up, so that what came during them was noted at their end. */
  readonly stalls: readonly (readonly [from: number, to: number])[];
}

/** ms between two looks at the clock, and ms by which one may be late. */
const LOOK = 5;
const LATE = 15;

const arrivals: [number, string, number][] = [];
const stalls: [number, number][] = [];
const now = (): number => performance.timeOrigin + performance.now();

let last = now();
setInterval(() => {
  const time = now();
  if (time - last > LOOK + LATE) stalls.push([last, time]);
  last = time;
}, LOOK);

function listen(service: number): void {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const onward = connect({ port: service, host: "127.0.0.1", allowHalfOpen: true });
    const opened = now();
    // The client sends one request after the answer to the one before.
    let waits = true;
    client.setNoDelay(true);
    onward.setNoDelay(true);
    client.on("data", (bytes) => {
      const at = now();
      const path = waits ? bytes.subarray(0, 200).toString("latin1").split(" ")[1] : undefined;
      if (path !== undefined) arrivals.push([at, path, at - opened]);
      waits = false;
      onward.write(bytes);
    });
    onward.on("data", (bytes) => {
      waits = true;
      client.write(bytes);
    });
    client.on("end", () => onward.end());
    onward.on("end", () => client.end());
    client.on("error", () => onward.resetAndDestroy());
    onward.on("error", () => client.resetAndDestroy());
    client.on("close", () => onward.destroy());
    onward.on("close", () => client.destroySoon());
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as { port: number }).port));
}

process.on("message", (message) => {
  if (typeof message === "number") listen(message);
  else process.send?.({ arrivals, stalls } satisfies FrontReport);
});
process.once("disconnect", () => process.exit());

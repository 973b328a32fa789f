import helper from "node-red-node-test-helper";

/** Lines of the log of the Node-RED under test at level ERROR or WARN. */
export function logLines(level: "error" | "warn"): string[] {
  const spy = helper.log() as unknown as {
    args: [{ level: number; msg: unknown }][];
    ERROR: number;
    WARN: number;
  };
  const wanted = level === "error" ? spy.ERROR : spy.WARN;
  return spy.args
    .filter(([line]) => line?.level === wanted)
    .map(([{ msg }]) => (msg instanceof Error ? msg.message : String(msg)));
}

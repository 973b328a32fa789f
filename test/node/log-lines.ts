import helper from "node-red-node-test-helper";

/** Lines of the log of the Node-RED under test at one level. */
export function logLines(level: "error" | "warn" | "debug"): string[] {
  const spy = helper.log() as unknown as {
    args: [{ level: number; msg: unknown }][];
    ERROR: number;
    WARN: number;
    DEBUG: number;
  };
  const wanted = { error: spy.ERROR, warn: spy.WARN, debug: spy.DEBUG }[level];
  return spy.args
    .filter(([line]) => line?.level === wanted)
    .map(([{ msg }]) => (msg instanceof Error ? msg.message : String(msg)));
}

import { parseArgs } from "node:util";
import { freePort } from "../test/support/http/free-port";
import { Example } from "../test/support/examples";
import { build, type Demo, startDemo } from "./demo/start-demo";
import { runMain } from "./run-main";

/**
 * Shows the package at work: builds it, starts a Node-RED of its own with the first example, sends one message
 * through the built-in simulator, prints both sides of it, and leaves the editor open until Ctrl-C.
 */

const EXAMPLE = "01 - Send one SMS";
const PORT = 1881;
const USAGE = `Usage: npm run demo -- [--port <number>] [--once]
  --port  port of the editor; without it ${PORT}, or the next free one
  --once  end after the first message; the exit status says whether it came through
`;

async function choosePort(wanted: string | undefined): Promise<number> {
  if (wanted !== undefined) {
    return freePort(Number(wanted)).catch(() => {
      throw new Error(`port ${wanted} is taken; choose another with --port`);
    });
  }
  for (let port = PORT; port < PORT + 100; port++) {
    const free = await freePort(port).catch(() => null);
    if (free !== null) {
      if (port !== PORT) console.log(`Port ${PORT} is taken, so the editor is at ${port}.`);
      return free;
    }
  }
  return freePort();
}

function table(rows: readonly (readonly [label: string, value: unknown])[]): string {
  return rows
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([label, value]) => `  ${label.padEnd(18)}${String(value)}`)
    .join("\n");
}

/** Presses the example's button and prints what was sent and answered. Gives whether the message was accepted. */
async function sendOne({ nodeRed, simulator }: Demo, example: Example): Promise<boolean> {
  const send = example.id("Send SMS");
  const account = example.id("messaging-account");
  await nodeRed.inject(example.id("Send a greeting"));
  // Each outcome has its output, and each output has a wire.
  const { msg } = await nodeRed.nextFrom(send);
  const { result } = msg;
  const [request] = await simulator.requests(account);
  const [message] = await simulator.messages(account);
  console.log("\nSent to the built-in simulator (nothing left this computer):");
  console.log(
    table([
      ["request", request && `${request.method} ${request.path}`],
      ["body", request?.rawBody],
      ["recipients", message?.recipients.join(", ")],
      ["text", message?.content],
    ]),
  );
  console.log("\nAnswered, as the flow sees it in msg.result:");
  console.log(
    table([
      ["outcome", result.outcome],
      ["status", `${result.statusCode ?? ""} ${result.statusName}`.trim()],
      ["meaning", result.statusMessage],
      ["what to do", result.advice],
      ["transferId", result.transferId],
      ["clientMessageId", result.clientMessageId],
      ["smsCount", result.smsCount],
      ["simulated", result.simulated],
    ]),
  );
  return result.outcome === "sent" && message?.transferId === result.transferId;
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, once: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.port !== undefined && !(/^\d{1,5}$/.test(values.port) && Number(values.port) <= 65_535)) {
    throw new Error("--port must be a port number");
  }
  // Listened for from the start: Node-RED gets Ctrl-C as well, and must not be waited for in vain.
  const interrupted = untilInterrupted();
  const port = await choosePort(values.port);
  build();
  const example = new Example(EXAMPLE);
  console.log("\nStarting Node-RED ...");
  const demo = await startDemo(example, port);
  try {
    const accepted = await sendOne(demo, example);
    if (values.once) {
      console.log(accepted ? "\nThe message came through." : "\nThe message did not come through.");
      return accepted ? 0 : 1;
    }
    console.log(`\nThe editor is open at ${demo.nodeRed.url}/`);
    console.log('Press the button of "Send a greeting" there to send again. Ctrl-C ends the demo.');
    await interrupted;
    return 0;
  } finally {
    await demo.nodeRed.stop();
  }
}

runMain(main);

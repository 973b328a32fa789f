import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ACKNOWLEDGE, answering, until, useWebhookServer } from "../../support/simulator";
import { ServiceClient } from "../../support/simulator/service-client";

/** A simulator on the command line. */
class Running {
  readonly child: ChildProcess;
  out = "";
  err = "";

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, [...process.execArgv, "simulator/cli.ts", ...args]);
    child.stdout.on("data", (chunk) => {
      this.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      this.err += chunk;
    });
    this.child = child;
  }

  /** What the start prints behind a name. */
  said(name: string): string {
    return new RegExp(`^  ${name} +(\\S+)`, "m").exec(this.out)?.[1] ?? "";
  }

  /** Resolves once it serves, or has ended. */
  async client(): Promise<ServiceClient> {
    await until(() => this.out.includes("Try it") || this.child.exitCode !== null);
    return new ServiceClient(this.said("service address"));
  }

  prints(text: string): Promise<void> {
    return until(() => this.out.includes(text));
  }

  async endsWith(exitCode: number, signal?: NodeJS.Signals): Promise<void> {
    const closed = once(this.child, "close");
    if (signal) this.child.kill(signal);
    assert.deepEqual(await closed, [exitCode, null]);
  }
}

describe("simulator: command line", () => {
  const webhook = useWebhookServer();
  const started: Running[] = [];
  function run(...args: string[]): Running {
    const running = new Running(args);
    started.push(running);
    return running;
  }
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill("SIGKILL");
  });

  it("calls the webhooks it was given, prints each try, and masks secrets", async () => {
    webhook.answer = answering(503);
    const running = run(
      ...["--first-retry", "5", "--longest-retry", "5"],
      ...["--status-webhook", webhook.url("/status?secret=s3cret")],
      ...["--inbound-webhook", webhook.url("/a"), "--inbound-webhook", webhook.url("/b")],
    );
    await (await running.client()).sms();
    const line = (outcome: string) => ` report event to ${webhook.url("/status?secret=***")} -> ${outcome}\n`;
    await until(() => running.out.split(line("503 wrong-answer waiting")).length > 3);
    webhook.answer = ACKNOWLEDGE;
    await running.prints(line("200 2000 acknowledged"));
    assert.deepEqual([...new Set(webhook.calls.map(({ path }) => path))], ["/status?secret=s3cret"]);
    assert.doesNotMatch(running.out, /s3cret/);
  });

  const wrong: readonly (readonly [name: string, option: string, value: string, error: RegExp])[] = [
    ["an unknown option", "--prot", "1", /Unknown option '--prot'/],
    ["an address that others can reach", "--host", "0.0.0.0", /--host .*--allow-remote/],
    ["a short control token", "--token", "x", /--token must be /],
  ];
  for (const [name, option, value, error] of wrong) {
    it(`exits with 2 and one line for ${name}`, async () => {
      const running = run(option, value);
      await running.endsWith(2);
      assert.match(running.err, new RegExp(`^messaging-simulator: ${error.source}.*\n$`));
      assert.equal(running.out, "");
    });
  }
});

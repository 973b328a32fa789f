import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { CREDENTIALS } from "../../../simulator/sign-in/credentials";
import { basic, rawRequest, sendForm, until } from "./raw-request";
import { ACKNOWLEDGE, answering, WebhookServer } from "./webhooks/webhook-server";

interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
}

describe("simulator: command line", () => {
  const children: ChildProcess[] = [];

  function run(...args: string[]): Running {
    const child = spawn(process.execPath, ["--import", "tsx", "simulator/cli.ts", ...args]);
    children.push(child);
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    return { child, out: () => out, err: () => err };
  }

  async function started(running: Running): Promise<string> {
    await until(() => running.out().includes("Try it") || running.child.exitCode !== null);
    return / {2}service address +(\S+)/.exec(running.out())?.[1] ?? "";
  }

  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  it("prints what to type in, logs requests, and ends on a signal", async () => {
    const running = run("--token", "control-token-for-tests");
    const url = await started(running);
    for (const value of [...Object.values(CREDENTIALS), "control-token-for-tests", "curl -u"]) {
      assert.ok(running.out().includes(value), value);
    }
    const query = `access_token=${CREDENTIALS.accessToken}&recipientAddressList=999004031&messageContent=x`;
    await rawRequest(`${url}/rest/smsmessaging/simple?${query}`, { method: "GET" });
    await until(() =>
      running.out().includes("GET /rest/smsmessaging/simple -> 200 4031 (magic: statusCode 4031)\n"),
    );
    const stalled = sendForm(url, "recipientAddressList=999020002&messageContent=x");
    const settled = assert.rejects(stalled);
    await until(() => running.out().includes("POST /rest/smsmessaging/simple -> no answer (magic: stall)\n"));
    running.child.kill("SIGTERM");
    assert.deepEqual(await once(running.child, "close"), [0, null]);
    await settled;
    assert.equal(running.err(), "");
  });

  it("keeps quiet, and ends on an interrupt", async () => {
    const running = run("--quiet");
    const url = await started(running);
    const welcome = running.out();
    await rawRequest(`${url}/rest`);
    running.child.kill("SIGINT");
    assert.deepEqual(await once(running.child, "close"), [0, null]);
    assert.equal(running.out(), welcome);
  });

  it("listens for others only when that is wanted", async () => {
    const running = run("--host", "0.0.0.0", "--allow-remote");
    const url = await started(running);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const foreign = await rawRequest(`${url}/_sim/health`, { method: "GET", headers: { host: "192.0.2.1" } });
    assert.equal(foreign.httpStatus, 403);
  });

  it("answers to further hosts, calls further hosts, and takes random credentials, where that is wanted", async () => {
    const running = run(
      ...[
        "--host",
        "0.0.0.0",
        "--allow-remote",
        "--allow-host",
        "Simulator.lan",
        "--allow-host",
        "192.0.2.7",
      ],
      ...["--callback-host", "reports.invalid", "--random-credentials"],
    );
    const url = await started(running);
    const said = (name: string) => new RegExp(`^  ${name} +(\\S+)$`, "m").exec(running.out())?.[1] ?? "";
    const good = { authorization: basic(said("user name"), said("password")) };
    const body = (host: string) =>
      `recipientAddressList=41790000000&messageContent=x&notificationCallbackUrl=http://${host}/x`;
    for (const host of ["simulator.lan:80", "192.0.2.7"]) {
      const sent = await sendForm(url, body("reports.invalid"), { ...good, host });
      assert.match(sent.body, /^statusCode=2000&/, host);
    }
    assert.equal((await sendForm(url, body("other.invalid"), good)).httpStatus, 200);
    await until(() =>
      running.out().includes("report event to http://other.invalid/x -> callback-not-allowed"),
    );
    await until(() =>
      running.out().includes("report event to http://reports.invalid/x -> connection waiting"),
    );
    assert.equal(
      (await sendForm(url, body("reports.invalid"), { ...good, host: "192.0.2.8" })).httpStatus,
      403,
    );
    assert.equal((await sendForm(url, body("reports.invalid"))).httpStatus, 401);
    for (const value of [CREDENTIALS.password, CREDENTIALS.accessToken, CREDENTIALS.clientSecret]) {
      assert.ok(!running.out().includes(value));
    }
  });

  it("calls the webhooks it was given, prints each try, and masks secrets", async () => {
    const webhook = await WebhookServer.start();
    webhook.answer = answering(503, "");
    const running = run(
      ...[
        "--first-retry",
        "5",
        "--longest-retry",
        "5",
        "--status-webhook",
        webhook.url("/status?secret=s3cret"),
      ],
      ...["--inbound-webhook", webhook.url("/a"), "--inbound-webhook", webhook.url("/b")],
    );
    const url = await started(running);
    await sendForm(url, "recipientAddressList=41790000000&messageContent=x");
    const line = (outcome: string) => ` report event to ${webhook.url("/status?secret=***")} -> ${outcome}\n`;
    await until(() => running.out().split(line("503 wrong-answer waiting")).length > 3);
    webhook.answer = ACKNOWLEDGE;
    await until(() => running.out().includes(line("200 2000 acknowledged")));
    assert.deepEqual([...new Set(webhook.calls.map(({ path }) => path))], ["/status?secret=s3cret"]);
    assert.doesNotMatch(running.out(), /s3cret/);
    await webhook.close();
  });

  it("ends on a signal while webhooks keep it waiting", async () => {
    const webhook = await WebhookServer.start();
    webhook.answer = () => {};
    const running = run("--status-webhook", webhook.url());
    const url = await started(running);
    await sendForm(url, "recipientAddressList=41790000000&messageContent=x");
    await until(() => webhook.calls.length === 1);
    running.child.kill("SIGTERM");
    assert.deepEqual(await once(running.child, "close"), [0, null]);
    await webhook.close();
  });

  it("prints help", async () => {
    const running = run("--help");
    assert.deepEqual(await once(running.child, "close"), [0, null]);
    assert.match(running.out(), /^Usage: messaging-simulator/);
  });

  const wrong: Record<string, [string[], RegExp]> = {
    "an unknown option": [["--prot", "1"], /^messaging-simulator: Unknown option '--prot'.*\n$/],
    "a port that is none": [["--port", "70000"], /^messaging-simulator: --port must be .*\n$/],
    "an address that others can reach": [
      ["--host", "0.0.0.0"],
      /^messaging-simulator: --host .*--allow-remote.*\n$/,
    ],
    "a webhook that is no address": [
      ["--status-webhook", "localhost:1880"],
      /^messaging-simulator: --status-webhook must be .*\n$/,
    ],
    "a host with a port": [
      ["--allow-host", "simulator.lan:8025"],
      /^messaging-simulator: --allow-host must be .*\n$/,
    ],
    "an address in place of a host": [
      ["--callback-host", "http://reports.lan/"],
      /^messaging-simulator: --callback-host must be .*\n$/,
    ],
    "a wait that is no number": [
      ["--first-retry", "1s"],
      /^messaging-simulator: --first-retry must be .*\n$/,
    ],
    "a short control token": [["--token", "x"], /^messaging-simulator: --token must be .*\n$/],
  };
  for (const [name, [args, line]] of Object.entries(wrong)) {
    it(`exits with 2 and one line for ${name}`, async () => {
      const running = run(...args);
      assert.deepEqual(await once(running.child, "close"), [2, null]);
      assert.match(running.err(), line);
      assert.equal(running.out(), "");
    });
  }

  it("exits with 1 when the port is taken", async () => {
    const first = run("--quiet");
    const { port } = new URL(await started(first));
    const second = run("--port", port);
    assert.deepEqual(await once(second.child, "close"), [1, null]);
    assert.match(second.err(), /^messaging-simulator: .*EADDRINUSE.*\n$/);
  });
});

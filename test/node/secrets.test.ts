import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import helper from "node-red-node-test-helper";
import { type Config, resultOf, startFlow, stopServer, type TestFlow } from "./flow";

const SECRETS = {
  password: "s3cret-Passw0rd!/+",
  accessToken: "acc3ss-token/with+signs=",
};
const USER = "some-user";

/** Every form in which a secret could travel or be shown. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
}

const FORMS = [...Object.values(SECRETS).flatMap(formsOf), ...formsOf(`${USER}:${SECRETS.password}`)];

/** A service that says everything back that it was told, wherever a text can stand. */
function startEcho(status: number, echoed: string[]): Promise<Server> {
  const server = createServer((request, answer) => {
    const authorization = request.headers.authorization ?? "";
    const pair = Buffer.from(authorization.replace("Basic ", ""), "base64").toString();
    const said = `${request.url} ${authorization} ${pair}`;
    echoed.push(said);
    answer.writeHead(status, { "content-type": "application/json" });
    answer.end(
      JSON.stringify({
        statusCode: status === 200 ? 4003 : 4001,
        statusMessage: said,
        clientMessageId: said,
      }),
    );
    request.resume();
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe("secrets", () => {
  let flow: TestFlow | null = null;
  let server: Server | null = null;
  afterEach(async () => {
    await flow?.stop();
    flow = null;
    server?.close();
    server = null;
  });
  after(stopServer);

  const accounts: [Config, Config][] = [
    [{ legacyAuth: "basic" }, { username: USER, password: SECRETS.password }],
    [{ legacyAuth: "token-header" }, { accessToken: SECRETS.accessToken }],
    [{ legacyAuth: "token-query" }, { accessToken: SECRETS.accessToken }],
  ];
  it("stay out of each message, error, status and line of the log", async () => {
    for (const [account, credentials] of accounts) {
      for (const state of ["echoing", "refusing", "gone"] as const) {
        const echoed: string[] = [];
        server = await startEcho(state === "refusing" ? 401 : 200, echoed);
        const { port } = server.address() as AddressInfo;
        if (state === "gone") {
          server.close();
        }
        flow = await startFlow({
          account: {
            service: "service",
            serviceAddress: `http://127.0.0.1:${port}`,
            attempts: 1,
            whenRefused: "fail",
            ...account,
          },
          credentials,
          wired: [0, 1],
        });
        const lines: unknown[] = (helper.log() as { args: unknown[] }).args;
        flow.send({ to: "41790000001", payload: "x" });
        const [msg] = state === "gone" ? await flow.caught.until(1) : await flow.ports[1]!.until(1);
        assert.equal(
          resultOf(msg).outcome,
          { echoing: "rejected", refusing: "denied", gone: "retry-later" }[state],
        );
        const seen = inspect(
          [lines, flow.all.messages, flow.caught.messages, flow.completed.messages, flow.statuses.messages],
          { depth: 20, maxStringLength: null, maxArrayLength: null },
        );
        if (state === "gone") {
          assert.ok(seen.includes("CONNECT_FAILED"));
        } else {
          assert.ok(
            FORMS.some((form) => echoed.some((said) => said.includes(form))),
            "there was an echo to be left out",
          );
          assert.doesNotMatch(resultOf(msg).statusMessage, /[(•]/);
        }
        for (const form of FORMS) {
          assert.equal(seen.includes(form), false, `${form} was found`);
        }
        await flow.stop();
        server.close();
      }
    }
  });
});

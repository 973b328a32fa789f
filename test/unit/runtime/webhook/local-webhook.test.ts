import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";
import { isLocalWebhook, localWebhookRule } from "../../../../lib/runtime/webhook/local-webhook";
import { WebhookRoutes } from "../../../../lib/runtime/webhook/webhook-routes";

/** A Node-RED that listens at an address and has a webhook at `/messaging/a` below `/root`. */
function nodeRed(address: string | null): { RED: NodeAPI; warnings: string[]; release: () => void } {
  const stack: { handle: unknown }[] = [];
  const use = (handle: unknown): void => void stack.push({ handle });
  const app = { path: () => "/root", use, all: () => {}, _router: { stack } };
  const warnings: string[] = [];
  const RED = {
    events: new EventEmitter(),
    settings: {},
    httpNode: app,
    log: { warn: (text: string) => warnings.push(text) },
    server: { address: () => (address === null ? null : { address, port: 1880, family: "" }) },
  } as unknown as NodeAPI;
  const webhook = { label: "a", handle: () => {}, failed: () => {}, granted: () => {} };
  const claim = WebhookRoutes.of(RED).claim("/messaging/a", webhook);
  return { RED, warnings, release: () => claim.release() };
}

describe("own webhooks, as the built-in simulator may call them", () => {
  const isOwn = (RED: NodeAPI, url: string): boolean => isLocalWebhook(RED, new URL(url));

  it("are paths of webhooks on the server's own port of this computer", () => {
    const { RED, release } = nodeRed("0.0.0.0");
    for (const host of ["127.0.0.1", "localhost", "127.0.0.2", "[::1]", "LOCALHOST"]) {
      assert.equal(isOwn(RED, `http://${host}:1880/root/messaging/a?secret=x`), true, host);
    }
    for (const [origin, ...paths] of [
      ["http://127.0.0.1:1880", "/", "/root", "/messaging/a", "/root/messaging/b"],
      ["http://127.0.0.1:1880", "/root/messaging/a/b", "/root/messaging/a/../../flows"],
      ["http://127.0.0.1:1881", "/root/messaging/a"],
      ["http://127.0.0.1", "/root/messaging/a"],
      ["http://192.168.1.5:1880", "/root/messaging/a"],
      ["http://evil.example:1880", "/root/messaging/a"],
      ["http://127.0.0.1@evil.example:1880", "/root/messaging/a"],
      ["http://localhost.:1880", "/root/messaging/a"],
      ["http://127.0.0.1.evil.example:1880", "/root/messaging/a"],
    ]) {
      for (const path of paths) {
        assert.equal(isOwn(RED, `${origin}${path}`), false, `${origin}${path}`);
      }
    }
    release();
    assert.equal(isOwn(RED, "http://127.0.0.1:1880/root/messaging/a"), false, "a webhook that is gone");
  });

  it("are not on a loopback address on which somebody else may listen", () => {
    const cases: [string | null, string, boolean][] = [
      ["127.0.0.1", "127.0.0.1", true],
      ["127.0.0.1", "localhost", true],
      ["127.0.0.1", "127.0.0.2", false],
      ["127.0.0.1", "[::1]", false],
      ["::1", "[::1]", true],
      ["::1", "127.0.0.1", false],
      ["::", "[::1]", true],
      ["192.168.1.5", "127.0.0.1", false],
      ["192.168.1.5", "192.168.1.5", false],
      [null, "127.0.0.1", false],
    ];
    for (const [bound, host, wanted] of cases) {
      const { RED } = nodeRed(bound);
      assert.equal(isOwn(RED, `http://${host}:1880/root/messaging/a`), wanted, `${bound} ${host}`);
    }
  });

  it("are told from others, which the log names once and without what may be secret", () => {
    const { RED, warnings } = nodeRed("127.0.0.1");
    const rule = localWebhookRule(RED);
    for (let count = 0; count < 3; count += 1) {
      assert.equal(rule(new URL("http://me:s3cret@127.0.0.1:1880/flows?secret=s3cret")), false);
    }
    assert.equal(warnings.length, 1);
    const [warning = ""] = warnings;
    assert.ok(
      warning.includes("notificationCallbackUrl http://127.0.0.1:1880/flows: it calls only webhook-in"),
    );
    assert.equal(rule(new URL("http://127.0.0.1:1880/root/messaging/a")), true);
    assert.equal(warnings.length, 1);
  });
});

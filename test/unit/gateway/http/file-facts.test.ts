import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { isPublic, readFileFacts, type FileFactsOptions } from "../../../../lib/gateway/http/file-facts";

describe("type and size of a file on the internet", () => {
  let server: Server;
  let origin: string;
  const asked: string[] = [];
  let reply: (req: IncomingMessage, res: ServerResponse) => void;

  before(async () => {
    server = createServer((req, res) => {
      asked.push(`${req.method} ${req.url} ${req.headers.range ?? ""}`.trim());
      reply(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void asked.splice(0));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const options: FileFactsOptions = { proxy: null, env: {}, timeout: 5_000, isAllowed: () => true };
  const read = (path: string, more: Partial<FileFactsOptions> = {}) =>
    readFileFacts(origin + path, { ...options, ...more });

  it("is what HEAD says, and then nothing else is asked", async () => {
    reply = (_req, res) =>
      res.writeHead(200, { "content-type": "IMAGE/JPEG; q=1", "content-length": 48_211 }).end();
    assert.deepEqual(await read("/a.jpg?x=1"), { type: "image/jpeg", size: 48_211 });
    assert.deepEqual(asked, ["HEAD /a.jpg?x=1"]);
  });

  it("is what a GET of one byte says where HEAD does not", async () => {
    reply = (req, res) => {
      if (req.method === "HEAD") res.writeHead(405).end();
      else
        res
          .writeHead(206, {
            "content-type": "image/png",
            "content-range": "bytes 0-0/77",
            "content-length": 1,
          })
          .end("x");
    };
    assert.deepEqual(await read("/b"), { type: "image/png", size: 77 });
    assert.deepEqual(asked, ["HEAD /b", "GET /b bytes=0-0"]);
  });

  it("does not read a content that never ends, and says what is missing", async () => {
    reply = (req, res) => {
      res.writeHead(200, { "content-type": "video/mp4" });
      if (req.method === "HEAD") res.end();
      else res.write("x".repeat(1_000));
    };
    assert.deepEqual(await read("/c"), { type: "video/mp4", size: null });
  });

  it("says nothing of a compressed size or a type that is none", async () => {
    reply = (_req, res) =>
      res
        .writeHead(200, { "content-type": "nonsense", "content-encoding": "gzip", "content-length": 5 })
        .end("12345");
    assert.deepEqual(await read("/d"), { type: null, size: null });
  });

  it("follows a few redirects, and looks at each address anew", async () => {
    const location = (): string => `http://localhost:${new URL(origin).port}/end`;
    reply = (req, res) => {
      if (req.url === "/end") res.writeHead(200, { "content-type": "image/gif", "content-length": 3 }).end();
      else res.writeHead(302, { location: req.url === "/to" ? location() : "/round" }).end();
    };
    assert.deepEqual(await read("/to"), { type: "image/gif", size: 3 });
    assert.deepEqual(await read("/round"), { error: "redirects" });
    const seen: string[] = [];
    const first = (address: string): boolean => seen.push(address) === 1;
    assert.deepEqual(await read("/to", { isAllowed: first }), { error: "not-public" });
  });

  it("says which status refuses, and when no answer comes", async () => {
    reply = (_req, res) => res.writeHead(403).end("secret words");
    assert.deepEqual(await read("/e"), { error: "refused", status: 403 });
    reply = () => {};
    assert.deepEqual(await read("/f", { timeout: 100 }), { error: "timeout" });
    assert.deepEqual(await readFileFacts("http://127.0.0.1:1/x", options), { error: "unreachable" });
  });

  it("asks nobody but public addresses", async () => {
    const local = `${origin}/x http://localhost:${new URL(origin).port}/x
      http://[::1]/x http://[::ffff:127.0.0.1]/x http://2130706433/x http://0x7f.1/x http://10.0.0.1/x
      http://169.254.169.254/latest/meta-data http://[fd00::1]/x http://0.0.0.0/x http://[::127.0.0.1]/x
      http://[::a9fe:a9fe]/x http://[::ffff:0:10.0.0.1]/x http://[64:ff9b::10.0.0.1]/x
      http://[64:ff9b:1::a00:1]/x http://[2002:a00:1::1]/x http://[2001:0:a00:1::1]/x`;
    for (const url of local.split(/\s+/)) {
      const answer = await readFileFacts(url, { proxy: null, env: {}, timeout: 5_000 });
      assert.deepEqual(answer, { error: "not-public" }, url);
    }
    assert.deepEqual(asked, []);
    assert.equal(isPublic("93.184.216.34"), true);
    assert.equal(isPublic("2606:4700::6810:84e5"), true);
  });

  it("gives a proxy the address that it has looked at, and no name that it could not look up", async () => {
    const targets: string[] = [];
    const tunnel = createServer();
    tunnel.on("connect", (req, socket: Socket) => {
      targets.push(req.url ?? "");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    await new Promise<void>((resolve) => tunnel.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
      const proxy = { url, username: undefined, password: undefined, noProxy: [] };
      const readBy = (target: string) => readFileFacts(target, { ...options, proxy });
      assert.deepEqual(await readBy("http://inside.invalid/x"), { error: "unreachable" });
      assert.deepEqual(targets, []);
      assert.deepEqual(await readBy("https://localhost:8443/x"), { error: "unreachable" });
      assert.match(targets.join(), /^(127\.0\.0\.1|\[::1\]):8443$/);
    } finally {
      tunnel.close();
    }
  });

  it("asks no such address by way of a proxy either", async () => {
    const proxy = { url: origin, username: undefined, password: undefined, noProxy: [] };
    for (const url of ["http://127.0.0.1/x", "http://10.1.2.3/x", "http://localhost/x"]) {
      assert.deepEqual(await readFileFacts(url, { ...options, proxy, isAllowed: isPublic }), {
        error: "not-public",
      });
    }
    assert.deepEqual(asked, []);
  });

  it("takes complete addresses of the web without a password only", async () => {
    for (const url of [
      "",
      "a.jpg",
      "ftp://example.com/a",
      "file:///etc/passwd",
      "https://me:word@example.com/a",
    ]) {
      assert.deepEqual(await readFileFacts(url, options), { error: "bad-url" }, url);
    }
  });
});

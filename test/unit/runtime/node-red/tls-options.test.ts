import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { Node } from "node-red";
import { readTlsOptions } from "../../../../lib/runtime/node-red/tls-options";

describe("readTlsOptions", () => {
  const key = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "right" },
  }).privateKey;
  const read = (material: object) =>
    readTlsOptions(
      "tls",
      () =>
        ({
          valid: true,
          addTLSOptions: (options: object) => Object.assign(options, material),
        }) as never as Node,
      () => "missing",
    );

  it("takes a client key with its passphrase", () => {
    assert.deepEqual(read({ key, passphrase: "right" }), { key, passphrase: "right" });
  });

  it("names the passphrase when it is wrong or missing", () => {
    for (const passphrase of ["wrong", "", undefined]) {
      assert.throws(() => read({ key, passphrase }), {
        code: "BAD_TLS",
        message: /^The passphrase of the client key/,
      });
    }
  });

  it("names the files when they cannot be read", () => {
    assert.throws(() => read({ key: "no key" }), { code: "BAD_TLS", message: /check its certificate/ });
  });
});

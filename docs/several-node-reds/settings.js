const { createCipheriv, createHash, randomBytes } = require("node:crypto");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const { FLOWS, HOSTNAME, MESSAGING_STORE_URL, NODE_RED_CREDENTIAL_SECRET, PORT } = process.env;

/**
 * Gives the account of the example flow its database URL at the very first start, in the file of credentials that Node-RED has in its user
 * directory, encrypted as Node-RED does it. What is written is the name of the environment variable. A file that is there stays as it is.
 */
function writeFirstCredentials() {
  const { name, ext } = path.parse(FLOWS);
  const file = path.join(__dirname, `${name}_cred${ext}`);
  if (existsSync(file)) {
    return;
  }
  const account = JSON.parse(readFileSync(FLOWS, "utf8")).find(({ type }) => type === "messaging-account");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the account replaces it by the value of the variable.
  const plain = JSON.stringify({ [account.id]: { storeUrl: "${MESSAGING_STORE_URL}" } });
  const vector = randomBytes(16);
  const key = createHash("sha256").update(NODE_RED_CREDENTIAL_SECRET).digest();
  const cipher = createCipheriv("aes-256-ctr", key, vector);
  const encrypted = vector.toString("hex") + cipher.update(plain, "utf8", "base64") + cipher.final("base64");
  writeFileSync(file, JSON.stringify({ $: encrypted }), { mode: 0o600 });
}

if (FLOWS && MESSAGING_STORE_URL && NODE_RED_CREDENTIAL_SECRET) {
  writeFirstCredentials();
}

/** Settings of each Node-RED of `compose.yaml`. */
module.exports = {
  uiPort: PORT || 1880,
  // The same in all of them, so that each can read the credentials of the others.
  credentialSecret: NODE_RED_CREDENTIAL_SECRET,
  // Who can open the editor can send messages: docs/going-live.md says what to set before others can.
  editorTheme: { page: { title: HOSTNAME }, header: { title: HOSTNAME }, tours: false },
};

import { hkdf, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import { isInMemory, type StoreSettings } from "../store/store-settings";
import { folderSecret } from "./key-file";

/** What a key is for: one-time codes are stored as hashes with the one, texts of sensitive messages are encrypted with the other. */
export type KeyPurpose = "codes" | "texts";

/** What the keys of an account are made of. */
export interface KeySource {
  /** Id of the account. */
  readonly id: string;
  readonly simulated: boolean;
  /** Those with which the account signs in; see `readSecrets`. */
  readonly secrets: readonly string[];
  readonly store: StoreSettings;
}

/** Bytes. */
const KEY_LENGTH = 32;

/** Of accounts without a secret that keep messages in memory only: what they encrypt ends with the process. */
const ofProcess = randomBytes(KEY_LENGTH);

const derive = promisify(hkdf);

/**
 * A key of an account. Every Node-RED with the same account has the same one, since it comes from the secrets with which the account
 * signs in. Where there are none, it comes from a file beside the messages, or in memory from the process. The account of a simulator in
 * PostgreSQL has neither: its key comes from its id alone, and protects nothing.
 * @returns 32 bytes
 * @throws SetupError BAD_SETTING where an account of the service has no secret and keeps messages in PostgreSQL
 * @throws StoreError where the file of the key cannot be read or made
 */
export async function accountKey(source: KeySource, purpose: KeyPurpose): Promise<Buffer> {
  const secret = await secretOf(source);
  return Buffer.from(await derive("sha256", secret, source.id, `messaging ${purpose}`, KEY_LENGTH));
}

async function secretOf({ secrets, store, simulated }: KeySource): Promise<Buffer> {
  if (secrets.some((each) => each !== "")) {
    // As JSON: where one secret ends and the next begins makes a difference.
    return Buffer.from(JSON.stringify(secrets));
  }
  if (isInMemory(store)) {
    return ofProcess;
  }
  if (store.folder !== undefined) {
    return folderSecret(store.folder);
  }
  if (!simulated) {
    throw new SetupError("BAD_SETTING", say("account.no-key"));
  }
  return Buffer.alloc(0);
}

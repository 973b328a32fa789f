import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { isSealed, SEALED } from "../../store/schema/sealed-text";

const CIPHER = "aes-256-gcm";
/** Bytes. */
const IV = 12;
const TAG = 16;

/**
 * Encrypts a text for the store.
 * @param key 32 bytes, as of `Account.key("texts")`
 * @param aad what the text belongs to, such as the key of its job: it opens with the same one only, so that rows cannot be exchanged
 * @returns one line of ASCII with a prefix that `isSealed` knows; about 4/3 of the bytes of the text
 */
export function sealText(key: Buffer, aad: string, text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(aad));
  const encrypted = [cipher.update(text, "utf8"), cipher.final()];
  return SEALED + Buffer.concat([iv, ...encrypted, cipher.getAuthTag()]).toString("base64");
}

/** @returns the text; null where it was changed, belongs to something else, or was encrypted with another key */
export function openText(key: Buffer, aad: string, sealed: string): string | null {
  const bytes = isSealed(sealed) ? Buffer.from(sealed.slice(SEALED.length), "base64") : Buffer.alloc(0);
  if (bytes.length < IV + TAG) {
    return null;
  }
  const end = bytes.length - TAG;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV, end)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

import { createHmac, randomBytes } from "node:crypto";

const ofProcess = randomBytes(32);

/** Returns a fingerprint that is valid in this process only, so that nobody can compute the text from it. */
export const markOf = (text: string): string =>
  createHmac("sha256", ofProcess).update(text).digest("base64url");

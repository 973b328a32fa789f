import { randomBytes } from "node:crypto";

/** What the simulator accepts as proof of who is calling. */
export interface SimulatorCredentials {
  readonly username: string;
  readonly password: string;
  readonly accessToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** uuid of the only sending application. */
  readonly applicationId: string;
}

/** uuid of the sending application that every account has. */
export const APPLICATION_ID = "51a51a51-0000-4000-8000-000000000001";

/**
 * Of a simulator that people type credentials for. Fixed, worthless and easy to recognise, so that a test can search logs and answers for leaked ones.
 * Only characters that no encoding changes: a secret looks the same in a URL, a form and JSON.
 */
export const CREDENTIALS: SimulatorCredentials = Object.freeze({
  username: "simulated-user",
  password: "simulated-password-Qm7LxT2vKp",
  accessToken: "simulated-access-token-Zr4NwB8cHd",
  clientId: "simulated-client",
  clientSecret: "simulated-client-secret-Ye3JsV6gFu",
  applicationId: APPLICATION_ID,
});

/**
 * Credentials that nobody can guess, in the same form. The application stays the same: it proves nothing, and flows
 * may name it.
 */
export function randomCredentials(): SimulatorCredentials {
  const random = (name: string) => `simulated-${name}-${randomBytes(16).toString("hex")}`;
  return Object.freeze({
    username: random("user"),
    password: random("password"),
    accessToken: random("access-token"),
    clientId: random("client"),
    clientSecret: random("client-secret"),
    applicationId: APPLICATION_ID,
  });
}

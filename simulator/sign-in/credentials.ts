import { randomBytes } from "node:crypto";

export interface SimulatorCredentials {
  readonly username: string;
  readonly password: string;
  readonly accessToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly applicationId: string;
}

export const APPLICATION_ID = "51a51a51-0000-4000-8000-000000000001";

/** Worthless and easy to recognise: tests search logs and answers for them. No encoding changes their characters. */
export const CREDENTIALS: SimulatorCredentials = Object.freeze({
  username: "simulated-user",
  password: "simulated-password-Qm7LxT2vKp",
  accessToken: "simulated-access-token-Zr4NwB8cHd",
  clientId: "simulated-client",
  clientSecret: "simulated-client-secret-Ye3JsV6gFu",
  applicationId: APPLICATION_ID,
});

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

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

/**
 * Fixed, worthless and easy to recognise, so that a test can search logs and answers for leaked ones.
 * Only characters that no encoding changes: a secret looks the same in a URL, a form and JSON.
 */
export const CREDENTIALS: SimulatorCredentials = Object.freeze({
  username: "simulated-user",
  password: "simulated-password-Qm7LxT2vKp",
  accessToken: "simulated-access-token-Zr4NwB8cHd",
  clientId: "simulated-client",
  clientSecret: "simulated-client-secret-Ye3JsV6gFu",
  applicationId: "51a51a51-0000-4000-8000-000000000001",
});

import { SetupError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { type CheckResult, checkResult } from "./check-result";
import { checkSignIn } from "./check-sign-in";
import { checkTokens } from "./check-tokens";
import { checkConnectivity } from "./check-connectivity";
import { GatewayClient } from "../client/gateway-client";
import type { GatewaySettings } from "../contract/settings";
import type { CancelSignal } from "../http/cancel-signal";
import { REAL_TIMING } from "../http/timing";

/** Characters of what is known besides. */
const LONGEST_DETAIL = 500;

export type { CheckResult } from "./check-result";

/** Somebody waits in front of a dialog; ms. */
const LONGEST_CONNECT = 15_000;
const LONGEST_ANSWER = 30_000;

const isWhole = (lines: readonly CheckResult[]): boolean => lines.every(({ state }) => state !== "failed");

/** The line of settings that cannot work. @throws whatever is no SetupError */
export function settingsResult(error: unknown): CheckResult {
  if (!(error instanceof SetupError)) {
    throw error;
  }
  return checkResult("settings", "failed", error.code, "", error.message);
}

/**
 * Tries what an account needs, with its settings as they are given, and sends nothing to anybody: the way to the
 * service and to the token service, the credentials by a message that must be refused, a token for each scope.
 * @param stop ends it early, for nobody waits any more
 * @returns one line for each thing looked at; never rejects for what a user can put right
 */
export async function testConnection(
  given: GatewaySettings,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const settings: GatewaySettings = {
    ...given,
    connectTimeout: Math.min(given.connectTimeout, LONGEST_CONNECT),
    answerTimeout: Math.min(given.answerTimeout, LONGEST_ANSWER),
  };
  let client: GatewayClient;
  try {
    client = new GatewayClient(settings, REAL_TIMING);
  } catch (error) {
    return [settingsResult(error)];
  }
  const release = stop.onStop(() => void client.destroy());
  try {
    const lines = await testBoth(client, settings, stop);
    const clean = (text: string): string => sanitiseText(client.redactor.clean(text), LONGEST_DETAIL);
    return lines.map((line) => ({ ...line, about: clean(line.about), detail: clean(line.detail) }));
  } finally {
    release();
    await client.destroy();
  }
}

async function testBoth(
  client: GatewayClient,
  settings: GatewaySettings,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const { service, tokenService } = client;
  const shared = tokenService.origin === service.origin;
  const way = checkConnectivity(service, settings, stop);
  // The token service is somebody else's only where a token is asked for at all.
  const tokenWay = shared
    ? way
    : settings.oauth === null
      ? Promise.resolve([])
      : checkConnectivity(tokenService, settings, stop);
  const [lines, tokenLines] = await Promise.all([way, tokenWay]);
  const [signIn, tokens] = await Promise.all([
    signInLine(client, settings, isWhole(lines), stop),
    tokenResults(client, settings, isWhole(tokenLines)),
  ]);
  return [...lines, signIn, ...(shared ? [] : tokenLines), ...tokens];
}

async function signInLine(
  client: GatewayClient,
  { legacy }: GatewaySettings,
  reached: boolean,
  stop: CancelSignal,
): Promise<CheckResult> {
  if (legacy === null) {
    return checkResult("sign-in", "skipped", "NONE");
  }
  return reached ? checkSignIn(client, stop) : checkResult("sign-in", "skipped", "NOT_REACHED");
}

async function tokenResults(
  client: GatewayClient,
  { oauth }: GatewaySettings,
  reached: boolean,
): Promise<readonly CheckResult[]> {
  if (oauth === null) {
    return [checkResult("token", "skipped", "NONE")];
  }
  return reached ? checkTokens(client) : [checkResult("token", "skipped", "NOT_REACHED")];
}

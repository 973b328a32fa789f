import { SetupError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { type CheckResult, checkResult } from "./check-result";
import { checkSignIn } from "./check-sign-in";
import { checkTokens } from "./check-tokens";
import { checkConnectivity } from "./check-connectivity";
import { GatewayClient } from "../client/gateway-client";
import type { GatewaySettings } from "../contract/settings";
import { parseServiceAddress } from "../http/service-address";
import type { CancelSignal } from "../http/cancel-signal";
import { REAL_TIMING } from "../http/timing";

const MAX_DETAIL = 500;

export { type CheckResult, checkResult } from "./check-result";

/** Ms; shorter than an account may allow, because a user waits for the dialog. */
const MAX_CONNECT_MS = 15_000;
const MAX_RESPONSE_MS = 30_000;

const allPassed = (results: readonly CheckResult[]): boolean =>
  results.every(({ state }) => state !== "failed");

/** @throws any error that is not a SetupError */
export function settingsResult(error: unknown): CheckResult {
  if (!(error instanceof SetupError)) {
    throw error;
  }
  return checkResult("settings", "failed", error.code, "", error.message);
}

export async function testConnection(
  given: GatewaySettings,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const settings: GatewaySettings = {
    ...given,
    connectTimeout: Math.min(given.connectTimeout, MAX_CONNECT_MS),
    answerTimeout: Math.min(given.answerTimeout, MAX_RESPONSE_MS),
  };
  let client: GatewayClient;
  try {
    client = new GatewayClient(settings, REAL_TIMING);
  } catch (error) {
    return withoutNetwork(settings, error);
  }
  const release = stop.onStop(() => void client.destroy());
  try {
    const results = await testBoth(client, settings, stop);
    const brief = (text: string): string => sanitiseText(text, MAX_DETAIL);
    return results.map((result) => ({ ...result, about: brief(result.about), detail: brief(result.detail) }));
  } finally {
    release();
    await client.destroy();
  }
}

function withoutNetwork(settings: GatewaySettings, error: unknown): readonly CheckResult[] {
  const { serviceAddress, tokenAddress, legacy, oauth } = settings;
  const addresses = [
    ["service", serviceAddress],
    ["token", tokenAddress],
  ] as const;
  const wrong = addresses
    .filter(([which, typed]) => which === "service" || typed.trim() !== "")
    .flatMap(([which, typed]) => {
      try {
        parseServiceAddress(which, typed);
        return [];
      } catch (fault) {
        return [settingsResult(fault)];
      }
    });
  return [
    ...(wrong.length > 0 ? wrong : [settingsResult(error)]),
    ...(legacy === null ? [checkResult("sign-in", "skipped", "NONE")] : []),
    ...(oauth === null ? [checkResult("token", "skipped", "NONE")] : []),
  ];
}

async function testBoth(
  client: GatewayClient,
  settings: GatewaySettings,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const { service, tokenService } = client;
  const shared = tokenService.origin === service.origin;
  const connectivity = checkConnectivity(service, settings, client.redactor, stop);
  // Without OAuth credentials no token is requested, so the token service is not checked.
  const tokenConnectivity = shared
    ? connectivity
    : settings.oauth === null
      ? Promise.resolve([])
      : checkConnectivity(tokenService, settings, client.redactor, stop);
  const [results, tokenSteps] = await Promise.all([connectivity, tokenConnectivity]);
  const unchecked = (
    check: "sign-in" | "token",
    credentials: unknown,
    reached: boolean,
  ): CheckResult | null =>
    credentials !== null && reached
      ? null
      : checkResult(check, "skipped", credentials === null ? "NONE" : "NOT_REACHED");
  const [signIn, tokens] = await Promise.all([
    unchecked("sign-in", settings.legacy, allPassed(results)) ?? checkSignIn(client, stop),
    unchecked("token", settings.oauth, allPassed(tokenSteps)) ?? checkTokens(client),
  ]);
  return [...results, signIn, ...(shared ? [] : tokenSteps), ...[tokens].flat()];
}

import { variableName } from "../../shared/variable-name";
import type { NodeAPI } from "node-red";
import {
  type CheckResult,
  settingsResult,
  testConnection,
} from "../../gateway/connection-test/connection-test";
import type { GatewaySettings } from "../../gateway/contract/settings";
import { CancelSignal } from "../../gateway/http/cancel-signal";
import { Account, type AcquireSimulator, simulatedSettings } from "../account/account";
import { readGatewaySettings } from "../account/account-settings";
import { type EditorAnswer, serveEditor } from "./editor-request";
import { chooseSecrets, SECRETS, type SecretTexts } from "../account/stored-secrets";
import {
  neededSecrets,
  replaceVariables,
  type DraftAccount,
  draftAccount,
  secretDestinationOf,
} from "../account/draft-account";

const ROUTE = "/messaging-account/:id/test";
/** The simulator keeps what it knows by account; one that is not deployed has no place of its own there. */
const NOT_DEPLOYED = "connection-test";

/** What the dialog shows: whether the simulator answered, and line by line what was found. */
interface TestReport {
  readonly simulated: boolean;
  readonly lines: readonly CheckResult[];
}

/** Serves the connection test of accounts to the editor. The settings are tried as they stand in the dialog. */
export function serveConnectionTests(RED: NodeAPI, acquireSimulator: AcquireSimulator): void {
  serveEditor(RED, ROUTE, draftAccount, async (id, body, onGone): Promise<EditorAnswer> => {
    const account = deployedAccount(RED, id);
    const stop = new CancelSignal();
    onGone(() => stop.stop());
    const replace = variableReader(RED, account === null ? null : id);
    const typed = replaceVariables(body, replace);
    if (typed.config.service === "simulator") {
      const lines = await testSimulator(account === null ? NOT_DEPLOYED : id, acquireSimulator, stop);
      return { simulated: true, lines } satisfies TestReport;
    }
    const needed = neededSecrets(typed);
    const way = secretDestinationOf(typed.config);
    const chosen =
      account === null
        ? chooseSecrets(typed.credentials, needed, way, null)
        : account.secretsFor(typed.credentials, needed, way);
    if (chosen.retype !== undefined) {
      return { error: "retype", fields: chosen.retype };
    }
    const lines = await testService(RED, typed, replaceAll(chosen.secrets, replace), stop);
    return { simulated: false, lines } satisfies TestReport;
  });
}

function deployedAccount(RED: NodeAPI, id: string): Account | null {
  try {
    return Account.of(RED.nodes.getNode(id));
  } catch {
    return null;
  }
}

/** Reads `${NAME}` as the flows would; what has no value stays, so that it is named as missing. */
function variableReader(RED: NodeAPI, id: string | null): (typed: string) => string {
  const node = id === null ? null : RED.nodes.getNode(id);
  return (typed) => {
    const name = /\s/.test(typed) ? null : variableName(typed);
    const found: unknown =
      name === null ? undefined : RED.util.evaluateNodeProperty(name, "env", node as never, {});
    return found === undefined || found === "" ? typed : String(found);
  };
}

const replaceAll = (texts: SecretTexts, replace: (typed: string) => string): SecretTexts =>
  Object.fromEntries(SECRETS.map((name) => [name, replace(texts[name] ?? "")]));

async function testService(
  RED: NodeAPI,
  { config }: DraftAccount,
  secrets: SecretTexts,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  let settings: GatewaySettings;
  try {
    const { connectTimeout, answerTimeout, ...rest } = config;
    const times = {
      ...(connectTimeout !== undefined && { connectTimeout }),
      ...(answerTimeout !== undefined && { answerTimeout }),
    };
    settings = readGatewaySettings({ ...rest, ...times }, secrets, (id) => RED.nodes.getNode(id));
  } catch (error) {
    return [settingsResult(error)];
  }
  return testConnection(settings, stop);
}

async function testSimulator(
  id: string,
  acquireSimulator: AcquireSimulator,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const simulator = await acquireSimulator(id);
  try {
    const settings = readGatewaySettings({}, {}, () => null);
    return await testConnection(simulatedSettings(settings, simulator), stop);
  } finally {
    simulator.release();
  }
}

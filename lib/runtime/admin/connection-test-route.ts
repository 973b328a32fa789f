import { ACCOUNT_VALUES } from "../../shared/fields/account-defaults";
import { withInitialValues } from "../../shared/fields/initial-values";
import { variableName } from "../../shared/variable-name";
import type { NodeAPI } from "node-red";
import {
  type CheckResult,
  checkResult,
  settingsResult,
  testConnection,
} from "../../gateway/connection-test/connection-test";
import type { GatewaySettings } from "../../gateway/contract/settings";
import { CancelSignal } from "../../gateway/http/cancel-signal";
import { Account } from "../account/account";
import { type AcquireSimulator, simulatedSettings } from "../account/simulator-link";
import { type AccountConfig, readGatewaySettings } from "../account/account-settings";
import { checkStore } from "../store/check/check-store";
import { type EditorAnswer, serveEditor } from "./editor-request";
import { nameHalfCredentials } from "../account/half-credentials";
import { chooseSecrets, SECRETS, type SecretTexts } from "../account/stored-secrets";
import {
  neededSecrets,
  type ReplaceVariable,
  replaceVariables,
  type DraftAccount,
  draftAccount,
  getSecretDestination,
} from "../account/draft-account";

const ROUTE = "/messaging-account/:id/test";
/** The simulator stores its state by account id. Accounts that are not deployed share this id. */
const NOT_DEPLOYED = "connection-test";

interface TestReport {
  readonly simulated: boolean;
  readonly lines: readonly CheckResult[];
}

export function serveConnectionTests(RED: NodeAPI, acquireSimulator: AcquireSimulator): void {
  serveEditor(RED, ROUTE, "flows.write", draftAccount, async (id, body, onGone): Promise<EditorAnswer> => {
    const account = Account.find(RED.nodes.getNode(id));
    const stop = new CancelSignal();
    onGone(() => stop.stop());
    const replace = variableReader(RED, account === null ? null : id);
    const draft = replaceVariables(body, replace);
    const needed = neededSecrets(draft);
    const destination = getSecretDestination(draft.config);
    const chosen =
      account === null
        ? chooseSecrets(draft.credentials, needed, destination, null)
        : account.secretsFor(draft.credentials, needed, destination);
    if (chosen.retype !== undefined) {
      return { error: "retype", fields: chosen.retype };
    }
    const secrets = replaceAll(chosen.secrets, replace);
    const storage = checkStore(whole(draft.config), RED.settings.userDir, {
      storeUrl: secrets.storeUrl,
      find: (nodeId) => RED.nodes.getNode(nodeId),
    });
    const simulated = draft.config.service === "simulator";
    const service = simulated
      ? testSimulator(account === null ? NOT_DEPLOYED : id, acquireSimulator, stop)
      : testService(RED, draft, secrets, stop);
    const [lines, store] = await Promise.all([service, storage]);
    return { simulated, lines: [...lines, store] } satisfies TestReport;
  });
}

/** Properties that the dialog does not send are as in a new account. */
const whole = (config: object): AccountConfig => withInitialValues(ACCOUNT_VALUES, config);

/** Replaces `${NAME}` as in the flows. A variable without a value stays, so that an error can name it. */
function variableReader(RED: NodeAPI, id: string | null): ReplaceVariable {
  const node = id === null ? null : RED.nodes.getNode(id);
  return (text) => {
    const name = /\s/.test(text) ? null : variableName(text);
    const found: unknown = name === null ? undefined : RED.util.evaluateNodeProperty(name, "env", node, {});
    return found === undefined || found === "" ? text : String(found);
  };
}

const replaceAll = (texts: SecretTexts, replace: ReplaceVariable): SecretTexts =>
  Object.fromEntries(SECRETS.map((name) => [name, replace(texts[name] ?? "")]));

async function testService(
  RED: NodeAPI,
  { config }: DraftAccount,
  secrets: SecretTexts,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  let settings: GatewaySettings;
  try {
    settings = readGatewaySettings(whole(config), secrets, (id) => RED.nodes.getNode(id));
  } catch (error) {
    return [settingsResult(error)];
  }
  const lines = nameHalfCredentials(await testConnection(settings, stop), config.legacyAuth, secrets);
  // Nothing can be checked about an existing id, so only a missing one has a line.
  return config.applicationId.trim() === ""
    ? [...lines, checkResult("application", "skipped", "NONE")]
    : lines;
}

async function testSimulator(
  id: string,
  acquireSimulator: AcquireSimulator,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const simulator = await acquireSimulator(id);
  try {
    const settings = readGatewaySettings(whole({}), {}, () => null);
    return await testConnection(simulatedSettings(settings, simulator), stop);
  } finally {
    simulator.release();
  }
}

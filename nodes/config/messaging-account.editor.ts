import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { prepareConnectionTest } from "../../lib/editor/checks/connection-test";
import {
  folderFaultText,
  isKeptIn,
  keepsMessages,
  prepareStorage,
  schemaFaultText,
  storeUrlFaultText,
} from "../../lib/editor/checks/storage-section";
import { allowedCountriesFault, prepareProtection } from "../../lib/editor/checks/protection-section";
import { limitChecks, prepareLimits } from "../../lib/editor/checks/limits-section";
import { prepareSendingHours, sendingHoursChecks } from "../../lib/editor/checks/sending-hours-section";
import { redrawAccountLabels } from "../../lib/editor/inputs/account/account-label";
import { findCountryFault, prepareCountryInput } from "../../lib/editor/inputs/country-input";
import { completeNodes } from "../../lib/editor/dialog/complete-nodes";
import { currentValue, type Dialog, openDialog } from "../../lib/editor/dialog/dialog";
import { check, watchFaults } from "../../lib/editor/inputs/faults";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { checkUuid } from "../../lib/editor/inputs/literal-checks";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { provideTextLibrary } from "../../lib/editor/personal-text/provide-text-library";
import { provideRecipientReader } from "../../lib/editor/recipients/provide-recipient-reader";
import { catalogueTexts, sharedTexts } from "../../lib/editor/dialog/texts";
import { ACCOUNT_DEFAULTS, ACCOUNT_RANGES, ASSUMED_PATHS } from "../../lib/shared/fields/account-defaults";
import { findAddressFault } from "../../lib/shared/network/address-fault";

const texts = catalogueTexts("messaging-account");

const isReal = (node: EditedNode): boolean => currentValue(node, "service") === "service";
const usesAuth = (node: EditedNode, ...kinds: string[]): boolean =>
  isReal(node) && kinds.includes(String(currentValue(node, "legacyAuth")));

const checkReal = (name: string, findFault: (value: string, node: EditedNode) => string | null) =>
  check(
    () => texts(`field.${name}`),
    (value, node) => (isReal(node) ? findFault(value, node) : null),
  );

const addressFault = (typed: string): string | null => {
  const fault = findAddressFault(typed);
  return fault === null ? null : texts(`fault.address.${fault}`);
};

/** The dialog has only a stand-in for a stored password, which is not blank. */
const requiredFor = (name: string, ...kinds: string[]) =>
  checkReal(name, (value, node) =>
    usesAuth(node, ...kinds) && value === "" ? texts("fault.credential-missing") : null,
  );

const pairedWith = (name: string, other: string) =>
  checkReal(name, (value, node) =>
    value === "" && String(currentValue(node, other) ?? "") !== ""
      ? sharedTexts("fault.needed-with", { other: texts(`field.${other}`) })
      : null,
  );

const PLACES: readonly string[] = ["computer", "postgresql", "memory"];

const checkStored = (
  name: string,
  findFault: (value: string) => string | null,
  applies: (node: EditedNode) => boolean = keepsMessages,
) =>
  check(
    () => texts(`field.${name}`),
    (value, node) => (applies(node) ? findFault(value) : null),
  );

const inPostgresql = (node: EditedNode): boolean => isKeptIn(node, "postgresql");

const CHECKS: Readonly<Record<string, PropertyDefinition["validate"]>> = {
  serviceAddress: checkReal("serviceAddress", addressFault),
  tokenAddress: checkReal("tokenAddress", (value) => (value.trim() === "" ? null : addressFault(value))),
  applicationId: checkReal("applicationId", (value) => (value.trim() === "" ? null : checkUuid(value))),
  defaultCountry: check(() => texts("field.defaultCountry"), findCountryFault),
  allowedCountries: check(
    () => texts("field.allowedCountries"),
    (value) => allowedCountriesFault(texts, value),
  ),
  ...limitChecks(texts),
  ...sendingHoursChecks(texts),
  keepMessages: check(
    () => texts("field.keepMessages"),
    (value) => (PLACES.includes(value) ? null : sharedTexts("fault.not-a-choice", { value })),
  ),
  storeFolder: checkStored(
    "storeFolder",
    (value) => folderFaultText(texts, value),
    (node) => isKeptIn(node, "computer"),
  ),
  storeSchema: checkStored("storeSchema", (value) => schemaFaultText(texts, value), inPostgresql),
  ...Object.fromEntries(
    Object.entries(ACCOUNT_RANGES).map(([name, range]) => {
      const findFault = (value: string): string | null => findNumberFault(value, range);
      const isStored = name === "keepDays" || name === "snapshotLimit";
      return [name, isStored ? checkStored(name, findFault) : check(() => texts(`field.${name}`), findFault)];
    }),
  ),
};

const defaults: Record<string, PropertyDefinition> = {
  name: { value: "" },
  tls: { value: "", type: "tls-config", required: false },
  proxy: { value: "", type: "http proxy", required: false },
  storeTls: { value: "", type: "tls-config", required: false },
  paths: { value: {} },
};
for (const [name, value] of Object.entries(ACCOUNT_DEFAULTS)) {
  const validate = CHECKS[name];
  // The editor would show a 0 of a new account as blank, so numbers are texts.
  const initial = typeof value === "number" ? String(value) : value;
  defaults[name] = { value: initial, ...(validate && { validate }) };
}

const credentials = {
  username: { type: "text", validate: requiredFor("username", "basic") },
  password: { type: "password", validate: requiredFor("password", "basic") },
  accessToken: { type: "password", validate: requiredFor("accessToken", "token-header", "token-query") },
  clientId: { type: "text", validate: pairedWith("clientId", "clientSecret") },
  clientSecret: { type: "password", validate: pairedWith("clientSecret", "clientId") },
  storeUrl: {
    type: "password",
    validate: check(
      () => texts("field.storeUrl"),
      (value, node) => (inPostgresql(node) ? storeUrlFaultText(texts, value) : null),
    ),
  },
} as const;

const pathInput = (operation: string): JQuery => $(`#messaging-account-path-${operation}`);

function describe(node: EditedNode): string {
  if (node.service !== "service") {
    return texts("label.simulator", { name: node.name || texts("label.default") });
  }
  const address = String(node.serviceAddress);
  return node.name || (URL.canParse(address) ? new URL(address).host : texts("label.default"));
}

completeNodes();
redrawAccountLabels();
provideRecipientReader();
provideTextLibrary();

let opened: Dialog | undefined;

RED.nodes.registerType("messaging-account", {
  category: "config",
  defaults,
  credentials,
  paletteLabel: () => texts("palette"),
  label() {
    return describe(this);
  },
  oneditprepare() {
    const dialog = openDialog(this, true);
    opened = dialog;
    prepareCountryInput(dialog.input("defaultCountry"));
    const paths = this.paths as Record<string, string>;
    for (const [operation, path] of Object.entries(ASSUMED_PATHS)) {
      pathInput(operation)
        .val(paths[operation] ?? "")
        .attr("placeholder", path);
    }
    const limits = prepareLimits(dialog, texts);
    const hours = prepareSendingHours(dialog, texts);
    prepareStorage(dialog, texts);
    prepareProtection(dialog, texts, [limits, hours]);
    watchConditions(dialog);
    watchFaults(dialog, { ...defaults, ...credentials });
    openGroupsInUse(dialog, defaults);
    prepareConnectionTest(dialog, dialog.form.find(".messaging-connection-test"), texts);
    if (Object.keys(paths).length > 0) {
      pathInput("rcs").closest("details").attr("open", "");
    }
  },
  oneditsave() {
    opened?.save();
    const typed = Object.keys(ASSUMED_PATHS).map((id) => [id, String(pathInput(id).val() ?? "").trim()]);
    this.paths = Object.fromEntries(typed.filter(([, path]) => path !== ""));
    return undefined;
  },
});

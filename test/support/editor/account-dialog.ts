import { ACCOUNT_DEFAULTS } from "../../../lib/shared/fields/account-defaults";
import type { EditorBench } from "./on-each-editor";

/** Settings as a dialog saves them: numbers as texts. */
const asSaved = (settings: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === "number" ? String(value) : value,
    ]),
  );

/** What a new account has, as its dialog saves it. */
export const NEW_ACCOUNT = {
  type: "messaging-account",
  name: "An account",
  tls: "",
  proxy: "",
  storeTls: "",
  paths: {},
  ...asSaved(ACCOUNT_DEFAULTS),
};

const FORM = "#node-config-dialog-edit-form";
/** The group *Protection*, with countries, limits and hours. */
const PROTECTION = `${FORM} details[data-summarised]:has(#node-config-input-mobileOnly)`;

export const input = (name: string): string => `#node-config-input-${name}`;

/** The dialog of an account, as a person uses it. */
export function accountDialog(bench: EditorBench) {
  const page = () => bench.editor.page;
  return {
    form: FORM,
    open: async (id: string, unfold = true): Promise<void> => {
      await bench.editor.showAccount(id);
      if (unfold) await page().evaluate(`$("${FORM} details").attr("open", "")`);
    },
    close: (button: "ok" | "cancel") => bench.editor.closeAccount(button),
    summary: async (): Promise<string> =>
      (await page().locator(`${PROTECTION} > summary .messaging-summary`).textContent()) ?? "",
    faults: () => bench.editor.faults(FORM),
  };
}

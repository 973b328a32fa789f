import { useState } from "preact/hooks";
import type { SimulatorView } from "../../../lib/shared/simulator-panel";
import { texts } from "../shared/format";
import { Select, TextInput } from "../shared/inputs";
import { Button, Quiet } from "../shared/parts";
import type { Act } from "./use-simulator";

interface FormProps {
  readonly view: SimulatorView | null;
  readonly act: Act;
}

/** The code that is offered first: the service fails. */
const INITIAL = "5003";

/** Sets the response to the next message of the account. */
export function NextAnswer({ view, act }: FormProps) {
  const [code, setCode] = useState(INITIAL);
  const next = view?.nextAnswer ?? null;
  return (
    <fieldset>
      <legend>{texts("simulator.nextAnswer")}</legend>
      <div class="messaging-row">
        <Select
          label={texts("simulator.nextAnswer")}
          options={(view?.answers ?? []).map((each) => [String(each.code), each.words])}
          value={code}
          onChange={setCode}
        />
        <Button
          text={texts("simulator.apply")}
          onPress={() => void act("next-answer", { statusCode: Number(code) })}
        />
      </div>
      <div class="messaging-row" hidden={next === null}>
        <span role="status">
          {next !== null && texts("simulator.answersNext", { statusCode: String(next) })}
        </span>
        <Button icon="undo" tip={texts("simulator.normal")} onPress={() => void act("normal", {})} />
      </div>
    </fieldset>
  );
}

/** Names and languages of the templates in one line. */
function getNames({ templates }: SimulatorView): string {
  const locales = new Map<string, readonly string[]>();
  for (const { name, locale } of templates) {
    locales.set(name, [...(locales.get(name) ?? []), locale]);
  }
  return [...locales].map(([name, all]) => `${name} (${all.join(", ")})`).join(", ");
}

const BLANK = { templateName: "", templateLocale: "", text: "" };

/** Gives the simulator a WhatsApp template of the user, and names its templates. */
export function Templates({ view, act }: FormProps) {
  const [typed, setTyped] = useState(BLANK);
  const names = view === null ? "" : getNames(view);
  const add = async (): Promise<void> => {
    const { templateName, templateLocale, text } = typed;
    const template = {
      templateName: templateName.trim(),
      templateLocale: templateLocale.trim(),
      text: text.trim(),
    };
    if (await act("template", template)) {
      // What the user typed in between stays.
      setTyped((now) => (now === typed ? BLANK : now));
    }
  };
  const input = (key: keyof typeof BLANK, label: string) => (
    <TextInput
      label={texts(`simulator.template.${label}`)}
      value={typed[key]}
      onInput={(value) => setTyped({ ...typed, [key]: value })}
    />
  );
  return (
    <details class="messaging-templates">
      <summary>{texts("simulator.template.own")}</summary>
      <div class="messaging-row">
        {input("templateName", "templateName")}
        {input("templateLocale", "templateLocale")}
      </div>
      <div class="messaging-row">
        {input("text", "templateText")}
        <Button text={texts("simulator.template.templateAdd")} onPress={() => void add()} />
      </div>
      {names !== "" && <Quiet>{texts("simulator.template.has", { names })}</Quiet>}
    </details>
  );
}

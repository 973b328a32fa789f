import type { Row } from "../../shared/personal-text/row-number";
import {
  type FieldSpec,
  type FieldType,
  isFieldOf,
  isListType,
  sourceProperty,
} from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { type FilledText, fillText, plainText } from "../personal-text/filled-text";
import { prepareRowColumns } from "./row-columns";
import { fillsBraces } from "../personal-text/personal-properties";
import { flatSample } from "../personal-text/sample";
import { prepareSampleRow } from "./sample-row";
import { addTextPanel, type TextPanel } from "./text-panel";
import { valueList } from "./value-list";

/** Types of fields whose typed texts may have values of the message in them. */
const PERSONAL_TYPES: ReadonlySet<FieldType> = new Set(["text", "recipients", "placeholders", "suggestions"]);

/** The texts with values of the message in the open dialog of a send node. */
export interface PersonalTexts {
  /** Adds what a typed text needs below its field; to be called for each field after its input is built. */
  readonly attach: (spec: FieldSpec) => void;
  /** A typed text as it is sent for the sample. */
  readonly fill: (text: string) => FilledText;
  /** The sample, with the properties of its row; null while the dialog has no sample. */
  readonly sample: () => Row | null;
}

/** Prepares what a dialog has for texts with values of the message: the switch for braces, the sample, the column with the numbers. */
export function preparePersonalTexts(dialog: Dialog, specs: readonly FieldSpec[]): PersonalTexts {
  const { node, form, input, watch } = dialog;
  const recipients = (specs.find(({ type }) => type === "recipients") as FieldSpec).name;
  const sampleRow = prepareSampleRow(dialog, () => ({
    source: String(currentValue(node, sourceProperty(recipients))),
    value: heldText(dialog, recipients),
  }));
  const fills = (): boolean => fillsBraces(node);
  const fill = (text: string): FilledText => (fills() ? fillText(text, sampleRow.sample()) : plainText(text));
  const panels: (TextPanel & { readonly spec: FieldSpec })[] = [];
  const updateColumn = prepareRowColumns(dialog, recipients, sampleRow.sample);
  const switchRow = form.find(".messaging-braces");
  const update = (): void => {
    const present = panels.filter(({ spec }) => isFieldOf(spec, (name) => currentValue(node, name)));
    sampleRow.show(fills() && present.some((panel) => panel.isWritten() || panel.hasBraces()));
    switchRow.toggle(present.some((panel) => panel.hasBraces()));
    switchRow.find(".messaging-hint").toggle(!fills());
    for (const panel of present) {
      panel.update();
    }
    updateColumn();
  };
  input("braces").on("change", () => {
    // Has the editor check them again.
    for (const { spec } of panels) {
      input(isListType(spec.type) ? `${spec.name}-from` : spec.name).trigger("change");
    }
  });
  watch(update);
  return {
    fill,
    attach(spec) {
      if (PERSONAL_TYPES.has(spec.type)) {
        const insertButton = (chosen: (path: string) => void): JQuery =>
          valueList({ sample: sampleRow.sample, chosen, focusSample: sampleRow.focus });
        const panel = addTextPanel(dialog, spec, { fills, fill, insertButton });
        panels.push({ ...panel, spec });
        update();
      }
    },
    sample() {
      const sample = fills() ? sampleRow.sample() : null;
      return sample && flatSample(sample);
    },
  };
}

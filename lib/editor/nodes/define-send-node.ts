import type { FieldSpec } from "../../shared/fields/field-spec";
import { prepareSendTest } from "../checks/send-test";
import type { Dialog } from "../dialog/dialog";
import { settingText } from "../dialog/groups";
import type { NodeDefinition, PropertyDefinition } from "../dialog/node-definition";
import { nodeTexts } from "../dialog/texts";
import { describeSource } from "../fields/describe-source";
import { prepareRules } from "../inputs/delivery-rules";
import { type Completions, prepareFields } from "../inputs/field-input";
import { saveLists } from "../inputs/list-input";
import { watchApplication, watchSameSource, watchTyping } from "../inputs/message-hints";
import { ruleProperties } from "../inputs/rule-properties";
import { prepareMessageProperty, RESULT_PROPERTIES } from "../outputs/result-properties";
import { SEND_OUTPUTS } from "../outputs/send-outputs";
import { type PersonalTexts, preparePersonalTexts } from "../personal-panels/personal-texts";
import { PERSONAL_PROPERTIES } from "../personal-text/personal-properties";
import { defineNode, type NodeKind } from "./define-node";

export interface SendKind extends Pick<NodeKind, "color" | "defaults" | "describe"> {
  readonly fields: readonly FieldSpec[];
  readonly settings: readonly string[];
  readonly composed?: ReadonlySet<string>;
  readonly complete?: (dialog: Dialog) => {
    readonly completions: Completions;
    readonly built: (name: string) => void;
  };
  readonly built?: (dialog: Dialog, spec: FieldSpec, fill: PersonalTexts["fill"]) => void;
  /** @param fill returns a typed text as it is sent */
  readonly prepare?: (dialog: Dialog, fill: PersonalTexts["fill"]) => void;
}

export const sendProperties = (fields: readonly FieldSpec[]): Record<string, PropertyDefinition> => ({
  ...PERSONAL_PROPERTIES,
  ...ruleProperties(fields),
  ...RESULT_PROPERTIES,
});

export function defineSendNode(type: string, kind: SendKind): NodeDefinition {
  const { color, defaults, describe, fields, composed, built, settings } = kind;
  const texts = nodeTexts(type);
  return defineNode(type, {
    color,
    defaults,
    describe,
    ...SEND_OUTPUTS,
    describeSetting: (node) => settingText(node, texts, describeSource),
    prepare(dialog) {
      const { fill, attach, sample } = preparePersonalTexts(dialog, fields);
      const offered = kind.complete?.(dialog);
      prepareFields(dialog, fields, texts, {
        ...(composed && { composed }),
        ...(offered && { completions: offered.completions }),
        built(spec) {
          offered?.built(spec.name);
          built?.(dialog, spec, fill);
          attach(spec);
        },
      });
      prepareRules(dialog, fields, attach);
      prepareMessageProperty(dialog, "resultProperty");
      kind.prepare?.(dialog, fill);
      watchTyping(dialog, fields);
      watchSameSource(dialog, fields, texts);
      watchApplication(dialog, fields);
      prepareSendTest(dialog, { specs: fields, texts, settings: [...settings, "braces"], sample });
      dialog.beforeSave(() => saveLists(dialog.node, fields));
    },
  });
}

import type { FieldSpec } from "../../shared/fields/field-spec";
import type { NodeDefinition } from "../dialog/node-definition";
import { nodeTexts } from "../dialog/texts";
import { prepareFields } from "../inputs/field-input";
import { prepareMessageProperty } from "../outputs/result-properties";
import { defineNode, type NodeKind } from "./define-node";

export const defineFieldNode = (type: string, fields: readonly FieldSpec[], kind: NodeKind): NodeDefinition =>
  defineNode(type, {
    ...kind,
    prepare(dialog) {
      prepareFields(dialog, fields, nodeTexts(type));
      if ("resultProperty" in kind.defaults) {
        prepareMessageProperty(dialog, "resultProperty");
      }
      kind.prepare?.(dialog);
    },
  });

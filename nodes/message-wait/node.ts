import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { WaitNode } from "../../lib/runtime/message-wait/wait-node";
import type { WaitConfig } from "../../lib/runtime/message-wait/wait-settings";
import { NODE_VALUES, fieldValues } from "../../lib/shared/fields/initial-values";
import { WAIT_DEFAULTS, WAIT_FIELDS, WAIT_KINDS, waitPorts } from "../../lib/shared/fields/wait-fields";
import { WAIT_LABELS } from "../../lib/runtime/message-wait/wait-labels";

export const NODE: NodeRuntime<WaitConfig> = {
  initial: {
    ...NODE_VALUES,
    kind: WAIT_KINDS[0],
    ...WAIT_DEFAULTS,
    outputs: waitPorts(WAIT_KINDS[0], WAIT_DEFAULTS.match, WAIT_DEFAULTS.others),
    ...fieldValues(WAIT_FIELDS),
  },
  labels: WAIT_LABELS,
  start: (RED, node, config) => void new WaitNode(RED, node, config),
};

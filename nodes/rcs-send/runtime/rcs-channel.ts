import { CHANNEL_VALUES, fieldValues } from "../../../lib/shared/fields/initial-values";
import de from "../locales/de/rcs-send.json";
import en from "../locales/en-US/rcs-send.json";
import { checkMessageContact } from "../../../lib/gateway/contract/rcs-schemas";
import { POSITION_FORMS, RCS_FIELDS, RCS_KINDS } from "../shared/rcs-fields";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import { readRawPayload } from "./rcs-raw";
import { buildRcsMessage } from "./rcs-message";
import { readChoice } from "../../../lib/runtime/node-red/read-settings";
import type { ChannelDefinition } from "../../../lib/runtime/channels/channel-definition";

export const RCS_CHANNEL: ChannelDefinition<typeof RCS_FIELDS> = {
  label: "RCS",
  labels: { "en-US": en["rcs-send"].field, de: de["rcs-send"].field },
  initial: {
    ...CHANNEL_VALUES,
    kind: RCS_KINDS[0],
    positionAs: POSITION_FORMS[0],
    ...fieldValues(RCS_FIELDS),
  },
  messageKinds: RCS_KINDS,
  fields: RCS_FIELDS,
  recipients: "recipients",
  check: ({ positionAs }) => {
    const forms = POSITION_FORMS.join(say("values.or"));
    readChoice(POSITION_FORMS, positionAs, () =>
      say("sources.rcs.position-form", { value: quoteValue(positionAs), forms }),
    );
  },
  choose: () => "rcs",
  compose: ({ applicationId, clientMessageId: _made, ...values }, recipients, { kind }) => {
    const common = applicationId === undefined ? {} : { applicationId };
    if (kind === "raw") {
      const rcsPayload = readRawPayload(values.rcsPayload, recipients);
      return () => ({ ...common, rcsPayload });
    }
    const RCSMessage = buildRcsMessage(values);
    return ([digits]) => {
      const messageContact = { userContact: `+${digits}` };
      checkMessageContact(messageContact);
      return { ...common, rcsPayload: { RCSMessage, messageContact } };
    };
  },
};

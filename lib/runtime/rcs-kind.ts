import { checkMessageContact } from "../gateway/rcs-schemas";
import { RCS_FIELDS, RCS_KINDS } from "../shared/rcs-fields";
import { readRawPayload } from "./rcs-raw";
import { buildRcsMessage } from "./rcs-message";
import type { SendKind } from "./send-kind";

/** RCS messages: what a form can hold, and whole payloads. One recipient each. */
export const RCS_KIND: SendKind = {
  label: "RCS",
  kinds: RCS_KINDS,
  fields: RCS_FIELDS,
  recipients: "recipients",
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

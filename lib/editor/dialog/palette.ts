/** Colours of one lightness: readable with the editor's dark label and the white icon. Each channel has its own hue. */
export const PALETTE = {
  sms: "#6FB3D2",
  whatsapp: "#7DC08A",
  rcs: "#A99BD6",
  media: "#DDA873",
  webhook: "#8FA6B8",
  log: "#D298AC",
  optOut: "#BDAF6C",
  wait: "#86BDB0",
  code: "#C9A0A0",
  digest: "#9FB57F",
} as const;

export const CATEGORY = "messaging";

/** Synonyms in English and German, in any language of the editor. */
const WORDS: Readonly<Record<string, string>> = {
  "messaging-sms-send":
    "SMS, text message, send a message, voice call, flash, mobile, Textnachricht, Kurznachricht, Nachricht senden, Anruf, Handy",
  "messaging-whatsapp-send":
    "WhatsApp, send a message, chat, template, broadcast, picture, Nachricht senden, Vorlage, Rundsendung, Bild",
  "messaging-rcs-send":
    "RCS, send a message, rich message, card, carousel, buttons, Nachricht senden, Karte, Karussell, Knöpfe",
  "messaging-media-transfer":
    "media, picture, photo, file, download, upload, attachment, Medien, Bild, Foto, Datei, herunterladen, hochladen, Anhang",
  "messaging-webhook-in":
    "receive, inbound message, text message, SMS, WhatsApp, reply, answer, delivery report, status, empfangen, eingehende Nachricht, Antwort, Zustellbericht",
  "messaging-webhook-ack": "acknowledge, confirm, bestätigen, Bestätigung",
  "messaging-message-log":
    "log, history, look up, search, sent messages, Protokoll, Verlauf, nachschlagen, suchen, gesendet",
  "messaging-opt-out":
    "opt-outs, opt-in, stop, unsubscribe, do not contact, Abmeldung, abmelden, anmelden, Stopp, Sperrliste",
  "messaging-message-wait":
    "wait, reply, answer, delivered, read, warten, Antwort, auf Antwort warten, zugestellt, gelesen",
  "messaging-verify-code":
    "verify code, OTP, one-time code, one-time password, 2FA, PIN, TAN, login, SMS code, Einmalcode, Anmeldung, prüfen, Bestätigungscode",
  "messaging-message-digest":
    "digest, summary, collect, gather, batch, throttle, rate limit, alarm flood, sammeln, bündeln, zusammenfassen, Sammelmeldung, drosseln, Alarmflut, Sammelnachricht",
};

/** The filter of the palette does not search the category. */
const ALL = `${CATEGORY}, Nachrichten`;

/** Adds synonyms to the attribute that the palette's filter searches. Call when the node is in the palette. */
export function addPaletteWords(type: string): void {
  $(`.red-ui-palette-node[data-palette-type='${type}']`).attr("data-palette-label", (_at, label) =>
    [label, WORDS[type], ALL].join(", "),
  );
}

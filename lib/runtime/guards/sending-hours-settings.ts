import { SetupError } from "../../shared/messaging-error";
import { readCategories } from "../../shared/fields/content-categories";
import { type PeriodFault, readPeriod, type WeeklyPeriod } from "../../shared/schedule/weekly-hours";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readChoice, readText } from "../node-red/read-settings";
import { readAccountZone, type ZoneConfig } from "./account-zone";
import { SendingHours, type SendingHoursSettings } from "./sending-hours";

export interface SendingHoursConfig extends ZoneConfig {
  /** Whether there are sending hours; without, nothing else is read. */
  readonly sendingHours: boolean;
  /** `mon` to `sun` with commas between. */
  readonly sendingDays: string;
  /** Times of day, such as `08:00`. */
  readonly sendingFrom: string;
  readonly sendingTo: string;
  /** `recipient` or `account`. */
  readonly sendingBy: string;
  /** `hold` or `refuse`. */
  readonly sendingAction: string;
  /** Categories with commas between. */
  readonly sendingExempt: string;
}

type TextSetting = "sendingDays" | "sendingFrom" | "sendingTo" | "sendingExempt";

const textSetting = (config: SendingHoursConfig, name: TextSetting): string =>
  readText(say(`account.label.${name}`), config[name]);

type Fault = PeriodFault | "category" | "sendingBy" | "sendingAction";

const problemOf = (key: Fault, value: string): string =>
  say(`account.sending-hours.${key}`, { value: quoteValue(value) });

const faulty = (key: Fault, value: string): SetupError =>
  new SetupError("BAD_SETTING", problemOf(key, value));

function periodSetting(config: SendingHoursConfig): WeeklyPeriod {
  const read = readPeriod({
    days: textSetting(config, "sendingDays"),
    from: textSetting(config, "sendingFrom"),
    to: textSetting(config, "sendingTo"),
  });
  if (read.ok) {
    return read.period;
  }
  throw faulty(read.fault, read.value);
}

/** @returns whether it is the second one */
function choiceSetting(
  config: SendingHoursConfig,
  name: "sendingBy" | "sendingAction",
  choices: readonly [string, string],
): boolean {
  const value = config[name];
  return readChoice(choices, value, () => problemOf(name, value)) === choices[1];
}

/**
 * Reads when messages of an account with sending hours may leave.
 * @param countryOf the country of a number (ISO 3166), or null
 * @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE
 */
export function readSendingHours(
  config: SendingHoursConfig,
  countryOf: NonNullable<SendingHoursSettings["countryOf"]>,
): SendingHours {
  const exempt = readCategories(textSetting(config, "sendingExempt"));
  if (!exempt.ok) {
    throw faulty("category", exempt.value);
  }
  return new SendingHours({
    ...periodSetting(config),
    zone: readAccountZone(config),
    countryOf: choiceSetting(config, "sendingBy", ["recipient", "account"]) ? null : countryOf,
    refuses: choiceSetting(config, "sendingAction", ["hold", "refuse"]),
    exempt: exempt.categories,
  });
}

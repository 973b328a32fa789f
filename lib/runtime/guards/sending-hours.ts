import { COUNTRY_ZONES } from "../../shared/schedule/country-zones";
import { WeeklyHours, type WeeklyPeriod } from "../../shared/schedule/weekly-hours";
import { isZone } from "../../shared/schedule/zoned-time";

/** When messages of an account may leave. */
export interface SendingHoursSettings extends WeeklyPeriod {
  /** IANA name of the account's time zone. */
  readonly zone: string;
  /** The country of a recipient (ISO 3166), whose time counts where it has one time zone; null where the account's time always does. */
  readonly countryOf: ((recipient: string) => string | null) | null;
  /** Whether messages outside the hours are refused; else they wait until the hours begin. */
  readonly refuses: boolean;
  /** Categories of messages that leave at any hour. */
  readonly exempt: ReadonlySet<string>;
}

/** What is known of a zone from one moment to the next at which its hours begin or end. Epoch ms. */
interface Span {
  readonly since: number;
  readonly until: number;
  readonly isOpen: boolean;
}

/** The hours at which messages of an account leave. */
export class SendingHours {
  readonly refuses: boolean;
  readonly #hours: WeeklyHours;
  /** The latest one of each zone: nearly all questions are about now. */
  readonly #spans = new Map<string, Span>();

  constructor(private readonly settings: SendingHoursSettings) {
    this.refuses = settings.refuses;
    this.#hours = new WeeklyHours(settings);
  }

  /**
   * The time zone whose hours count for a recipient; takes about a microsecond. It is the account's where the country has several or
   * cannot be told.
   * @param recipient digits without a plus
   * @returns IANA name
   */
  zoneOf(recipient: string): string {
    const { countryOf, zone } = this.settings;
    const country = countryOf?.(recipient) ?? "";
    return COUNTRY_ZONES.get(country) ?? zone;
  }

  /** Whether messages of a category leave at any hour; those without one, whose category is blank, do not. */
  isExempt(category: string): boolean {
    return this.settings.exempt.has(category);
  }

  /**
   * When a message may leave. Never throws.
   * @param zone IANA name; for any other text the account's zone counts
   * @param now epoch ms
   * @returns `now` where that is inside the hours; else epoch ms of their next beginning, at most 8 days later unless a change of the
   * clocks skips them
   */
  opensAt(zone: string, now: number): number {
    const { isOpen, until } = this.#spanAt(zone, now);
    return isOpen ? now : until;
  }

  /** When the hours end: `now` outside of them, else epoch ms; Infinity where they never end. */
  closesAt(zone: string, now: number): number {
    const { isOpen, until } = this.#spanAt(zone, now);
    return isOpen ? until : now;
  }

  #spanAt(name: string, now: number): Span {
    const known = this.#spans.get(name);
    if (known !== undefined && known.since <= now && now < known.until) {
      return known;
    }
    const zone = isZone(name) ? name : this.settings.zone;
    const opens = this.#hours.opensAt(now, zone);
    const isOpen = opens === now;
    const span = { since: now, until: isOpen ? this.#hours.closesAt(now, zone) : opens, isOpen };
    this.#spans.set(name, span);
    return span;
  }
}

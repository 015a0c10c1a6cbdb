/**
 * The words of a language for times. An absent field stands for no words. Words are in lower case,
 * and white space separates them.
 * - `_` stands for a space within an entry: `day_before_yesterday`.
 * - `*` stands for any ending: `январ*`.
 * - `~` marks a word that often means something else. It counts only beside other words of a time:
 *   `may` in "in May", but not in "you may".
 * - `|` separates the entries of a list with a fixed order.
 */
export interface TimeWords {
  /** January to December. */
  readonly months?: string;
  /** Monday to Sunday. */
  readonly weekdays?: string;
  /** The day before yesterday, yesterday, today, tomorrow, the day after tomorrow. */
  readonly days?: string;
  /** Last but one, last, this, next, next but one. */
  readonly shifts?: string;
  /** Day, week, weekend, month, year, quarter, half of a year or month. */
  readonly units?: string;
  /** One to twelve. */
  readonly numbers?: string;
  /** First to fourth. */
  readonly ordinals?: string;
  /** Two days, two weeks and so on, where one word says it; ordered as `units`. */
  readonly duals?: string;
  /**
   * Last, this and next week, then month, then year, where one word says it.
   */
  readonly spans?: string;
  /** Words after a date that make it the beginning of a range: `onwards`. */
  readonly onward?: string;
  /** Words that exclude the time after them. */
  readonly not?: string;
  /** Early, mid, late. */
  readonly parts?: string;
  /** Makes an amount before or after it a time in the past: `ago`, `vor`. */
  readonly ago?: string;
  /** Makes an amount before or after it a time in the future. */
  readonly ahead?: string;
  readonly before?: string;
  readonly after?: string;
  readonly since?: string;
  readonly until?: string;
  readonly from?: string;
  readonly to?: string;
  readonly between?: string;
  readonly and?: string;
  /** "Less than" before an amount: "less than a year ago". */
  readonly less?: string;
  /** "More than" before an amount; in some languages after it. */
  readonly more?: string;
  /** Prepositions that can stand before a time. */
  readonly in?: string;
  /** Words without meaning within a time, such as articles. */
  readonly fill?: string;
  /** Hours, and parts of a day. */
  readonly hours?: string;
  /** Words before an hour: `at` in "at seven". */
  readonly at?: string;
  /** Other words that show that a text speaks of times, such as seasons. */
  readonly other?: string;
}

import type { DaySpan } from "./day-span.js";

/**
 * What ranking reads in the turns of a conversation and in the questions about them, in one
 * language. Every function takes time linear in the text.
 */
export interface TurnLanguage {
  /** Whether a turn has a time expression, such as a weekday or "ago". */
  hasTime(text: string): boolean;
  /** Whether a turn has a number word. Digits count in every language. */
  hasNumberWord(text: string): boolean;
  /** Finds the days that a turn names, by date or relative to the day on which it was said. */
  findDays(text: string, saidAt: Date): readonly DaySpan[];
  /** Whether a query asks for a time: when, how long. */
  asksTime(query: string): boolean;
  /** Whether a query asks for a number: how many. */
  asksNumber(query: string): boolean;
}

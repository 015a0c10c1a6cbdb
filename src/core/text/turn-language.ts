import type { DaySpan } from "./day-span.js";

/**
 * Finds times and numbers in turns of a conversation, and in queries, in one language. Every
 * function takes time linear in the text.
 */
export interface TurnLanguage {
  /** Whether a text has a time expression, such as a weekday or "ago". */
  hasTime(text: string): boolean;
  /** Whether a text has a number word. The caller looks for digits itself. */
  hasNumberWord(text: string): boolean;
  /** Finds the days that a turn names, by date or relative to the day on which it was said. */
  findDays(text: string, saidAt: Date): readonly DaySpan[];
  /** Whether a query asks for a time: when, how long. */
  asksTime(query: string): boolean;
  /** Whether a query asks for a number: how many. */
  asksNumber(query: string): boolean;
}

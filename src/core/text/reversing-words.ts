/**
 * Words that change what a statement says when they are added to it. The set has negations of about
 * twenty languages, and English words such as "all" (quantity), "maybe" (possibility) and "stopped"
 * (an end).
 *
 * Words of several languages share one set. If a word is a negation in one language and harmless in
 * another, `isNearDuplicate` may miss a near-duplicate in the other language.
 */
const reversingWords: ReadonlySet<string> = new Set(
  [
    // English, with what a split at the apostrophe leaves: `don't` is `don` and `t`.
    "no not don t never none nobody nothing nowhere neither nor cannot without except unless",
    "dont cant wont isnt arent wasnt werent doesnt didnt hasnt havent hadnt couldnt shouldnt",
    "wouldnt hardly barely scarcely rarely seldom false wrong fake former formerly ex used untrue",
    "supposedly allegedly apparently maybe perhaps possibly probably until deleted removed",
    "stop stops stopped quit quits ceased refuse refuses refused deny denies denied fail fails",
    "failed lack lacks lacked cancelled canceled anymore instead if only almost nearly",
    "can could may might must shall should will would did had",
    "sometimes often usually occasionally always frequently regularly mostly mainly normally",
    "all every each any few little many much more less most half some several",
    "zero one two three four five six seven eight nine ten eleven twelve dozen hundred thousand",
    "million billion once twice double triple first second third last",
    // German, Dutch, Swedish, Danish, Norwegian
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne nein weder",
    "niet geen nooit zonder niemand niets inte ej ingen inget inga aldrig utan ikke ingen aldri uden",
    "uten manchmal oft selten immer gelegentlich meistens soms vaak altijd ibland alltid nogle",
    // French, Spanish, Portuguese, Italian, Catalan, Romanian
    "ne n pas jamais sans non aucun aucune rien ni no nunca sin jamás tampoco nada ningún ninguna",
    "não nunca sem nem nenhum nenhuma nada mai senza né nessun nessuno nessuna niente sense nu fără",
    "niciodată parfois souvent toujours rarement veces siempre sempre spesso",
    // Russian, Ukrainian, Bulgarian, Serbian, Polish, Czech, Slovak
    "не нет ни без никогда нельзя немає ніколи няма никога nie bez nigdy brak nije nema nikdy není",
    "ani иногда часто всегда редко czasem często zawsze",
    // Finnish, Hungarian, Turkish, Greek
    "ei en et emme ette eivät ilman nem ne nincs sem nélkül soha değil yok hiç δεν μην όχι χωρίς ποτέ",
    // Arabic, Persian, Hebrew, Hindi
    "لا ليس ليست لم لن ما غير بدون أبدا نه بدون هرگز לא אין בלי אף נא नहीं न मत बिना",
    // Indonesian, Vietnamese
    "tidak bukan tanpa belum jangan không chưa chẳng đừng",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a word, in lower case, changes what a statement says when it is added. */
export function isReversing(word: string): boolean {
  return reversingWords.has(word);
}

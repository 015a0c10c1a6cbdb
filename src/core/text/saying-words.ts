/**
 * Verbs and nouns of questions about what a person said or wanted, in several languages: "What did
 * Ann say?", "messages by Ann". In the form of `words`.
 */
export const sayingWords: ReadonlySet<string> = new Set(
  [
    "say says said saying tell tells told telling mention mentions mentioned mentioning write writes",
    "wrote written state states stated think thinks thought talk talks talked speak spoke report",
    "reports reported comment comments commented reply replies replied answer answered ask asks asked",
    "message messages messaged statement statements quote quotes remark remarks note notes want wants",
    "wanted",
    "sagt sagte gesagt sagen schrieb geschrieben erzählt erzählte erwähnt meint meinte",
    "dit disait dire écrit raconté dijo dice dicho decir escribió contó detto dice disse scritto",
    "disse diz dito escreveu contou zei zegt gezegd schreef vertelde sade säger sagt sa skrev",
    "сказал сказала говорил говорила говорит написал написала dedi söyledi söylüyor yazdı",
  ]
    .join(" ")
    .split(" "),
);

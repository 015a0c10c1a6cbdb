/** Languages that are recognized by their stop words or their script. */
export type Language = keyof typeof stopWordsByLanguage;

/**
 * Words that say little about the topic of a text: articles, pronouns, prepositions, conjunctions,
 * auxiliaries and question words. The lists also help to detect the language of a text.
 *
 * The lists include the letters that are left when a word is split at its apostrophe: `it's`,
 * `don't`, `l'eau`.
 */
export const stopWordsByLanguage = {
  english:
    wordsOf(`a an the this that these there such same own and but or if as so than then about again
    at by down for from in into of off on out over to under up with i me my you your he him his she
    her it its we us our they them their what which who whom when where why how am is are was were
    be been being do does did doing done have has had having can could may might must shall should
    will would no not only very too just also now any some all each few more most other
    s t d ll m re ve o don`),
  german:
    wordsOf(`der die das den dem des ein eine einen einem einer eines und oder aber doch denn dass
    wenn weil als wie ob ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen
    mein meine meinen meinem meiner dein deine deinen sein seine seinen seinem seiner ihre ihren
    ihrem ihrer unser unsere unseren euer eure ist sind war waren bin bist seid wird werden wurde
    wurden hat haben hatte hatten habe kann können konnte muss müssen soll sollen will wollen darf
    nicht kein keine keinen auch noch nur schon sehr so da zu zum zur von vom mit bei beim für auf
    an am in im ins aus nach über unter vor um bis durch gegen ohne zwischen wer was wo wann warum
    wem wen wessen welche welcher welches wohin woher man dieser diese dieses diesen diesem hast
    werde würde würden könnte könnten sollte sollten meines deines seines ihres unseres unserem
    welchem welchen wieviel jetzt`),
  french:
    wordsOf(`le la les l un une des du de d et ou mais donc car ni que qu qui quoi dont où quand
    comment pourquoi je j tu il elle on nous vous ils elles me m te t se s lui leur leurs y en ce
    c cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos est sont était étaient
    suis êtes sommes être été ai as a avons avez ont avait avoir ne n pas au aux à dans sur sous
    avec sans pour par chez entre vers comme si très quel quelle quels quelles combien lequel
    laquelle lesquels lesquelles avais avaient peut peux peuvent`),
  spanish: wordsOf(`el la los las un una unos unas y e o pero que qué quien quién cuál cuando cuándo
    donde dónde como cómo por para con sin de del al a en entre sobre hasta desde yo tú él ella
    nosotros ellos ellas me te se nos os le les lo mi mis tu tus su sus nuestro nuestra es son era
    eran fue soy eres somos está están estaba estoy ser estar ha han he hay había no ni ya muy más
    también este esta estos estas ese esa eso esto cuánto cuánta cuántos cuántas cuáles tiene
    tienen tengo tienes tenemos tenía tenían tuvo puede pueden será fueron`),
  italian: wordsOf(`il lo la i gli le un uno una e ed o ma che chi cui dove quando come perché quale
    quali io tu lui lei noi voi loro mi ti si ci vi ne di del dello della dei degli delle a al
    allo alla ai agli alle da dal dalla dai in nel nella nei nelle su sul sulla con per tra fra è
    sono era erano siamo ho hai ha abbiamo hanno aveva non più anche molto mio mia miei mie tuo
    tua suo sua nostro nostra questo questa questi queste quello quella l d c dell all nell sull
    quanto quanta quanti quante può possono sarà`),
  portuguese:
    wordsOf(`o a os as um uma uns umas e ou mas que quem qual quando onde como por para com sem de
    do da dos das ao aos à às em no na nos nas num numa entre sobre até desde eu tu ele ela nós
    eles elas você vocês me te se lhe meu minha meus minhas teu tua seu sua seus suas nosso nossa
    é são era eram foi sou está estão estava ser estar tem têm tinha há não nem já muito mais
    também este esta isto esse essa isso aquele aquela pelo pela quanto quanta quantos quantas
    tenho temos tinham pode podem será foram`),
  dutch:
    wordsOf(`de het een en of maar want dat die dit deze ik jij je hij zij ze wij we jullie u mij
    me jou hem haar ons hun mijn jouw zijn is was waren ben bent wordt worden heeft hebben had
    hadden kan kunnen moet niet geen ook nog al er te van voor met aan op in uit bij naar over
    onder tot door om als dan wie wat waar wanneer waarom hoe welke zich hoeveel welk`),
  swedish:
    wordsOf(`och eller men att det den de en ett jag du han hon vi ni dem mig dig sig oss min mitt
    mina din ditt sin sitt sina hans hennes är var har hade kan ska skulle vill inte ingen också på
    i av för med till från om som när hur vad vem varför`),
  danish:
    wordsOf(`og eller men at det den de en et jeg du han hun vi i dem mig dig sig os min mit mine din
    dit sin sit hans hendes er var har havde kan skal vil ikke ingen også på af for med til fra om
    som når hvor hvad hvem hvorfor`),
  norwegian:
    wordsOf(`og eller men at det den de en et ei jeg du han hun vi dere dem meg deg seg oss min
    mitt mine din ditt sin sitt hans hennes er var har hadde kan skal vil ikke ingen også på av for
    med til fra om som når hvor hva hvem hvorfor`),
  finnish:
    wordsOf(`ja tai mutta että on ei en et emme ovat oli olivat olen olet minä sinä hän me te he
    minun sinun hänen se ne tämä tuo nämä joka jotka mikä kuka missä milloin miksi miten kun jos
    niin myös ketä mitä mihin mistä montako kuinka`),
  hungarian:
    wordsOf(`a az egy és vagy de hogy nem is van volt vannak voltak én te ő mi ti ők ez ezt azt ki
    hol mikor miért hogyan mint ha csak már még meg mennyi hány kinek melyik milyen`),
  turkish: wordsOf(`ve veya ama bir bu şu o ben sen biz siz onlar benim senin onun bizim mi mı mu mü
    değil için ile gibi daha çok en ne kim nerede nasıl neden hangi var yok da de kaç kimin kime
    hangisi`),
  romanian:
    wordsOf(`și şi sau dar că un o unui unei de la în pe cu din pentru fără este e sunt era au am
    are ai eu tu el ea noi voi ei ele mă te se ne vă nu mai foarte ce cine unde când cum care
    acest această lui lor cât câtă câți câte`),
  indonesian:
    wordsOf(`dan atau tetapi yang di ke dari untuk dengan pada ini itu saya aku kamu anda dia kami
    kita mereka adalah tidak bukan sudah akan telah ada apa siapa mana kapan mengapa bagaimana
    oleh juga berapa`),
  polish:
    wordsOf(`i oraz lub ale że w we z ze na do od po przy dla za pod nad o u przez się nie jest są
    był była było były ja ty on ona my wy oni mnie mi ma ci go jej ich to ten ta te tego tej co
    kto gdzie kiedy jak dlaczego czy który która które już też kogo komu kim czego czemu czym ile
    jaki jaka jakie jakim jakiej jakich którego której którym których skąd dokąd nas nam nami was
    wam wami jemu nim nią nich niej moja moje moi mojego mojej moim mój twój twoja twoje swój
    swoja swoje swoim swojej swoich swoją nasz nasza nasze naszego naszej wasz wasza wasze mam
    masz mamy mają miał miała mieć być będzie będą może mogą`),
  czech: wordsOf(`a i nebo ale že v ve z ze na do od po pro za pod nad o u se si ne je jsou byl byla
    bylo já ty on ona my vy oni mě mi to ten ta co kdo kde kdy jak proč který která už také kolik
    koho komu čeho čím jaký jaká jaké mám máš má máme máte mají měl měla nás nám vás vám ním ní
    nich jeho její jejich můj moje tvůj svůj své náš naše`),
  vietnamese:
    wordsOf(`và hoặc nhưng mà nếu vì thì là có không của cho với từ đến ở trong trên dưới ra vào tại
    về bởi khi lúc các những một này đó kia ấy đây tôi bạn nó họ chúng ta mình ai gì nào đâu sao bao
    nhiêu đã đang sẽ được bị rất cũng chỉ lại như theo để mỗi`),
  russian:
    wordsOf(`и а но или что чтобы как если в во на с со к ко у о об от до по за из под над при для
    без не ни я ты он она оно мы вы они меня мне тебя тебе его ему её ее ей нас нам вас вам их им
    мой моя моё мои твой свой своя этот эта это эту эти тот та то те был была было были есть кто
    где когда куда откуда почему зачем какой какая какие уже ещё еще тоже же бы ли него неё нее
    ней ним ними нём нем них мной тобой нами вами ими себя себе собой кого кому кем ком чего чему
    чем чём сколько чей чья чьё чье чьи какого каком какую каких каким который которая которое
    которые которого которой моего моей моему моим моих твоё твое твои твоего твоей свою свои своё
    свое своего своей своим своих наш наша наше наши нашего нашей ваш ваша ваше ваши вашего вашей
    этого этой этом этим этих могу может могут буду будет будут теперь сейчас`),
  ukrainian:
    wordsOf(`і й та а але або що як якщо в у на з із зі до від по за під над при для без не ні я
    ти він вона воно ми ви вони мене мені його її їх мій моя це цей ця ці той був була було були є
    хто де коли куди чому який яка які вже ще теж нього неї ній ним ними них мною тобою нас нам
    нами вас вам вами їм себе собі собою кого кому ким чого чим скільки чий чия чиє чиї моє мої
    твій твоя твоє твої свій своя своє свої наш наша наше наші ваш ваша ваше ваші`),
  bulgarian:
    wordsOf(`и а но или че да как ако в във на с със към от до по за под над при без не ни аз ти
    той тя то ние вие те ме ми го му я ѝ ги им този тази това тези е са беше бяха съм си кой къде
    кога защо какво каква се ще вече още колко кого чий чия чие мой моя мое твой твоя твое наш
    наша наше ваш ваша ваше негов нея него тях`),
  serbian:
    wordsOf(`и а али или да што како ако у на с са к ка од до по за из под над при без не ни ја ти
    он она оно ми ви они ме мене је су био била било сам си ко где када зашто који која које већ
    још се ће колико кога коме чега чему њега њему њој њих нас вас нама вама мој моја моје твој
    твоја твоје свој своја своје наш наша наше ваш ваша ваше чији чија`),
  arabic:
    wordsOf(`في من إلى على عن مع هو هي هم نحن أنا أنت هذا هذه ذلك تلك التي الذي و أو ثم لا لم لن
    ما هل متى أين كيف لماذا كان كانت ماذا كم أي لمن عند لدي لديه لديها لدينا لديك له لها لهم لنا
    لي لك به بها فيه فيها منه منها عليه عليها الذين أنتم أنها أنه أن إن قد كانوا يكون تكون هناك
    هنا أيضا`),
  persian: wordsOf(
    "و در به از که این آن را با است بود من تو او ما شما هم یا نه چه کی کجا چرا چگونه برای",
  ),
  greek:
    wordsOf(`ο η το οι τα του της των τον την και ή αλλά ότι να δεν μην με σε από για στο στη στην
    στον είναι ήταν εγώ εσύ αυτός αυτή αυτό μου σου μας σας τους πού πότε ποιος πώς γιατί τι πόσο
    πόσα πόσοι πόσες ποια ποιο ποιοι`),
  hebrew:
    wordsOf(`של את על עם אל מה מי איפה מתי למה איך הוא היא הם אני אתה אנחנו זה זאת זו לא גם או אבל
    כי אם יש אין היה הייתה כמה איזה איזו לי לך לו לה לנו להם שלי שלך שלו שלה שלנו`),
  hindi: wordsOf(`है हैं था थी थे का के की को में से पर और या नहीं यह वह मैं हम तुम आप मेरा मेरी मेरे कौन कहाँ कब
    क्यों कैसे क्या ने भी`),
  armenian: wordsOf(
    "և ու կամ բայց որ է են էր ես դու նա մենք դուք նրանք այս այդ այն ի ով ինչ որտեղ երբ",
  ),
  tamil: wordsOf("மற்றும் ஒரு இந்த அந்த என்று நான் நீ அவன் அவள் நாம் என்ன யார் எங்கே எப்போது ஏன்"),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>;

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** The languages in Latin script, English first. */
export const latinLanguages: readonly Language[] = [
  "english",
  "german",
  "french",
  "spanish",
  "italian",
  "portuguese",
  "dutch",
  "swedish",
  "danish",
  "norwegian",
  "finnish",
  "hungarian",
  "turkish",
  "romanian",
  "indonesian",
  "polish",
  "czech",
  "vietnamese",
];

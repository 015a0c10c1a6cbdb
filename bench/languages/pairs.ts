/** A memory and a question that it answers, in one language. */
export interface Pair {
  readonly memory: string;
  readonly question: string;
}

/**
 * Pairs written for this benchmark. Each question shares some words with its memory, often in
 * another form.
 */
export const pairs = {
  English: [
    {
      memory: "My sister moved to Lisbon last spring and works as a nurse.",
      question: "Where does the sister work?",
    },
    {
      memory: "He is allergic to peanuts and always carries medicine.",
      question: "What allergy does he have?",
    },
    {
      memory: "We adopted a grey cat called Mitzi from the shelter.",
      question: "What is the name of our cat?",
    },
    {
      memory: "The meeting with the bank is on Thursday at nine.",
      question: "When do we meet the bank?",
    },
    {
      memory: "Grandfather repaired old clocks in his workshop.",
      question: "What did grandfather repair?",
    },
    {
      memory: "She is learning to play the cello and practises every evening.",
      question: "Which instrument does she practise?",
    },
    {
      memory: "Our flight to Tokyo leaves from gate twelve.",
      question: "From which gate is the flight leaving?",
    },
    {
      memory: "I forgot my umbrella on the train this morning.",
      question: "What did I forget on the train?",
    },
    {
      memory: "The children planted tomatoes and beans behind the house.",
      question: "What vegetables were planted by the children?",
    },
    {
      memory: "He runs ten kilometres along the river before breakfast.",
      question: "How far does he run by the river?",
    },
  ],
  German: [
    {
      memory:
        "Meine Schwester ist im Frühling nach Lissabon gezogen und arbeitet als Krankenschwester.",
      question: "Wo arbeitet die Schwester jetzt?",
    },
    {
      memory: "Er ist gegen Erdnüsse allergisch und hat immer ein Medikament dabei.",
      question: "Welche Erdnussallergie hat er?",
    },
    {
      memory: "Wir haben eine graue Katze namens Mitzi aus dem Tierheim geholt.",
      question: "Wie heißt die Katze aus dem Tierheim?",
    },
    {
      memory: "Der Termin bei der Bank ist am Donnerstag um neun Uhr.",
      question: "Wann ist der Banktermin?",
    },
    {
      memory: "Großvater reparierte alte Uhren in seiner Werkstatt.",
      question: "Was hat der Grossvater in der Werkstatt repariert?",
    },
    {
      memory: "Sie lernt Cello spielen und übt jeden Abend.",
      question: "Welches Instrument spielt sie abends?",
    },
    {
      memory: "Unser Flug nach Tokio geht von Flugsteig zwölf.",
      question: "Von welchem Flugsteig fliegen wir nach Tokio?",
    },
    {
      memory: "Heute Morgen habe ich meinen Regenschirm im Zug vergessen.",
      question: "Was habe ich im Zug vergessen?",
    },
    {
      memory: "Die Kinder haben hinter dem Haus Tomaten und Bohnen gepflanzt.",
      question: "Welches Gemüse pflanzten die Kinder?",
    },
    {
      memory: "Vor dem Frühstück läuft er zehn Kilometer am Fluss entlang.",
      question: "Wie viele Kilometer läuft er am Fluss?",
    },
  ],
  French: [
    {
      memory: "Ma sœur s'est installée à Lisbonne au printemps et travaille comme infirmière.",
      question: "Où travaille ma sœur ?",
    },
    {
      memory: "Il est allergique aux cacahuètes et porte toujours un médicament sur lui.",
      question: "À quoi est-il allergique ?",
    },
    {
      memory: "Nous avons adopté au refuge une chatte grise qui s'appelle Mitzi.",
      question: "Comment s'appelle la chatte du refuge ?",
    },
    {
      memory: "Le rendez-vous à la banque est jeudi à neuf heures.",
      question: "Quand est le rendez-vous à la banque ?",
    },
    {
      memory: "Grand-père réparait de vieilles horloges dans son atelier.",
      question: "Qu'a réparé grand-père ?",
    },
    {
      memory: "Elle apprend le violoncelle et s'exerce tous les soirs.",
      question: "De quel instrument joue-t-elle le soir ?",
    },
    {
      memory: "Notre vol pour Tokyo part de la porte douze.",
      question: "De quelle porte partons-nous pour Tokyo ?",
    },
    {
      memory: "Ce matin, j'ai oublié mon parapluie dans le train.",
      question: "Qu'ai-je oublié dans le train ?",
    },
    {
      memory: "Les enfants ont planté des tomates et des haricots derrière la maison.",
      question: "Quels légumes les enfants ont-ils plantés ?",
    },
    {
      memory: "Avant le petit déjeuner, il court dix kilomètres au bord du fleuve.",
      question: "Combien de kilomètres court-il ?",
    },
  ],
  Spanish: [
    {
      memory: "Mi hermana se mudó a Lisboa en primavera y trabaja de enfermera.",
      question: "¿Dónde trabaja mi hermana?",
    },
    {
      memory: "Es alérgico a los cacahuetes y siempre lleva un medicamento.",
      question: "¿Qué alergia tiene?",
    },
    {
      memory: "Adoptamos en el refugio una gata gris que se llama Mitzi.",
      question: "¿Cómo se llama la gata del refugio?",
    },
    {
      memory: "La cita con el banco es el jueves a las nueve.",
      question: "¿Cuándo es la cita con el banco?",
    },
    {
      memory: "El abuelo reparaba relojes antiguos en su taller.",
      question: "¿Qué reparó el abuelo?",
    },
    {
      memory: "Ella aprende a tocar el violonchelo y practica todas las noches.",
      question: "¿Qué instrumento toca por las noches?",
    },
    {
      memory: "Nuestro vuelo a Tokio sale de la puerta doce.",
      question: "¿De qué puerta salimos para Tokio?",
    },
    {
      memory: "Esta mañana olvidé el paraguas en el tren.",
      question: "¿Qué he olvidado en el tren?",
    },
    {
      memory: "Los niños plantaron tomates y judías detrás de la casa.",
      question: "¿Qué verduras han plantado los niños?",
    },
    {
      memory: "Antes del desayuno corre diez kilómetros junto al río.",
      question: "¿Cuántos kilómetros corre junto al río?",
    },
  ],
  Polish: [
    {
      memory: "Moja siostra przeprowadziła się wiosną do Lizbony i pracuje jako pielęgniarka.",
      question: "Gdzie pracuje siostra?",
    },
    {
      memory: "On ma uczulenie na orzeszki ziemne i zawsze nosi przy sobie lekarstwo.",
      question: "Na co on ma uczulenie?",
    },
    {
      memory: "Wzięliśmy ze schroniska szarą kotkę o imieniu Mitzi.",
      question: "Jak ma na imię kotka ze schroniska?",
    },
    {
      memory: "Spotkanie w banku jest w czwartek o dziewiątej.",
      question: "Kiedy jest spotkanie w banku?",
    },
    {
      memory: "Dziadek naprawiał stare zegary w swoim warsztacie.",
      question: "Co naprawił dziadek?",
    },
    {
      memory: "Ona uczy się grać na wiolonczeli i ćwiczy co wieczór.",
      question: "Na jakim instrumencie ona gra wieczorem?",
    },
    {
      memory: "Nasz samolot do Tokio odlatuje z bramki dwunastej.",
      question: "Z której bramki lecimy do Tokio?",
    },
    {
      memory: "Dziś rano zapomniałem parasola w pociągu.",
      question: "Czego zapomniałem w pociągu?",
    },
    {
      memory: "Dzieci posadziły za domem pomidory i fasolę.",
      question: "Jakie warzywa posadziły dzieci?",
    },
    {
      memory: "Przed śniadaniem biega dziesięć kilometrów wzdłuż rzeki.",
      question: "Ile kilometrów biega wzdłuż rzeki?",
    },
  ],
  Russian: [
    {
      memory: "Весной моя сестра переехала в Лиссабон и работает медсестрой.",
      question: "Где теперь работает сестра?",
    },
    {
      memory: "У него аллергия на арахис, и он всегда носит с собой лекарство.",
      question: "На что у него аллергия?",
    },
    {
      memory: "Мы взяли из приюта серую кошку по имени Мици.",
      question: "Как зовут кошку из приюта?",
    },
    {
      memory: "Встреча в банке назначена на четверг в девять часов.",
      question: "Когда встреча в банке?",
    },
    {
      memory: "Дедушка чинил старые часы в своей мастерской.",
      question: "Что дедушка чинил в мастерской?",
    },
    {
      memory: "Она учится играть на виолончели и занимается каждый вечер.",
      question: "На чём она учится играть?",
    },
    {
      memory: "Наш самолёт в Токио вылетает от двенадцатого выхода.",
      question: "От какого выхода вылетает самолет?",
    },
    { memory: "Сегодня утром я забыл зонт в поезде.", question: "Что я забыл в поезде?" },
    {
      memory: "Дети посадили за домом помидоры и фасоль.",
      question: "Что посадили дети за домом?",
    },
    {
      memory: "До завтрака он пробегает десять километров вдоль реки.",
      question: "Сколько километров он бегает вдоль реки?",
    },
  ],
  Arabic: [
    { memory: "انتقلت أختي إلى لشبونة في الربيع وتعمل ممرضة.", question: "أين تعمل أختي؟" },
    {
      memory: "لديه حساسية من الفول السوداني ويحمل الدواء دائما.",
      question: "ما هي الحساسية من الفول السوداني؟",
    },
    { memory: "أخذنا قطة رمادية اسمها ميتزي من الملجأ.", question: "ما اسم القطة؟ قطة رمادية" },
    { memory: "موعد البنك يوم الخميس في الساعة التاسعة.", question: "متى مَوْعِد البنك؟" },
    { memory: "كان جدي يصلح الساعات القديمة في ورشته.", question: "ماذا كان جدي يصلح؟" },
    { memory: "هي تتعلم العزف على التشيلو وتتدرب كل مساء.", question: "على ماذا تتعلم العزف؟" },
    {
      memory: "تغادر رحلتنا إلى طوكيو من البوابة الثانية عشرة.",
      question: "من أي بوابة تغادر رحلتنا إلى طوكيو؟",
    },
    { memory: "نسيت مظلتي في القطار هذا الصباح.", question: "ماذا نسيت في القـطـار؟" },
    {
      memory: "زرع الأطفال الطماطم والفاصوليا خلف البيت.",
      question: "ماذا زرع الأطفال خلف البيت؟",
    },
    { memory: "يركض عشرة كيلومترات على طول النهر قبل الفطور.", question: "كم يركض على طول النهر؟" },
  ],
  Chinese: [
    { memory: "我姐姐去年春天搬到里斯本，在那里当护士。", question: "姐姐搬到哪里了？" },
    { memory: "他对花生过敏，总是随身带着药。", question: "他对什么过敏？" },
    { memory: "我们从收容所领养了一只叫米茲的灰猫。", question: "灰猫叫什么名字？" },
    { memory: "和银行的会议定在星期四上午九点。", question: "银行会议是什么时候？" },
    { memory: "爷爷以前在他的作坊里修理旧钟表。", question: "爷爷修理什么？" },
    { memory: "她在学大提琴，每天晚上练习。", question: "她晚上练习什么乐器？" },
    { memory: "我们飞往东京的航班从十二号登机口出发。", question: "去东京的航班在哪个登机口？" },
    { memory: "今天早上我把雨伞忘在火车上了。", question: "什么东西忘在火车上？" },
    { memory: "孩子们在房子后面种了西红柿和豆子。", question: "孩子们种了什么菜？" },
    { memory: "他早饭前沿着河跑十公里。", question: "他沿着河跑多少公里？" },
  ],
  Japanese: [
    {
      memory: "姉は去年の春にリスボンへ引っ越して、看護師をしています。",
      question: "姉はどこへ引っ越しましたか？",
    },
    {
      memory: "彼はピーナッツアレルギーで、いつも薬を持ち歩いている。",
      question: "彼は何のアレルギーですか？",
    },
    {
      memory: "保護施設からミッツィという灰色の猫を引き取りました。",
      question: "灰色の猫の名前は？",
    },
    {
      memory: "銀行との打ち合わせは木曜日の九時です。",
      question: "銀行の打ち合わせはいつですか？",
    },
    { memory: "祖父は作業場で古い時計を修理していた。", question: "祖父は何を修理した？" },
    {
      memory: "彼女はチェロを習っていて、毎晩練習している。",
      question: "彼女が毎晩練習している楽器は？",
    },
    {
      memory: "東京行きの便は十二番ゲートから出発します。",
      question: "東京行きはどのｹﾞｰﾄから出発しますか？",
    },
    { memory: "今朝、電車に傘を忘れてしまった。", question: "電車に何を忘れた？" },
    { memory: "子どもたちは家の裏にトマトと豆を植えた。", question: "子どもたちは何を植えた？" },
    { memory: "彼は朝食の前に川沿いを十キロ走る。", question: "川沿いを何キロ走る？" },
  ],
} as const satisfies Readonly<Record<string, readonly Pair[]>>;

/**
 * Joins the first half of each text with the second half of each of the other texts. Texts are cut
 * between words, or between characters when the language has no spaces.
 */
export function splices(texts: readonly string[]): readonly string[] {
  const halves = texts.map((text) => {
    const space = text.includes(" ") ? " " : "";
    const parts = text.split(space);
    const middle = Math.ceil(parts.length / 2);
    return {
      first: parts.slice(0, middle).join(space) + space,
      second: parts.slice(middle).join(space),
    };
  });
  return halves.flatMap(({ first }, i) =>
    halves.flatMap(({ second }, j) => (i === j ? [] : [first + second])),
  );
}

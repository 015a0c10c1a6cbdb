/** A memory and a question that it answers, in one language. */
export interface Pair {
  readonly memory: string;
  readonly question: string;
  /**
   * Parts of the memory: what the question names, and the answer. A text with all of these parts
   * answers the question.
   */
  readonly answer: readonly string[];
}

/** The pairs of languages in Latin script. See `pairs`. */
export const latinPairs = {
  English: [
    {
      memory: "My sister moved to Lisbon last spring and works as a nurse.",
      question: "Where does the sister work?",
      answer: ["My sister", "nurse"],
    },
    {
      memory: "He is allergic to peanuts and always carries medicine.",
      question: "What allergy does he have?",
      answer: ["allergic to peanuts"],
    },
    {
      memory: "We adopted a grey cat called Mitzi from the shelter.",
      question: "What is the name of our cat?",
      answer: ["cat", "Mitzi"],
    },
    {
      memory: "The meeting with the bank is on Thursday at nine.",
      question: "When do we meet the bank?",
      answer: ["meeting with the bank", "Thursday"],
    },
    {
      memory: "Grandfather repaired old clocks in his workshop.",
      question: "What did grandfather repair?",
      answer: ["Grandfather repaired", "clocks"],
    },
    {
      memory: "She is learning to play the cello and practises every evening.",
      question: "Which instrument does she practise?",
      answer: ["cello", "practises"],
    },
    {
      memory: "Our flight to Tokyo leaves from gate twelve.",
      question: "From which gate is the flight leaving?",
      answer: ["Our flight", "gate twelve"],
    },
    {
      memory: "I forgot my umbrella on the train this morning.",
      question: "What did I forget on the train?",
      answer: ["forgot my umbrella", "train"],
    },
    {
      memory: "The children planted tomatoes and beans behind the house.",
      question: "What vegetables were planted by the children?",
      answer: ["children planted tomatoes", "beans"],
    },
    {
      memory: "He runs ten kilometres along the river before breakfast.",
      question: "How far does he run by the river?",
      answer: ["runs ten kilometres", "river"],
    },
  ],
  German: [
    {
      memory:
        "Meine Schwester ist im Frühling nach Lissabon gezogen und arbeitet als Krankenschwester.",
      question: "Wo arbeitet die Schwester jetzt?",
      answer: ["Meine Schwester", "Krankenschwester"],
    },
    {
      memory: "Er ist gegen Erdnüsse allergisch und hat immer ein Medikament dabei.",
      question: "Welche Erdnussallergie hat er?",
      answer: ["gegen Erdnüsse allergisch"],
    },
    {
      memory: "Wir haben eine graue Katze namens Mitzi aus dem Tierheim geholt.",
      question: "Wie heißt die Katze aus dem Tierheim?",
      answer: ["Katze", "Mitzi", "Tierheim"],
    },
    {
      memory: "Der Termin bei der Bank ist am Donnerstag um neun Uhr.",
      question: "Wann ist der Banktermin?",
      answer: ["Termin bei der Bank", "Donnerstag"],
    },
    {
      memory: "Großvater reparierte alte Uhren in seiner Werkstatt.",
      question: "Was hat der Grossvater in der Werkstatt repariert?",
      answer: ["Großvater reparierte", "Uhren", "Werkstatt"],
    },
    {
      memory: "Sie lernt Cello spielen und übt jeden Abend.",
      question: "Welches Instrument spielt sie abends?",
      answer: ["Cello", "Abend"],
    },
    {
      memory: "Unser Flug nach Tokio geht von Flugsteig zwölf.",
      question: "Von welchem Flugsteig fliegen wir nach Tokio?",
      answer: ["Flug nach Tokio", "Flugsteig zwölf"],
    },
    {
      memory: "Heute Morgen habe ich meinen Regenschirm im Zug vergessen.",
      question: "Was habe ich im Zug vergessen?",
      answer: ["Regenschirm im Zug vergessen"],
    },
    {
      memory: "Die Kinder haben hinter dem Haus Tomaten und Bohnen gepflanzt.",
      question: "Welches Gemüse pflanzten die Kinder?",
      answer: ["Die Kinder", "Tomaten", "Bohnen gepflanzt"],
    },
    {
      memory: "Vor dem Frühstück läuft er zehn Kilometer am Fluss entlang.",
      question: "Wie viele Kilometer läuft er am Fluss?",
      answer: ["läuft er", "zehn Kilometer am Fluss"],
    },
  ],
  French: [
    {
      memory: "Ma sœur s'est installée à Lisbonne au printemps et travaille comme infirmière.",
      question: "Où travaille ma sœur ?",
      answer: ["Ma sœur", "infirmière"],
    },
    {
      memory: "Il est allergique aux cacahuètes et porte toujours un médicament sur lui.",
      question: "À quoi est-il allergique ?",
      answer: ["allergique aux cacahuètes"],
    },
    {
      memory: "Nous avons adopté au refuge une chatte grise qui s'appelle Mitzi.",
      question: "Comment s'appelle la chatte du refuge ?",
      answer: ["refuge", "chatte", "Mitzi"],
    },
    {
      memory: "Le rendez-vous à la banque est jeudi à neuf heures.",
      question: "Quand est le rendez-vous à la banque ?",
      answer: ["rendez-vous à la banque", "jeudi"],
    },
    {
      memory: "Grand-père réparait de vieilles horloges dans son atelier.",
      question: "Qu'a réparé grand-père ?",
      answer: ["Grand-père réparait", "horloges"],
    },
    {
      memory: "Elle apprend le violoncelle et s'exerce tous les soirs.",
      question: "De quel instrument joue-t-elle le soir ?",
      answer: ["violoncelle", "soirs"],
    },
    {
      memory: "Notre vol pour Tokyo part de la porte douze.",
      question: "De quelle porte partons-nous pour Tokyo ?",
      answer: ["Tokyo", "porte douze"],
    },
    {
      memory: "Ce matin, j'ai oublié mon parapluie dans le train.",
      question: "Qu'ai-je oublié dans le train ?",
      answer: ["j'ai oublié", "parapluie dans le train"],
    },
    {
      memory: "Les enfants ont planté des tomates et des haricots derrière la maison.",
      question: "Quels légumes les enfants ont-ils plantés ?",
      answer: ["enfants ont planté", "tomates", "haricots"],
    },
    {
      memory: "Avant le petit déjeuner, il court dix kilomètres au bord du fleuve.",
      question: "Combien de kilomètres court-il ?",
      answer: ["il court", "dix kilomètres"],
    },
  ],
  Spanish: [
    {
      memory: "Mi hermana se mudó a Lisboa en primavera y trabaja de enfermera.",
      question: "¿Dónde trabaja mi hermana?",
      answer: ["Mi hermana", "enfermera"],
    },
    {
      memory: "Es alérgico a los cacahuetes y siempre lleva un medicamento.",
      question: "¿Qué alergia tiene?",
      answer: ["alérgico a los cacahuetes"],
    },
    {
      memory: "Adoptamos en el refugio una gata gris que se llama Mitzi.",
      question: "¿Cómo se llama la gata del refugio?",
      answer: ["refugio", "gata", "Mitzi"],
    },
    {
      memory: "La cita con el banco es el jueves a las nueve.",
      question: "¿Cuándo es la cita con el banco?",
      answer: ["cita con el banco", "jueves"],
    },
    {
      memory: "El abuelo reparaba relojes antiguos en su taller.",
      question: "¿Qué reparó el abuelo?",
      answer: ["abuelo reparaba", "relojes"],
    },
    {
      memory: "Ella aprende a tocar el violonchelo y practica todas las noches.",
      question: "¿Qué instrumento toca por las noches?",
      answer: ["violonchelo", "noches"],
    },
    {
      memory: "Nuestro vuelo a Tokio sale de la puerta doce.",
      question: "¿De qué puerta salimos para Tokio?",
      answer: ["Tokio", "puerta doce"],
    },
    {
      memory: "Esta mañana olvidé el paraguas en el tren.",
      question: "¿Qué he olvidado en el tren?",
      answer: ["olvidé", "paraguas en el tren"],
    },
    {
      memory: "Los niños plantaron tomates y judías detrás de la casa.",
      question: "¿Qué verduras han plantado los niños?",
      answer: ["niños plantaron", "tomates", "judías"],
    },
    {
      memory: "Antes del desayuno corre diez kilómetros junto al río.",
      question: "¿Cuántos kilómetros corre junto al río?",
      answer: ["corre diez", "kilómetros junto al río"],
    },
  ],
  Polish: [
    {
      memory: "Moja siostra przeprowadziła się wiosną do Lizbony i pracuje jako pielęgniarka.",
      question: "Gdzie pracuje siostra?",
      answer: ["siostra", "pielęgniarka"],
    },
    {
      memory: "On ma uczulenie na orzeszki ziemne i zawsze nosi przy sobie lekarstwo.",
      question: "Na co on ma uczulenie?",
      answer: ["uczulenie na orzeszki"],
    },
    {
      memory: "Wzięliśmy ze schroniska szarą kotkę o imieniu Mitzi.",
      question: "Jak ma na imię kotka ze schroniska?",
      answer: ["schroniska", "kotkę", "Mitzi"],
    },
    {
      memory: "Spotkanie w banku jest w czwartek o dziewiątej.",
      question: "Kiedy jest spotkanie w banku?",
      answer: ["Spotkanie w banku", "czwartek"],
    },
    {
      memory: "Dziadek naprawiał stare zegary w swoim warsztacie.",
      question: "Co naprawił dziadek?",
      answer: ["Dziadek naprawiał", "zegary"],
    },
    {
      memory: "Ona uczy się grać na wiolonczeli i ćwiczy co wieczór.",
      question: "Na jakim instrumencie ona gra wieczorem?",
      answer: ["wiolonczeli", "wieczór"],
    },
    {
      memory: "Nasz samolot do Tokio odlatuje z bramki dwunastej.",
      question: "Z której bramki lecimy do Tokio?",
      answer: ["Tokio", "bramki dwunastej"],
    },
    {
      memory: "Dziś rano zapomniałem parasola w pociągu.",
      question: "Czego zapomniałem w pociągu?",
      answer: ["zapomniałem parasola", "pociągu"],
    },
    {
      memory: "Dzieci posadziły za domem pomidory i fasolę.",
      question: "Jakie warzywa posadziły dzieci?",
      answer: ["Dzieci posadziły", "pomidory", "fasolę"],
    },
    {
      memory: "Przed śniadaniem biega dziesięć kilometrów wzdłuż rzeki.",
      question: "Ile kilometrów biega wzdłuż rzeki?",
      answer: ["biega dziesięć", "kilometrów wzdłuż rzeki"],
    },
  ],
} as const satisfies Readonly<Record<string, readonly Pair[]>>;

import type { TimeWords } from "./word-lists.js";

/** The words for times of Romance and Germanic languages. */
export const romanceAndGermanicWords = {
  english: {
    months: `
      january jan~ | february feb | march~ mar~ | april~ apr | may~ | june~ jun | july jul |
      august aug | september sept sep | october oct | november nov | december dec`,
    weekdays: `
      monday~ mon~ | tuesday~ tues~ tue~ | wednesday~ wed~ | thursday~ thurs~ thur~ thu~ | friday~
      fri~ | saturday~ sat~ | sunday~ sun~`,
    days: `
      day_before_yesterday | yesterday last_night yesterday_morning yesterday_evening | today
      tonight this_morning this_afternoon this_evening | tomorrow tomorrow_morning
      tomorrow_evening | day_after_tomorrow`,
    shifts: "| last past previous | this current | next coming upcoming |",
    units: `
      day days | week weeks calendar_week | weekend weekends | month months | year years |
      quarter quarters | half halves`,
    numbers: `
      one a an | two couple_of | three few | four | five | six | seven | eight | nine | ten |
      eleven | twelve`,
    ordinals: "first | second | third | fourth",
    duals: "| a_fortnight fortnight | | |",
    onward: "onward onwards on",
    not: `
      not except excluding besides but~ without rather_than instead_of half_a half_an fiscal
      fiscal_year financial_year fy`,
    parts: "early beginning start | mid middle | late end",
    ago: "ago back~ earlier",
    ahead: "in from_now later",
    before: "before prior_to earlier_than sooner_than ahead_of",
    after: "after later_than",
    since: "since no_earlier_than not_earlier_than not_sooner_than no_sooner_than at_the_earliest",
    until: `
      until till by up_to through up_to_and_including no_later_than not_later_than at_the_latest`,
    from: "from",
    to: "to until till through thru",
    between: "between",
    and: "and or",
    in: "in on during throughout of for at around year",
    fill: "the of",
    hours: "morning hour hours quarter_past quarter_to quarter_after half_past",
    at: "at",
    other: `
      summer winter spring fall mondays tuesdays wednesdays thursdays fridays saturdays sundays`,
    less: "less_than fewer_than under",
    more: "more_than longer_than over at_least",
  },
  german: {
    months: `
      januar jänner jan | februar feber feb | märz maerz mär | april apr | mai | juni jun | juli
      jul | august aug | september sept sep | oktober okt | november nov | dezember dez`,
    weekdays: "montag | dienstag | mittwoch | donnerstag | freitag | samstag sonnabend | sonntag",
    days: `
      vorgestern | gestern gestern_morgen gestern_abend | heute heute_morgen heute_abend
      heute_früh | morgen morgen_früh morgen_abend | übermorgen`,
    shifts: `
      vorletzte* | letzte* vorige* vergangene* | diese* aktuelle* | nächste* kommende* |
      übernächste*`,
    units: `
      tag tage tagen tags | woche wochen kalenderwoche kw | wochenende wochenenden | monat
      monate monaten monats |
      jahr jahre jahren jahres | quartal quartals quartale | halbjahr halbjahres jahreshälfte
      hälfte`,
    numbers: `
      ein eine einem einer einen eins | zwei | drei | vier | fünf | sechs | sieben | acht | neun |
      zehn | elf | zwölf`,
    ordinals: "erste* | zweite* | dritte* | vierte*",
    not: "nicht außer ausser ohne geschäftsjahr geschäftsjahres",
    parts: "anfang beginn | mitte | ende",
    ago: "vor",
    ahead: "in",
    before: "vor früher_als eher_als",
    after: "nach später_als",
    since: "seit ab frühestens nicht_früher_als",
    until: "bis spätestens bis_spätestens nicht_später_als bis_einschließlich",
    from: "von vom",
    to: "bis",
    between: "zwischen",
    and: "und oder",
    in: "im am in an jahr",
    fill: "dem der den des die das zum zur",
    hours: "uhr abend abends stunde* morgens mittags",
    at: "um gegen",
    other: `
      sommer herbst winter frühling montags dienstags mittwochs donnerstags freitags samstags
      sonntags`,
    less: "weniger_als unter",
    more: "mehr_als länger_als über mindestens",
  },
  dutch: {
    months: `
      januari jan | februari feb | maart mrt | april apr | mei | juni jun | juli jul | augustus
      aug | september sept | oktober okt | november nov | december dec`,
    weekdays: "maandag | dinsdag | woensdag | donderdag | vrijdag | zaterdag | zondag",
    days: `
      eergisteren | gisteren gisteravond gisterenavond gisterochtend | vandaag vanavond vanochtend
      vanmorgen vanmiddag vannacht | morgen morgenavond morgenochtend | overmorgen`,
    shifts: `
      voorlaatste | vorig vorige afgelopen laatste verleden | deze dit huidige | volgende volgend
      komende komend aanstaande |`,
    units: `
      dag dagen | week weken | weekend weekeinde weekends | maand maanden | jaar jaren | kwartaal
      kwartalen | helft jaarhelft`,
    numbers: `
      een één | twee | drie | vier | vijf | zes | zeven | acht | negen | tien | elf | twaalf`,
    ordinals: "eerste | tweede | derde | vierde",
    not: "niet behalve boekjaar",
    parts: "begin | midden medio half | eind einde",
    ago: "geleden",
    ahead: "over",
    before: "voor vóór eerder_dan vroeger_dan",
    after: "na later_dan",
    since: "sinds vanaf niet_eerder_dan niet_vroeger_dan op_zijn_vroegst",
    until: "tot tot_en_met uiterlijk niet_later_dan op_zijn_laatst",
    from: "van vanaf",
    to: "tot tot_en_met t_m",
    between: "tussen",
    and: "en of",
    in: "in op tijdens jaar",
    fill: "de het van",
    hours: "uur avond avonds s_avonds s_ochtends",
    at: "om rond",
    other: `
      zomer winter herfst lente maandags dinsdags woensdags donderdags vrijdags zaterdags zondags`,
    less: "minder_dan",
    more: "meer_dan langer_dan ruim minstens",
  },
  swedish: {
    months: `
      januari jan | februari feb | mars | april apr | maj | juni jun | juli jul | augusti aug |
      september sept | oktober okt | november nov | december dec`,
    weekdays: `
      måndag måndagen i_måndags | tisdag tisdagen i_tisdags | onsdag onsdagen i_onsdags | torsdag
      torsdagen i_torsdags | fredag fredagen i_fredags | lördag lördagen i_lördags | söndag
      söndagen i_söndags`,
    days: `
      i_förrgår förrgår | igår i_går igår_kväll | idag i_dag ikväll i_kväll i_morse imorse |
      imorgon i_morgon | i_övermorgon övermorgon`,
    shifts: "förrförra | förra senaste föregående | denna detta den_här det_här | nästa kommande |",
    units: `
      dag dagar dagarna | vecka veckan veckor veckorna | helg helgen helger | månad månaden
      månader månaderna | år året åren | kvartal kvartalet | halvår halvåret`,
    numbers: "en ett | två | tre | fyra | fem | sex | sju | åtta | nio | tio | elva | tolv",
    spans: "| | | | | | | i_år |",
    not: "inte utom förutom",
    parts: "början | mitten | slutet",
    ago: "sedan för",
    ahead: "om",
    before: "före innan tidigare_än",
    after: "efter senare_än",
    since: "sedan från_och_med inte_tidigare_än tidigast",
    until: "till tills fram_till senast till_och_med inte_senare_än",
    from: "från",
    to: "till",
    between: "mellan",
    and: "och eller",
    in: "i på under år",
    fill: "den det av",
    hours: "timme timmar kväll",
    at: "klockan kl",
    other: "sommar vinter höst vår~",
    less: "mindre_än",
    more: "mer_än över minst",
  },
  french: {
    months: `
      janvier janv | février fevrier févr | mars | avril avr | mai | juin | juillet juil | août
      aout | septembre | octobre oct | novembre nov | décembre decembre déc`,
    weekdays: "lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche",
    days: `
      avant_hier | hier hier_soir hier_matin | aujourd_hui ce_matin ce_soir cet_après_midi
      cette_nuit | demain demain_matin demain_soir | après_demain`,
    shifts: `
      avant_dernier* | dernier* dernière* passé* précédent* | ce cet cette ces | prochain* |`,
    units: `
      jour jours | semaine semaines | week_end weekend week_ends | mois | an ans année années
      annee annees | trimestre trimestres | semestre moitié`,
    numbers: `
      un une | deux | trois | quatre | cinq | six | sept | huit | neuf | dix | onze | douze`,
    ordinals: "première premier | deuxième second seconde | troisième | quatrième",
    not: "pas sauf excepté hors exercice",
    parts: "début debut | mi milieu | fin",
    ago: "il_y_a y_a",
    ahead: "dans d_ici",
    before: "avant avant_le plus_tôt_que précédant antérieur_au antérieure_au antérieurs_au",
    after: "après apres plus_tard_que suivant postérieur_au postérieure_au",
    since: "depuis à_partir_de à_partir_du dès au_plus_tôt pas_plus_tôt_que",
    until: "jusqu_à jusqu_au jusqu_en jusque jusqu d_ici au_plus_tard pas_plus_tard_que",
    from: "de du",
    to: "à au jusqu_à jusqu_au jusqu_en",
    between: "entre",
    and: "et ou",
    in: "en au le pendant durant courant dans",
    fill: "le la les l de du d des",
    hours: "heure heures matin soir soirs h",
    at: "à vers",
    other: `
      automne hiver l_été en_été cet_été d_été été~ lundis mardis mercredis jeudis vendredis
      samedis dimanches printemps`,
    less: "moins_d moins_de",
    more: "plus_d plus_de au_moins",
  },
  spanish: {
    months: `
      enero | febrero | marzo | abril | mayo | junio | julio | agosto | septiembre setiembre |
      octubre | noviembre | diciembre`,
    weekdays: "lunes | martes | miércoles miercoles | jueves | viernes | sábado sabado | domingo",
    days: `
      anteayer antier antes_de_ayer | ayer anoche ayer_por_la_noche ayer_por_la_tarde
      ayer_por_la_mañana | hoy esta_mañana esta_tarde esta_noche | mañana mañana_por_la_mañana |
      pasado_mañana`,
    shifts: `
      antepasado antepasada | pasado pasada pasados pasadas último última últimos últimas ultimo
      ultima ultimos ultimas anterior | este esta estos estas | próximo próxima próximos próximas
      proximo proxima que_viene |`,
    units: `
      día días dia dias | semana semanas | fin_de_semana fines_de_semana | mes meses | año años |
      trimestre trimestres | semestre mitad`,
    numbers: `
      un una uno primero | dos | tres | cuatro | cinco | seis | siete | ocho | nueve | diez | once
      | doce`,
    ordinals: "primera primer | segunda segundo | tercera tercer | cuarta cuarto",
    not: "no excepto salvo menos ejercicio año_fiscal",
    parts: "principios comienzos inicios principio | mediados | finales fines final",
    ago: "hace atrás",
    ahead: "dentro_de",
    before: "antes_de antes_del antes antes_que anterior_al anterior_a",
    after: `
      después_de después_del tras después despues_de despues_del más_tarde_que más_tarde_del
      posterior_al posterior_a`,
    since: "desde desde_el a_partir_de a_partir_del no_antes_del no_antes_de como_muy_pronto",
    until: `
      hasta hasta_el a_más_tardar no_más_tarde_del no_más_tarde_de no_después_del no_después_de`,
    from: "de del desde",
    to: "a al hasta",
    between: "entre",
    and: "y e o u",
    in: "en el durante los año",
    fill: "de del el la los las",
    hours: "tarde noche hora horas",
    at: "a_las a_la sobre_las",
    other: "verano otoño invierno primavera sábados domingos",
    less: "menos_de",
    more: "más_de al_menos",
  },
  italian: {
    months: `
      gennaio gen | febbraio feb | marzo | aprile | maggio | giugno | luglio | agosto | settembre
      sett | ottobre | novembre | dicembre`,
    weekdays: `
      lunedì lunedi | martedì martedi | mercoledì mercoledi | giovedì giovedi | venerdì venerdi |
      sabato | domenica`,
    days: `
      l_altro_ieri altro_ieri avantieri | ieri ieri_sera ieri_mattina | oggi stamattina stasera
      stamani stanotte questa_mattina questa_sera | domani domani_sera domani_mattina | dopodomani`,
    shifts: `
      | scorso scorsa scorsi scorse passato passata ultimo ultima ultimi ultime precedente |
      questo questa questi queste quest | prossimo prossima prossimi prossime |`,
    units: `
      giorno giorni | settimana settimane | fine_settimana weekend week_end | mese mesi | anno
      anni | trimestre trimestri | semestre`,
    numbers: `
      un una uno | due | tre | quattro | cinque | sei | sette | otto | nove | dieci | undici |
      dodici`,
    ordinals: "prima~ primo | seconda secondo | terza terzo | quarta quarto",
    not: "non tranne eccetto salvo esercizio anno_fiscale",
    parts: "inizio inizi | metà | fine",
    ago: "fa",
    ahead: "tra fra",
    before: "prima_di prima_del prima_dell prima_della prima precedente_al precedenti_al",
    after: "dopo dopo_il più_tardi_del più_tardi_di successivo_al successiva_al",
    since: "da dal dall dalla a_partire_da a_partire_dal non_prima_del non_prima_di",
    until: `
      fino_a fino_al fino_alla fino entro sino_al al_più_tardi non_più_tardi_del non_più_tardi_di
      non_oltre_il non_oltre non_dopo_il`,
    from: "da dal dall dalla",
    to: "a al all alla fino_a fino_al",
    between: "tra fra",
    and: "e ed o",
    in: "in a nel nell nella nei negli nelle durante il lo anno",
    fill: "il lo la l di del dello della dell i gli le",
    hours: "mattina mattino sera ore ora",
    at: "alle all_una verso_le",
    other: "estate inverno autunno primavera",
    less: "meno_di meno_d",
    more: "più_di oltre almeno",
  },
  portuguese: {
    months: `
      janeiro | fevereiro | março | abril | maio | junho | julho | agosto | setembro | outubro |
      novembro | dezembro`,
    weekdays: `
      segunda_feira segunda~ | terça_feira terça~ | quarta_feira quarta~ | quinta_feira quinta~ |
      sexta_feira sexta~ | sábado | domingo`,
    days: `
      anteontem antes_de_ontem | ontem ontem_à_noite | hoje esta_manhã esta_tarde esta_noite
      hoje_à_noite | amanhã amanhã_de_manhã | depois_de_amanhã`,
    shifts: `
      retrasado retrasada | passado passada passados passadas último última últimos últimas
      anterior | este esta estes estas neste nesta deste desta | próximo próxima próximos próximas
      que_vem |`,
    units: `
      dia dias | semana semanas | fim_de_semana fins_de_semana | mês meses mes | ano anos |
      trimestre trimestres | semestre metade`,
    numbers: `
      um uma | dois duas | três | quatro | cinco | seis | sete | oito | nove | dez | onze | doze`,
    ordinals: "primeira primeiro | segunda segundo | terceira terceiro | quarta quarto",
    not: "não exceto salvo menos exercício ano_fiscal",
    parts: "início começo inícios | meados | fim final finais",
    ago: "há atrás",
    ahead: "daqui_a dentro_de",
    before: `
      antes_de antes_do antes_da antes mais_cedo_que mais_cedo_do_que anterior_a anterior_ao`,
    after: `
      depois_de depois_do depois_da após mais_tarde_que mais_tarde_do_que posterior_a posterior_ao`,
    since: "desde desde_o a_partir_de a_partir_do não_antes_de não_antes_do",
    until: `
      até até_o até_ao o_mais_tardar no_mais_tardar no_máximo_até não_mais_tarde_que não_depois_de`,
    from: "de do da desde",
    to: "a ao até à",
    between: "entre",
    and: "e ou",
    in: "em no na nos nas durante ano",
    fill: "de do da o a os as dos das",
    hours: "manhã tarde~ noite hora horas h",
    at: "às à",
    other: "verão outono inverno primavera sábados domingos",
    less: "menos_de",
    more: "mais_de pelo_menos",
  },
} as const satisfies Readonly<Record<string, TimeWords>>;

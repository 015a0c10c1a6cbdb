import type { TimeWords } from "./word-lists.js";

/** The words for times of other languages in Latin script. */
export const otherLatinWords = {
  finnish: {
    months: `
      tammiku* | helmiku* | maalisku* | huhtiku* | toukoku* | kesäku* | heinäku* | eloku* |
      syysku* | lokaku* | marrasku* | jouluku*`,
    weekdays: "maanantai* | tiistai* | keskiviik* | torstai* | perjantai* | lauantai* | sunnuntai*",
    days: `
      toissapäivänä toissa_päivänä | eilen eilisen eilisiltana | tänään tänä_iltana tänä_aamuna |
      huomenna | ylihuomenna`,
    shifts: "| viime viimeisen viimeisten viimeisten | tänä tällä tässä | ensi |",
    units: `
      päivä päivää päivän päivänä päiviä | viikko viikkoa viikon viikolla viikkoja | viikonlop* |
      kuukausi kuukautta kuukauden kuussa kuukautena | vuosi vuotta vuoden vuonna vuodesta vuoteen`,
    numbers: `
      yksi yhden | kaksi kahden | kolme kolmen | neljä neljän | viisi viiden | kuusi kuuden |
      seitsemän | kahdeksan | yhdeksän | kymmenen | yksitoista | kaksitoista`,
    not: "ei paitsi",
    parts: "alussa alku | puolivälissä | lopussa loppu",
    ago: "sitten",
    ahead: "päästä kuluttua",
    before: "ennen aikaisemmin_kuin aiemmin_kuin",
    after: "jälkeen myöhemmin_kuin",
    since: "lähtien alkaen aikaisintaan",
    until: "asti saakka mennessä viimeistään",
    between: "välillä",
    and: "ja tai",
    in: "vuonna",
    fill: "päivänä",
    hours: "tunti* illalla aamulla",
    at: "kello klo",
    other: "kesällä talvella syksyllä keväällä",
    less: "alle",
    more: "yli",
  },
  polish: {
    months: `
      stycz* | lutego luty lutym | marca marzec marcu | kwietnia kwiecień kwietniu | maja maj maju
      | czerwca czerwiec czerwcu | lipca lipiec lipcu | sierp* | wrześni* wrzesień | październik*
      | listopad* | grud*`,
    weekdays: `
      poniedział* | wtor* | środa środę środy | czwart* | piątek piątku piątk* | sobota sobotę
      soboty | niedziela niedzielę niedzieli`,
    days: "przedwczoraj | wczoraj | dzisiaj dziś | jutro | pojutrze",
    shifts: `
      | zeszły* zeszłego zeszłym zeszłą zeszłe ubiegły* ubiegłego ubiegłym ostatni* | ten tym tego
      ta tę tej | przyszły* przyszłego przyszłym przyszłą następny* |`,
    units: `
      dzień dni dnia dniem | tydzień tygod* | weekend weekendu | miesiąc miesi* | rok roku lat
      lata lato | kwartał* | półrocz*`,
    numbers: `
      jeden jedną | dwa dwie | trzy | cztery | pięć | sześć | siedem | osiem | dziewięć | dziesięć
      | jedenaście | dwanaście`,
    not: "nie oprócz",
    parts: "początku początek | połowie połowa | końcu koniec",
    ago: "temu",
    ahead: "za",
    before: "przed wcześniej_niż",
    after: "po później_niż",
    since: "od nie_wcześniej_niż najwcześniej",
    until: "do nie_później_niż najpóźniej",
    from: "od",
    to: "do",
    between: "między pomiędzy",
    and: "i a lub",
    in: "w we na podczas",
    fill: "dnia",
    hours: "rano wieczor* godzin*",
    at: "o",
    other: "zima zimą zimę zimy jesień jesienią jesieni",
    less: "mniej_niż niecały",
    more: "więcej_niż ponad",
  },
  vietnamese: {
    months: `
      tháng_1 tháng_một tháng_giêng | tháng_2 tháng_hai | tháng_3 tháng_ba | tháng_4 tháng_tư |
      tháng_5 tháng_năm | tháng_6 tháng_sáu | tháng_7 tháng_bảy | tháng_8 tháng_tám | tháng_9
      tháng_chín | tháng_10 tháng_mười | tháng_11 tháng_mười_một | tháng_12 tháng_mười_hai`,
    weekdays: "thứ_hai | thứ_ba | thứ_tư | thứ_năm | thứ_sáu | thứ_bảy | chủ_nhật",
    days: "hôm_kia | hôm_qua tối_qua | hôm_nay tối_nay sáng_nay chiều_nay | ngày_mai | ngày_kia",
    shifts: "| trước vừa_qua qua ngoái | này nay | sau tới |",
    units: "ngày | tuần | cuối_tuần | tháng | năm | quý",
    numbers: "một | hai | ba | bốn | năm~ | sáu | bảy | tám | chín | mười | mười_một | mười_hai",
    not: "không trừ",
    parts: "đầu | giữa | cuối",
    ago: "trước cách_đây",
    ahead: "nữa sau",
    before: "trước sớm_hơn",
    after: "sau muộn_hơn",
    since: "kể_từ từ không_sớm_hơn sớm_nhất",
    until: "đến cho_đến không_muộn_hơn chậm_nhất",
    from: "từ",
    to: "đến tới",
    between: "giữa",
    and: "và",
    in: "vào trong ngày năm",
    fill: "ngày",
    hours: "giờ sáng chiều tối",
    at: "lúc",
    less: "chưa_đầy chưa_đến",
    more: "hơn trên",
  },
  indonesian: {
    months: `
      januari jan | februari feb | maret | april apr | mei | juni | juli | agustus | september |
      oktober | november | desember`,
    weekdays: "senin | selasa | rabu | kamis | jumat jum_at | sabtu | hari_minggu",
    days: `
      kemarin_dulu kemarin_lusa | kemarin semalam | hari_ini malam_ini pagi_ini | besok | lusa`,
    shifts: "| lalu yang_lalu terakhir | ini | depan mendatang |",
    units: "hari | minggu | akhir_pekan | bulan | tahun | kuartal triwulan",
    numbers: `
      satu | dua | tiga | empat | lima | enam | tujuh | delapan | sembilan | sepuluh | sebelas |
      dua_belas`,
    not: "bukan kecuali",
    parts: "awal | pertengahan | akhir",
    ago: "lalu yang_lalu",
    ahead: "lagi",
    before: "sebelum lebih_awal_dari lebih_dulu_dari",
    after: "setelah sesudah lebih_lambat_dari",
    since: "sejak mulai paling_cepat",
    until: "sampai hingga paling_lambat tidak_lebih_dari",
    from: "dari",
    to: "sampai hingga",
    between: "antara",
    and: "dan",
    in: "pada di bulan tahun tanggal",
    fill: "yang",
    hours: "jam pagi sore malam",
    at: "jam pukul",
    less: "kurang_dari",
    more: "lebih_dari",
  },
} as const satisfies Readonly<Record<string, TimeWords>>;

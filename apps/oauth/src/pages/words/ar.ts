import { html } from "hono/html";
import { minutesInArabic } from "./minutes.ts";
import type { PageWords } from "./page-words.ts";

/** The words of the pages of log-in, log-out, consent and problems, in Arabic. */
export const ar: PageWords = {
  useAnotherAccount: "استعمل حسابًا آخر",
  forDevelopers: "لمطوّر التطبيق:",
  logIn: {
    title: "تسجيل الدخول",
    lead: "إلى قاعدة معارف فريقك",
    leadForApp: "يريد تطبيق الاتصال. سجّل الدخول للمتابعة.",
    forgotten: "نسيت كلمة المرور؟",
    or: "أو",
    withProvider: (provider) => `سجّل الدخول عبر ${provider}`,
    passwordsOff: "كلمات المرور موقوفة هنا.",
    throttled: (minutes) => `محاولات دخول فاشلة كثيرة. حاول مرة أخرى بعد ${minutesInArabic(minutes)}.`,
    wrong: "البريد الإلكتروني أو كلمة المرور غير صحيح.",
    fewLeft: "فشلت محاولات دخول كثيرة إلى هذا الحساب، ولم يبق لك إلا القليل منها.",
  },
  logOut: {
    title: "تسجيل الخروج",
    question: "أتريد تسجيل الخروج؟",
    account: (name, email) => html`أنت مسجّل الدخول باسم <bdi>${name}</bdi> (<bdi>${email}</bdi>).`,
    doneTitle: "سُجّل خروجك",
    done: "لست مسجّل الدخول إلى هذا الموقع في هذا المتصفح.",
  },
  consent: {
    title: (app) => `يريد ${app ?? "تطبيق"} الاتصال`,
    question: (app) => html`أتريد توصيل <bdi>${app ?? "هذا التطبيق"}</bdi>؟`,
    lead: (team) => html`يريد استعمال قاعدة معارف <strong><bdi>${team}</bdi></strong> نيابة عنك.`,
    legend: "ماذا يُسمح له؟",
    allow: "اسمح",
    deny: "ارفض",
    limits: "لا يرى كلمة مرورك أبدًا، ولا يستطيع ما لا تستطيعه أنت. يمكنك فصله في أي وقت.",
    proof: "مضى وقت منذ تسجيل دخولك. أكّد أنك أنت.",
    wrongPassword: "كلمة المرور هذه ليست كلمة مرورك.",
    manyPasswords: (minutes) => `كلمات مرور خاطئة كثيرة. حاول مرة أخرى بعد ${minutesInArabic(minutes)}.`,
    you: "أنت",
    from: "من",
    next: "بعد ذلك",
    nextSteps: {
      web: (shown) => html`تنتقل إلى <code>${shown}</code>`,
      loopback: (shown) => html`تنتقل إلى برنامج على هذا الحاسوب، على العنوان <code>${shown}</code>`,
      app: (shown) => html`يُفتح تطبيق على هذا الجهاز: تطبيق <code>${shown}:</code>`,
    },
    nameless: "لا يذكر التطبيق اسمه.",
    unverified: "اختار التطبيق هذا الاسم بنفسه، ولم يتحقق منه أحد.",
    check: "تحقق أولًا.",
    listener: (address) =>
      html`قد يستقبل أي برنامج على هذا الحاسوب ما يُرسل إلى <bdi>${address}</bdi>. تابع فقط إن كنت قد بدأت هذا بنفسك الآن.`,
    trusted: "تابع فقط إن كنت قد بدأت هذا الآن في تطبيق تثق به.",
    read: { name: "القراءة", meaning: "البحث في كل ما تستطيع قراءته، وقراءته." },
    readWrite: {
      name: "القراءة والكتابة",
      meaning: "وكذلك إنشاء المستندات وتغييرها ونشرها وحذفها نيابة عنك. تذهب المستندات المحذوفة إلى المهملات.",
    },
    readsOnly: "لديك صلاحية القراءة فقط، فلا يستطيع أكثر منها.",
  },
  mcpDisabled: {
    title: "لا تستطيع التطبيقات الاتصال بعد",
    reason: (team, app) =>
      html`أوقف فريقك <strong><bdi>${team}</bdi></strong> الاتصال بالمساعدين (MCP)، فلم يستطع <bdi>${app ?? "التطبيق"}</bdi> الاتصال.`,
    wayOut: "اطلب من أحد مديري الفريق تشغيله، ثم ابدأ من التطبيق مرة أخرى.",
    back: (app) => html`العودة إلى <bdi>${app ?? "التطبيق"}</bdi>`,
    account: (name) => html`أنت مسجّل الدخول باسم <bdi>${name}</bdi>.`,
  },
  approval: {
    title: "يجب أن يوافق أحد المديرين على هذا التطبيق",
    reason: (team, app) =>
      html`في فريقك <strong><bdi>${team}</bdi></strong> لا يصل الأعضاء إلا التطبيقات التي وافق عليها أحد المديرين. لم يوافق أحد على <bdi>${app ?? "هذا التطبيق"}</bdi> بعد.`,
    asked: "طُلبت الموافقة. يرى مديرو فريقك الطلب في الإعدادات > المساعدون. تخبرك هذه الصفحة عندما يوافقون.",
    approved: "وافق أحد المديرين على هذا التطبيق. يمكنك وصله الآن.",
    connect: "متابعة",
    refused: "رفض أحد المديرين هذا التطبيق. يمكنك أن تطلبه مرة أخرى.",
    ask: "طلب الموافقة",
    again: "التحقق مرة أخرى",
  },
  request: {
    invalid: {
      title: "طلب التطبيق غير صالح",
      words: "لم تخطئ في شيء. حاول مرة أخرى من التطبيق. إن بقيت المشكلة فتواصل مع مطوّر التطبيق.",
    },
    unregistered: {
      title: "هذا التطبيق غير مسجّل",
      words: "قد يكون تسجيله قد انتهى. احذف الاتصال في التطبيق، ثم أضفه من جديد.",
    },
    tooMany: {
      title: "طلبات كثيرة",
      words: "يوصل كثيرون هذا التطبيق الآن. انتظر دقيقة، ثم حاول مرة أخرى.",
    },
    needsConsent: {
      title: "يحتاج التطبيق إلى موافقتك",
      words: "حاول التطبيق الاتصال دون أن يسألك. وصّله من جديد من التطبيق نفسه.",
    },
    nothingAllowed: "لم يُسمح بشيء، ولم تُعَد إلى التطبيق.",
    notConnected: (app, destination) =>
      html`لم يُسمح بشيء. سجّل <bdi>${app ?? "التطبيق"}</bdi> نفسه بنفسه، ولم توصّله أنت. تابع فقط إن كنت تثق بهذا العنوان: ${destination}.`,
    continueTo: (destination) => html`المتابعة إلى ${destination}`,
    appFor: (scheme) => html`تطبيق <code>${scheme}:</code>`,
  },
  problem: {
    titles: { 404: "الصفحة غير موجودة", 500: "حدث خطأ", 503: "الخدمة غير متاحة مؤقتًا" },
    title: "لم ينجح هذا",
    notFound: "هذا العنوان غير موجود.",
    message: ({ code }) => problems[code] ?? "لم تستطع الخدمة تنفيذ هذا الطلب. حاول مرة أخرى.",
    reference: (requestId) => `إن تكرر هذا فأعطِ مديرك هذا الرقم: ${requestId}.`,
    toLogIn: "انتقل إلى صفحة تسجيل الدخول",
  },
};

const problems: Readonly<Record<string, string>> = {
  forbidden: "لم يُقبل هذا الطلب. اسمح بملفات تعريف الارتباط لهذا الموقع، ثم ابدأ من صفحة تسجيل الدخول.",
  internal_error: "تعذّر تنفيذ هذا الطلب بسبب خطأ في الخدمة.",
  method_not_allowed: "لا يقبل هذا العنوان هذا النوع من الطلبات.",
  rate_limited: "طلبات كثيرة. انتظر دقيقة، ثم حاول مرة أخرى.",
  unavailable: "الخدمة غير متاحة الآن. حاول مرة أخرى بعد قليل.",
};

import { addDays, type Day, formatMinute, monthNames } from '../../../shared/dates.ts'

/** What can begin a message by itself that no other part of the product sends, and what each begins with. */

export const automationKinds = [
  'visit_booked',
  'treatment_coming',
  'visit_done',
  'visit_skipped',
  'quote_viewed',
  'quote_approved',
  'win_back',
  'dormant',
  'upsell',
] as const
export type AutomationKind = (typeof automationKinds)[number]

export const channels = ['sms', 'email'] as const
export type Way = (typeof channels)[number]

/** What an automation can be narrowed to. */
export const conditionNames = ['tags', 'cities', 'stages', 'serviceIds', 'balance', 'lawn'] as const
export type ConditionName = (typeof conditionNames)[number]

/** hours: after what happened; after, before: days, at a time of day; yearly: on one day of each year. */
export type Timing = 'hours' | 'after' | 'before' | 'yearly'

type Words = { subject: string; text: string }

export type Kind = {
  label: string
  /** What begins it, as a sentence with what comes before it: "2 hours after a visit is done". */
  begins: string
  hint: string
  timing: Timing
  delay: { usual: number; least: number; most: number }
  atMinute: number | null
  /** An offer goes only to who agreed to offers. */
  isOffer: boolean
  /** Which people of a customer get it. */
  recipients: 'visits' | 'quotes' | 'marketing'
  conditions: readonly ConditionName[]
  everyDays: number
  /** So many hours after its time it still leaves, where nothing ran for a while; later it says nothing any more. */
  lateHours: number
  en: Words
  es: Words
}

const general = ['tags', 'cities', 'stages', 'balance'] as const
const noon = 12 * 60
const morning = 10 * 60

export const kinds: Readonly<Record<AutomationKind, Kind>> = {
  visit_booked: {
    label: 'Work is booked',
    begins: 'after new work is booked and its first visit has a day',
    hint: 'Says that they are on the schedule, and when somebody comes first. Left out: imported work, seasons that go on, jobs made for many at once, and what was booked on your page, which says so itself.',
    timing: 'hours',
    delay: { usual: 1, least: 0, most: 168 },
    atMinute: null,
    isOffer: false,
    recipients: 'visits',
    conditions: [...general, 'serviceIds'],
    everyDays: 7,
    lateHours: 24,
    en: {
      subject: 'You are on our schedule',
      text: 'Hi {customer first name}, you are on our schedule. We come first on {next visit day}. {business name}',
    },
    es: {
      subject: 'Ya está en nuestra agenda',
      text: 'Hola {customer first name}, ya está en nuestra agenda. La primera visita es el {next visit day}. {business name}',
    },
  },
  treatment_coming: {
    label: 'A treatment is coming',
    begins: 'before a visit of a program',
    hint: 'Time to mow, water and keep pets in before the next round. The reminder of the day before comes all the same.',
    timing: 'before',
    delay: { usual: 3, least: 2, most: 30 },
    atMinute: noon,
    isOffer: false,
    recipients: 'visits',
    conditions: [...general, 'serviceIds'],
    everyDays: 7,
    lateHours: 24,
    en: {
      subject: 'Your next treatment is coming',
      text: 'Hi {customer first name}, your next treatment is on {next visit day}. Please mow before, and keep pets inside that day. {business name}',
    },
    es: {
      subject: 'Se acerca su próximo tratamiento',
      text: 'Hola {customer first name}, su próximo tratamiento es el {next visit day}. Por favor corte el césped antes y deje las mascotas adentro ese día. {business name}',
    },
  },
  visit_done: {
    label: 'A visit is done',
    begins: 'after a visit is done',
    hint: 'Narrow it to services after which there is something to say: what to water, what to expect.',
    timing: 'hours',
    delay: { usual: 2, least: 0, most: 168 },
    atMinute: null,
    isOffer: false,
    recipients: 'visits',
    conditions: [...general, 'serviceIds'],
    everyDays: 14,
    lateHours: 24,
    en: {
      subject: 'Your visit is done',
      text: 'Hi {customer first name}, we were at your place on {last visit day}. If something is not as you want it, just answer here. {business name}',
    },
    es: {
      subject: 'Terminamos su visita',
      text: 'Hola {customer first name}, estuvimos en su casa el {last visit day}. Si algo no está como usted quiere, responda aquí. {business name}',
    },
  },
  visit_skipped: {
    label: 'A visit was skipped',
    begins: 'after a visit is skipped on its day',
    hint: 'So that nobody wonders why the lawn was not done. Left out: what the customer asked for, what was not needed, what a rain push told, and what has another day already.',
    timing: 'hours',
    delay: { usual: 1, least: 0, most: 48 },
    atMinute: null,
    isOffer: false,
    recipients: 'visits',
    conditions: [...general, 'serviceIds'],
    everyDays: 1,
    lateHours: 12,
    en: {
      subject: 'We could not do your visit',
      text: 'Hi {customer first name}, we could not do your visit of {last visit day}. Please answer here, and we find another day. {business name}',
    },
    es: {
      subject: 'No pudimos hacer su visita',
      text: 'Hola {customer first name}, no pudimos hacer su visita del {last visit day}. Responda aquí y buscamos otro día. {business name}',
    },
  },
  quote_viewed: {
    label: 'A quote is looked at',
    begins: 'after a quote is opened, where it is not answered',
    hint: 'While they think about it. Left out: who wrote or was talked to, renewals of a season, and quotes whose follow-up has just left or leaves by the next day.',
    timing: 'hours',
    delay: { usual: 24, least: 2, most: 168 },
    atMinute: null,
    isOffer: false,
    recipients: 'quotes',
    conditions: general,
    everyDays: 7,
    lateHours: 24,
    en: {
      subject: 'Any questions about our quote?',
      text: 'Hi {customer first name}, do you have questions about our quote? Just answer here. {business name}',
    },
    es: {
      subject: '¿Preguntas sobre nuestro presupuesto?',
      text: 'Hola {customer first name}, ¿tiene preguntas sobre nuestro presupuesto? Responda aquí. {business name}',
    },
  },
  quote_approved: {
    label: 'A quote is approved',
    begins: 'after a quote is approved',
    hint: 'Thanks, and what happens next. Renewals of a season are left out.',
    timing: 'hours',
    delay: { usual: 1, least: 0, most: 168 },
    atMinute: null,
    isOffer: false,
    recipients: 'quotes',
    conditions: general,
    everyDays: 7,
    lateHours: 24,
    en: {
      subject: 'Thank you for your order',
      text: 'Thank you, {customer first name}! We plan your work now and tell you the day. {business name}',
    },
    es: {
      subject: 'Gracias por su pedido',
      text: '¡Gracias, {customer first name}! Ahora planificamos su trabajo y le avisamos el día. {business name}',
    },
  },
  win_back: {
    label: 'Win back who canceled',
    begins: 'after a job is canceled, where no other work goes on',
    hint: 'Only to who had visits before, and agreed to offers.',
    timing: 'after',
    delay: { usual: 45, least: 7, most: 730 },
    atMinute: morning,
    isOffer: true,
    recipients: 'marketing',
    conditions: [...general, 'serviceIds'],
    everyDays: 365,
    lateHours: 72,
    en: {
      subject: 'We would like to have you back',
      text: 'Hi {customer first name}, we miss your lawn. If you want us back, answer here, and we come this week. {business name}',
    },
    es: {
      subject: 'Nos gustaría volver a atenderle',
      text: 'Hola {customer first name}, extrañamos su césped. Si quiere que volvamos, responda aquí y vamos esta semana. {business name}',
    },
  },
  dormant: {
    label: 'Not seen for a while',
    begins: 'after the last visit, where none is planned',
    hint: 'For one-time work: who had it done, and has nothing booked since. Only to who agreed to offers.',
    timing: 'after',
    delay: { usual: 120, least: 14, most: 730 },
    atMinute: morning,
    isOffer: true,
    recipients: 'marketing',
    conditions: [...general, 'serviceIds'],
    everyDays: 180,
    lateHours: 72,
    en: {
      subject: 'Is it time again?',
      text: 'Hi {customer first name}, we were last at your place on {last visit day}. Is it time again? Answer here. {business name}',
    },
    es: {
      subject: '¿Ya toca otra vez?',
      text: 'Hola {customer first name}, estuvimos en su casa el {last visit day}. ¿Ya toca otra vez? Responda aquí. {business name}',
    },
  },
  upsell: {
    label: 'Offer a service once a year',
    begins: 'each year, to who has none of these services in that year',
    hint: 'Aeration in August, say, to lawns of 3,000 sq ft and more. Only to who agreed to offers.',
    timing: 'yearly',
    delay: { usual: 0, least: 0, most: 0 },
    atMinute: morning,
    isOffer: true,
    recipients: 'marketing',
    conditions: [...general, 'serviceIds', 'lawn'],
    everyDays: 30,
    lateHours: 72,
    en: {
      subject: 'Aeration this fall?',
      text: 'Hi {customer first name}, it is time to aerate: roots breathe, seed takes. Answer YES, and we plan it. {business name}',
    },
    es: {
      subject: '¿Aireación este otoño?',
      text: 'Hola {customer first name}, es tiempo de airear: las raíces respiran y la semilla prende. Responda SI y lo planificamos. {business name}',
    },
  },
}

/** With what a new one begins, until somebody says otherwise. */
export const usualOf = (kind: AutomationKind) => {
  const { label, delay, atMinute, timing, everyDays, en, es, isOffer } = kinds[kind]
  return {
    name: label,
    delay: delay.usual,
    atMinute,
    startsOn: timing === 'yearly' ? '08-01' : null,
    conditions: {
      tags: [] as string[],
      cities: [] as string[],
      stages: [] as ('lead' | 'active' | 'past')[],
      serviceIds: [] as string[],
      balance: 'any' as 'any' | 'owes' | 'none',
      leastLawnSquareFeet: kind === 'upsell' ? 3000 : null,
    },
    channels: ['sms', 'email'] as Way[],
    subjectEn: en.subject,
    subjectEs: es.subject,
    textEn: en.text,
    textEs: es.text,
    // an offer is looked at before it leaves, until somebody says otherwise
    approval: (isOffer ? 'ask' : 'self') as 'ask' | 'self',
    everyDays,
  }
}

type Times = { kind: AutomationKind; delay: number; atMinute: number | null; startsOn: string | null }

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** "2 hours after a visit is done", "On August 1 at 10:00 AM, each year, to who …". */
export const whenLabel = ({ kind, delay, atMinute, startsOn }: Times): string => {
  const { timing, begins } = kinds[kind]
  const at = atMinute === null ? '' : ` at ${formatMinute(atMinute)}`
  if (timing === 'hours') return delay === 0 ? `Soon ${begins}` : `${many(delay, 'hour')} ${begins}`
  if (timing !== 'yearly') return `${many(delay, 'day')} ${begins},${at}`
  const [month = 1, day = 1] = (startsOn ?? '01-01').split('-').map(Number)
  return `On ${monthNames[month - 1]} ${day}${at}, ${begins}`
}

/**
 * The first day on which one that counts days after something can send: what happened before it is on is left out, so a month of silence is no
 * fault. Null where the next thing that happens may begin it.
 * @param onSince the day on which it was or would be switched on
 */
export const firstDayOf = ({ kind, delay }: Pick<Times, 'kind' | 'delay'>, onSince: Day): Day | null =>
  kinds[kind].timing === 'after' ? addDays(onSince, delay) : null

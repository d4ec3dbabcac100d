import { dayOf, formatDay, formatTime } from '../../shared/dates.ts'
import { firstNameOf } from '../../shared/names.ts'
import { timeZoneLabel } from '../../shared/timeZone.ts'

/** Rules of the product owner's desk: what stands in a template, what may leave, whose open an open was. */

export const pageSize = 50
/** Characters of a message that the timeline of responses shows. */
export const previewCharacters = 200
/** The most characters of a text; the counter says when fewer cost less. */
export const textCharacters = 160

export const emailTemplates = ['initial_contact', 'follow_up_interested', 'follow_up_general', 'special_deals'] as const
export const smsTemplates = [...emailTemplates, 'meeting_reminder'] as const
export type TemplateKey = (typeof smsTemplates)[number]

export const couponMark = '[INSERT_COUPON]'

export type Template = { subject: string; message: string }

/** What the templates say until the product owner changes them. Texts fit 160 characters with a usual name and address. */
export const defaultTemplates: Readonly<{
  email: Readonly<Record<(typeof emailTemplates)[number], Template>>
  sms: Readonly<Record<TemplateKey, Template>>
}> = {
  email: {
    initial_contact: {
      subject: 'Your free Setup Sprint with Swath',
      message:
        'Hi {name},\n\nthank you for your interest in Swath: routes, schedule and invoices of a lawn-care business in one place.\n\nThe quickest way to see whether it fits is a free 30-minute demo with your own customers on the map. Pick a time that suits you:\n{scheduling_link}\n\nAnd if you join, 15% off your first month is yours with the code [INSERT_COUPON].\n\nJust answer this mail with any question.',
    },
    follow_up_interested: {
      subject: 'Shall we put your routes on the map?',
      message:
        'Hi {name},\n\ngood to hear that you want to know more. In a free 30-minute demo we plan one of your real days together and you see what the driving costs now and then.\n\nPick a time here:\n{scheduling_link}\n\nYour first month is 15% off with the code [INSERT_COUPON].',
    },
    follow_up_general: {
      subject: 'Still spending evenings on the schedule?',
      message:
        'Hi {name},\n\na short note in case the first one came at a busy time. If routes, schedule and invoices still take your evenings, a free 30-minute demo shows what Swath would do with your own week:\n{scheduling_link}\n\nIf now is not the time, tell me when to write again.',
    },
    special_deals: {
      subject: '15% off your first month',
      message:
        'Hi {name},\n\nstart with Swath and take 15% off your first month: enter the code [INSERT_COUPON] at checkout.\n\nWould you like to see it first? A free 30-minute demo is one click away:\n{scheduling_link}',
    },
  },
  sms: {
    initial_contact: {
      subject: '',
      message: 'Hi {name}, thanks for your interest in Swath! Pick a time for a free 30-minute demo: {scheduling_link}',
    },
    follow_up_interested: {
      subject: '',
      message:
        'Hi {name}, 15% off your first month of Swath with [INSERT_COUPON]. Free 30-minute demo: {scheduling_link}',
    },
    follow_up_general: {
      subject: '',
      message: 'Hi {name}, any questions about Swath? See your own routes in a free 30-minute demo: {scheduling_link}',
    },
    special_deals: {
      subject: '',
      message: 'Hi {name}, 15% off your first month of Swath: code [INSERT_COUPON]. See it first: {scheduling_link}',
    },
    meeting_reminder: {
      subject: '',
      message: 'Hi {name}, our Swath call is on {call_time}. Another time? {scheduling_link}',
    },
  },
}

/** How a lead is addressed: by name, else by what stands before the @. */
export const addressedAs = (lead: { name: string; email: string }): string =>
  lead.name.trim() || (lead.email.split('@')[0] ?? '')

/** What the placeholders of a template stand for with one lead. */
export type Placeholders = {
  name: string
  email: string
  schedulingLink: string
  /** When the next booked call begins; null while there is none. */
  callAt: string | null
  /** The lead's, else the product owner's. */
  timeZone: string
}

const callTime = ({ callAt, timeZone }: Placeholders): string =>
  callAt
    ? `${formatDay(dayOf(callAt, timeZone))}, ${formatTime(callAt, timeZone)} ${timeZoneLabel(timeZone)}`
    : '{call_time}'

/** Puts the lead, the booking page and the next call into a template; the coupon is filled in by a person. People are called by their first name. */
export const fillTemplate = (text: string, lead: Placeholders): string =>
  text
    .replaceAll('{name}', firstNameOf(addressedAs(lead)))
    .replaceAll('{scheduling_link}', lead.schedulingLink)
    .replaceAll('{call_time}', callTime(lead))

/** The same for a text: a long name gives way to its first part before the end of the text does. */
export const fillTextTemplate = (text: string, lead: Placeholders): string => {
  const whole = fillTemplate(text, lead)
  if (whole.length <= textCharacters) return whole
  const [first = ''] = addressedAs(lead).split(/[\s-]+/)
  return fillTemplate(text, { ...lead, name: first })
}

/** Why a message cannot leave as it stands, or null. */
export const unfilled = (...texts: string[]): string | null => {
  const all = texts.join('\n')
  if (all.includes(couponMark)) return `Fill in the coupon first: ${couponMark} still stands in the message.`
  if (all.includes('{call_time}'))
    return 'No call is booked with this lead, so {call_time} has no time. Book one, or take it out.'
  const mark = /\{(name|scheduling_link)\}/.exec(all)?.[0]
  return mark ? `Fill in ${mark} first: it still stands in the message.` : null
}

/** The first characters of a message, with dots when there is more. */
export const previewOf = (text: string, most = previewCharacters): string => {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most).join('').trimEnd()}...`
}

/** A share in percent, to one decimal; nothing of nothing is 0. */
export const rateOf = (part: number, whole: number): number => (whole > 0 ? Math.round((1000 * part) / whole) / 10 : 0)

/** Images of these programs are fetched by a machine, whether somebody reads the mail or not. */
const proxies =
  /GoogleImageProxy|ggpht\.com|YahooMailProxy|bot\b|crawler|spider|barracuda|mimecast|proofpoint|safelinks|curl|wget|python|headless/i

/** Seconds after sending in which nobody reads yet: scanners at the gate. */
export const scannerSeconds = 30

/**
 * Whether an open or a click was a machine's: asked only for the head, sooner than anybody reads, by an image proxy or a scanner, or with
 * the bare name that Apple's mail privacy uses.
 */
export const isMachine = (event: {
  method: string
  userAgent: string
  /** Null when the mail has not left as far as we know: somebody opened it who could not. */
  secondsSinceSent: number | null
}): boolean =>
  event.method === 'HEAD' ||
  event.secondsSinceSent === null ||
  event.secondsSinceSent < scannerSeconds ||
  event.userAgent.trim() === '' ||
  /^Mozilla\/5\.0$/.test(event.userAgent.trim()) ||
  proxies.test(event.userAgent)

/**
 * Clicks of a scanner that follows everything: all links of a mail (two or more) within one second.
 * @param clicks instants in milliseconds by link
 * @returns the ids of the clicks that belong to such a burst
 */
export const burstOf = (
  clicks: readonly { id: string; linkId: string; atMs: number }[],
  linkCount: number,
): string[] => {
  if (linkCount < 2) return []
  const sorted = clicks.toSorted((a, b) => a.atMs - b.atMs)
  const found = new Set<string>()
  for (const first of sorted) {
    const within = sorted.filter((click) => click.atMs >= first.atMs && click.atMs - first.atMs <= 1000)
    if (new Set(within.map((click) => click.linkId)).size === linkCount) for (const click of within) found.add(click.id)
  }
  return [...found]
}

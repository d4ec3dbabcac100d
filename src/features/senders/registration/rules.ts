import type { Refusal } from '../../../shared/can.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'

/** What the texts of a business leave from: a number of its area (10DLC), or one that costs who calls it nothing. */
export const senderKinds = ['local', 'tollFree'] as const
export type SenderKind = (typeof senderKinds)[number]

/** open: not sent in; returned: the carriers want something else first. */
export const markStates = ['open', 'sent', 'approved', 'returned'] as const
export type MarkState = (typeof markStates)[number]

/** What is registered: who the business is, and what its texts are; of a toll-free number only the second. */
export const markedSteps = ['brand', 'campaign'] as const
export type MarkedStep = (typeof markedSteps)[number]

export const entities = ['llc', 'corporation', 'partnership', 'soleProprietor', 'nonProfit'] as const
export type Entity = (typeof entities)[number]
export const entityLabels: Record<Entity, string> = {
  llc: 'LLC',
  corporation: 'Corporation',
  partnership: 'Partnership',
  soleProprietor: 'Sole proprietor',
  nonProfit: 'Nonprofit',
}

/** Who the business is, as its letter from the IRS has it. */
export type Details = {
  legalName: string
  entity: Entity | null
  /** Nine digits, or empty for who has none. */
  ein: string
  street: string
  city: string
  state: string | null
  zip: string
  website: string
  email: string
  phone: string | null
}

export type Mark = { state: MarkState; on: Day | null; note: string | null }

export type Registration = {
  kind: SenderKind | null
  details: Details
  brand: Mark
  campaign: Mark
}

/** "12-3456789", as the IRS writes it. */
export const shownEin = (ein: string): string => (ein ? `${ein.slice(0, 2)}-${ein.slice(2)}` : '')

/** What is still needed of the details, in words; empty when all is there. */
export const missingDetails = (details: Details): string[] => {
  const needed: [boolean, string][] = [
    [details.legalName !== '', 'the legal name'],
    [details.entity !== null, 'the kind of business'],
    // who has an EIN has to register with it; only a sole proprietor may have none
    [details.ein !== '' || details.entity === 'soleProprietor', 'the EIN'],
    [details.street !== '' && details.city !== '' && details.state !== null && details.zip !== '', 'the address'],
    [details.website !== '', 'a website'],
    [details.email !== '', 'an e-mail'],
    [details.phone !== null, 'a phone'],
  ]
  return needed.filter(([there]) => !there).map(([, words]) => words)
}

const named = (list: readonly string[]): string =>
  list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`

export const stepStates = ['done', 'now', 'waits', 'returned', 'later'] as const
export type StepState = (typeof stepStates)[number]
export const stepKeys = ['kind', 'details', 'brand', 'campaign', 'done'] as const
export type StepKey = (typeof stepKeys)[number]
export type Step = { key: StepKey; title: string; state: StepState; words: string }

const titles: Record<SenderKind, Record<StepKey, string>> = {
  local: {
    kind: 'Choose the kind of number',
    details: 'Say who your business is',
    brand: 'Register your business (brand)',
    campaign: 'Register what you text (campaign)',
    done: 'Texts leave from your own number',
  },
  tollFree: {
    kind: 'Choose the kind of number',
    details: 'Say who your business is',
    brand: '',
    campaign: 'Have your toll-free number verified',
    done: 'Texts leave from your own number',
  },
}

const takes: Record<SenderKind, Record<MarkedStep, string>> = {
  local: { brand: 'It mostly takes from minutes to three days.', campaign: 'It mostly takes one to three weeks.' },
  tollFree: { brand: '', campaign: 'It mostly takes three to five work days.' },
}

const markWords = (kind: SenderKind, step: MarkedStep, { state, on, note }: Mark): string => {
  const day = on ? ` on ${formatDay(on, { year: true })}` : ''
  const what = { brand: 'your business', campaign: kind === 'local' ? 'what you text' : 'your toll-free number' }[step]
  if (state === 'approved') return `Approved${day}.`
  if (state === 'sent') return `Sent in${day}. ${takes[kind][step]}`
  const why = (note ?? 'no reason was said').replace(/[.\s]+$/, '')
  if (state === 'returned') return `Sent back${day}: ${why}. Mend that, then send it in again.`
  return `Not sent in yet. Copy what stands below into the registration of ${what}, then say here that you sent it in.`
}

const stateOf = ({ state }: Mark): StepState =>
  state === 'approved' ? 'done' : state === 'sent' ? 'waits' : state === 'returned' ? 'returned' : 'now'

/** The steps to a number of one's own in their order, each with where it stands in words. */
export const stepsOf = ({ kind, details, brand, campaign }: Registration): Step[] => {
  const of = kind ?? 'local'
  const missing = missingDetails(details)
  const step = (key: StepKey, state: StepState, words: string): Step => ({ key, title: titles[of][key], state, words })
  const known = kind !== null && missing.length === 0
  const isBrandDone = of === 'tollFree' || brand.state === 'approved'
  const isDone = known && isBrandDone && campaign.state === 'approved'
  return [
    kind === null
      ? step('kind', 'now', 'A local number is known in your area; a toll-free one is registered sooner.')
      : step('kind', 'done', kind === 'local' ? 'A local number (10DLC).' : 'A toll-free number.'),
    kind === null
      ? step('details', 'later', 'After that.')
      : missing.length > 0
        ? step('details', 'now', `Still needed: ${named(missing)}.`)
        : step('details', 'done', 'Complete. It has to read as on the letter from the IRS.'),
    ...(of === 'local'
      ? [
          // why the carriers sent it back stays to be read while it is mended
          known || brand.state === 'returned'
            ? step('brand', stateOf(brand), markWords(of, 'brand', brand))
            : step('brand', 'later', 'After that.'),
        ]
      : []),
    known && isBrandDone
      ? step('campaign', stateOf(campaign), markWords(of, 'campaign', campaign))
      : step('campaign', 'later', 'After that.'),
    step(
      'done',
      isDone ? 'now' : 'later',
      isDone
        ? 'The carriers know you. Tell support the number; until it is switched over, texts leave from Swath’s registered number as before.'
        : 'Until then texts leave from Swath’s registered number. Nothing waits for this.',
    ),
  ]
}

export type MarkFacts = Registration & { step: MarkedStep; to: MarkState }

const stepWords: Record<MarkedStep, string> = { brand: 'the business', campaign: 'what you text' }

/** Why a step cannot be marked so, or null. */
export const markRefusal: Refusal<MarkFacts> = ({ kind, details, brand, campaign, step, to }) => {
  if (kind === null) return 'Choose first what kind of number it is.'
  if (step === 'brand' && kind === 'tollFree')
    return 'A toll-free number has no brand to register, only its verification.'
  const missing = missingDetails(details)
  if (missing.length > 0) return `First say who your business is. Still needed: ${named(missing)}.`
  if (step === 'campaign' && kind === 'local' && brand.state !== 'approved')
    return 'The carriers take what you text only after your business is approved.'
  const now = (step === 'brand' ? brand : campaign).state
  if ((to === 'approved' || to === 'returned') && now === 'open')
    return `Say first that ${stepWords[step]} was sent in.`
  if (step === 'brand' && to !== 'approved' && campaign.state !== 'open')
    return 'What you text was sent in already, so your business was approved. Take that step back first.'
  return null
}

/** What is copied into the registration: carriers ask how people agree, what they read, and how they end it. */
export const campaignTexts = (name: string, urls: { page: string; terms: string; privacy: string }) => [
  {
    label: 'What the texts are for',
    text: `${name} is a lawn-care company. It texts its own customers about their service: reminders before a visit, changes of the day, "on my way", invoices and receipts, and answers to what they ask. Offers go only to customers who agreed to offers.`,
  },
  {
    label: 'How people agree',
    text: `Customers give their mobile number and agree to texts when they ask for a quote or book on ${urls.page}, in the customer portal, or in person, which is written down with the day and the words. The box is not checked beforehand, agreeing is no condition of buying, and the terms stand beside it: ${urls.terms} and ${urls.privacy}. Numbers are given to nobody else.`,
  },
  {
    label: 'Sample text 1',
    text: `${name}: your lawn is on our route tomorrow, Tuesday, between 9 and 11 AM. Please leave the gate unlocked. Reply STOP to get no more texts.`,
  },
  {
    label: 'Sample text 2',
    text: `${name}: we are on our way and should be there in about 20 minutes. Reply HELP for help, STOP to get no more texts.`,
  },
  {
    label: 'What who joins reads',
    text: `${name}: you agreed to texts about your service. Message frequency varies. Message and data rates may apply. Reply HELP for help, STOP to end.`,
  },
  { label: 'What STOP answers', text: `${name}: you get no more texts from us. Reply START to get them again.` },
]

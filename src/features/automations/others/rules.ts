import { linkTo } from '../../../shared/links.ts'
import { hubPath } from '../../../shared/paths.ts'

/** What other parts of the product send by themselves: one list of all of it, each with where it is set. Nothing of it is sent from here. */

type Other = {
  label: string
  when: string
  /** Where it is switched on or off; null where it cannot be. */
  href: string | null
  group: 'Visits' | 'Quotes and seasons' | 'Money' | 'Leads and reviews' | 'Crews'
}

export const others = {
  reminder: {
    group: 'Visits',
    label: 'Reminder the day before',
    when: 'The evening before a visit',
    href: '/profile?section=messages#notices',
  },
  moved: {
    group: 'Visits',
    label: 'A visit moved',
    when: 'Five minutes after a visit moved whose day they were told',
    href: '/profile?section=messages#notices',
  },
  on_way: {
    group: 'Visits',
    label: 'On the way',
    when: 'When a crew leaves for a visit',
    href: '/profile?section=messages#notices',
  },
  treated: {
    group: 'Visits',
    label: 'What was applied',
    when: 'After a treatment was recorded',
    href: linkTo.chemicals('rules'),
  },
  booking: {
    group: 'Visits',
    label: 'A booking on your page',
    when: 'When somebody books a day, and when you answer',
    href: hubPath('leads'),
  },
  follow_up: {
    group: 'Quotes and seasons',
    label: 'A quote nobody answered',
    when: '2, 5 and 10 days after a quote was sent; each quote can be left out',
    href: hubPath('quotes'),
  },
  renewal: {
    group: 'Quotes and seasons',
    label: 'A season renewal nobody answered',
    when: '2, 5 and 10 days after you sent a renewal that asks for a yes',
    href: hubPath('quotes', 'renewals'),
  },
  invoice: {
    group: 'Money',
    label: 'Invoices',
    when: 'When an invoice is sent, by you or by automatic invoices',
    href: '/profile?section=money#auto-invoices',
  },
  invoice_reminder: {
    group: 'Money',
    label: 'Invoice reminders',
    when: 'On the days around the due day that you chose',
    href: '/profile?section=money#invoicing',
  },
  receipt: { group: 'Money', label: 'Receipts', when: 'When a payment arrived', href: null },
  autopay: {
    group: 'Money',
    label: 'Autopay: coming, declined, off',
    when: 'Before a charge, and when a bank says no',
    href: '/profile?section=money#invoicing',
  },
  card_expiring: {
    group: 'Money',
    label: 'A card that expires',
    when: '30 days before a card on file expires',
    href: null,
  },
  review: {
    group: 'Leads and reviews',
    label: 'Review request',
    when: 'After a visit, once in the days that you chose',
    href: '/profile?section=messages#reviews',
  },
  lead_reply: {
    group: 'Leads and reviews',
    label: 'First answer to a request',
    when: 'When somebody asks on your page',
    href: hubPath('leads'),
  },
  missed_call: {
    group: 'Leads and reviews',
    label: 'Text to a missed call',
    when: 'When nobody took a call',
    href: hubPath('leads'),
  },
  referral: {
    group: 'Leads and reviews',
    label: 'Thanks for a referral',
    when: 'When a friend who was sent paid first',
    href: hubPath('leads'),
  },
  crew_stop: {
    group: 'Crews',
    label: 'A stop added today',
    when: 'On the phone of the crew, when its day gets another stop',
    href: null,
  },
  crew_clock: {
    group: 'Crews',
    label: 'Still clocked in',
    when: 'On the phone of who forgot to clock out',
    href: null,
  },
} as const satisfies Record<string, Other>
export type OtherKey = keyof typeof others
export const otherKeys = Object.keys(others) as [OtherKey, ...OtherKey[]]
export const otherGroups = [...new Set(Object.values(others).map(({ group }) => group))]

/** Those of which a dry run says what they would have sent. */
export const foreseenKeys = ['reminder', 'invoice_reminder', 'review'] as const satisfies readonly OtherKey[]
export type ForeseenKey = (typeof foreseenKeys)[number]
/** Whether there is a dry run of it. */
export const isForeseen = (key: OtherKey): key is ForeseenKey => (foreseenKeys as readonly OtherKey[]).includes(key)
/** Those of which it says who owes what: for who may see money. */
export const tellsMoney = (key: ForeseenKey): boolean => key === 'invoice_reminder'

/** What is switched one by one, where nothing switches it for the whole business. */
export const unswitched: Readonly<Partial<Record<OtherKey, string>>> = {
  follow_up: 'By quote',
  renewal: 'By renewal',
  invoice: 'By invoice',
}

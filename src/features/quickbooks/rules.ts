import type { Refusal } from '../../shared/can.ts'
import { formatCents } from '../../shared/money.ts'

/** Where a business is with its books. */
export const booksStates = ['unavailable', 'none', 'setUp', 'connected', 'reconnect'] as const
export type BooksState = (typeof booksStates)[number]

export const booksKinds = [
  'customer',
  'item',
  'method',
  'invoice',
  'payment',
  'credit',
  'write_off',
  'use',
  'refund',
  'expense',
  'movement',
  'payout',
  'payout_back',
] as const
export type BooksKind = (typeof booksKinds)[number]

/** A kind of record as a person reads it. */
export const kindLabels: Record<BooksKind, string> = {
  customer: 'Customer',
  item: 'Service',
  method: 'Payment method',
  invoice: 'Invoice',
  payment: 'Payment',
  credit: 'Credit note',
  write_off: 'Write-off',
  use: 'Use of a credit',
  refund: 'Refund',
  expense: 'Expense',
  payout: 'Payout',
  payout_back: 'Payout sent back',
  movement: 'Dispute, tip or correction',
}

const manyLabels: Partial<Record<BooksKind, string>> = {
  use: 'Uses of credits',
  payout_back: 'Payouts sent back',
  movement: 'Disputes, tips and corrections',
}

/** The records of a kind, before how many they are: "Invoices" 12, "Tip" 1. @param tips how many of them are tips */
export const countedLabel = (kind: BooksKind, count: number, tips = 0): string => {
  if (tips > 0 && tips === count) return count === 1 ? 'Tip' : 'Tips'
  return count === 1 ? kindLabels[kind] : (manyLabels[kind] ?? `${kindLabels[kind]}s`)
}

/** What is only a name there: no money and no day. */
export const isName = (kind: BooksKind): boolean => kind === 'customer' || kind === 'item' || kind === 'method'

/** What stands in the way of a record, once for each thing to do about it. */
export const problems = [
  'name_taken',
  'number_taken',
  'closed',
  'inactive',
  'gone',
  'unread',
  'changed_there',
  'moved_there',
  'moved_theirs',
  'differs',
  'unreachable',
  'by_hand',
  'behind_skipped',
  'deposited',
  'other',
] as const
export type Problem = (typeof problems)[number]

export const fixes = ['link', 'suffix', 'follow', 'retry', 'again', 'accept', 'skip'] as const
export type Fix = (typeof fixes)[number]

const offered: Record<Problem, readonly Fix[]> = {
  name_taken: ['link', 'suffix', 'skip'],
  number_taken: ['suffix', 'retry', 'skip'],
  closed: ['retry', 'skip'],
  inactive: ['retry', 'skip'],
  gone: ['again', 'skip'],
  // it stands there as it is, whatever that is: it is looked at again, and nothing is sent blindly
  unread: ['retry', 'skip'],
  changed_there: ['retry', 'accept'],
  // a payment that was made there is theirs to put on what it pays
  moved_there: ['follow', 'retry', 'accept'],
  moved_theirs: ['follow', 'accept'],
  differs: ['retry', 'accept'],
  unreachable: ['retry', 'skip'],
  by_hand: ['skip'],
  behind_skipped: ['retry', 'skip'],
  deposited: ['retry', 'skip'],
  other: ['retry', 'skip'],
}

/**
 * What can be done about a row that did not go through.
 * @param hasTwin whether somebody of that name was found there, whom it can be linked to
 */
export const fixesOf = (problem: string | null, status: string, hasTwin: boolean): Fix[] => {
  if (status === 'skipped') return ['retry']
  if (status !== 'failed') return []
  return (offered[(problem ?? 'other') as Problem] ?? offered.other).filter((fix) => fix !== 'link' || hasTwin)
}

export type Said = { problem: Problem; message: string; twin?: { id: string; name: string } | undefined }

/**
 * What a clear no of the books means, in words that say what to do. Their numbers have changed places over the years, so the words count too.
 * @param label what was being sent, as "Invoice INV-1001"
 */
export const problemOf = (code: string, detail: string, label: string): Said => {
  if (code === '6240' || /name.*(already exists|in use)|duplicate name/i.test(detail))
    return {
      problem: 'name_taken',
      message: `QuickBooks already has somebody or something with the name of this ${label.split(' ')[0]?.toLowerCase() ?? 'record'}.`,
    }
  if (/account period|books.*closed|closing date/i.test(detail))
    return {
      problem: 'closed',
      message: `The books are closed for its day in QuickBooks. Open that period there and try again, or skip it and enter it by hand.`,
    }
  if (code === '6540' || /deposited transaction/i.test(detail))
    return {
      problem: 'deposited',
      message:
        'It stands in a bank deposit in QuickBooks, which holds it fast. Take it off that deposit there, try again, and put it back; or skip it.',
    }
  if (code === '6140' || (code === '6210' && /duplicate/i.test(detail)))
    return { problem: 'number_taken', message: 'Another document in QuickBooks has its number already.' }
  if (code === '610' || /made inactive|object not found/i.test(detail))
    return {
      problem: 'inactive',
      message: `Something it needs was made inactive or deleted in QuickBooks: ${/\(([^)]*)\)\s*$/.exec(detail)?.[1] ?? 'an account, a service or a customer'}. Make it active there and try again.`,
    }
  return { problem: 'other', message: `QuickBooks did not take it: ${detail.replace(/\.$/, '') || `error ${code}`}.` }
}

/** What it means that the books do not show a record, in words that say what to do. Whether it was deleted there nobody knows then. */
export const unreadOf = (code: string): Said => ({
  problem: 'unread',
  message:
    code === '5020' || code === '403' || code === '3100'
      ? 'QuickBooks does not show it to Swath: whoever connected QuickBooks may not see it there. Give them access in QuickBooks, or connect as somebody who has it, then try again. Nothing was changed.'
      : `QuickBooks did not show it to Swath (its number for that is ${code}). Whether it was changed or deleted there is looked up when you try again. Nothing was changed.`,
})

/** What is said of a record of ours that somebody made another sum there. */
export const changedThere = (thereCents: number, oursCents: number): string =>
  `Somebody made it ${formatCents(thereCents)} in QuickBooks; in Swath it is ${formatCents(oursCents)}.`

/** What is said of a record of ours that was deleted there. */
export const goneThere: Said = {
  problem: 'gone',
  message: 'It was deleted in QuickBooks. Send it again, or skip it if that was meant.',
}

/** A name as the books take it: one line without a colon, which would make it a part of another, of at most `most` letters. */
export const nameThere = (name: string, suffix: string, most = 100): string => {
  const plain = name
    .replaceAll(':', '-')
    .replace(/[\t\r\n]+/g, ' ')
    .trim()
  const end = suffix ? ` ${suffix}` : ''
  return `${plain.slice(0, most - end.length)}${end}`
}

/** A document's number as the books take it, at most 21 letters. */
export const numberThere = (number: string, suffix: string): string =>
  `${number}${suffix ? `-${suffix}` : ''}`.slice(0, 21)

/** What a name that is taken gets behind it: the next one after `before`. */
export const nextSuffix = (kind: BooksKind, before: string): string => {
  const number = Number(/\d+/.exec(before)?.[0] ?? 1) + 1
  if (kind === 'customer') return before === '' ? '(customer)' : `(customer ${number})`
  return kind === 'item' || kind === 'method'
    ? before === ''
      ? '(Swath)'
      : `(Swath ${number})`
    : before === ''
      ? 'S'
      : `S${number}`
}

/** What can stand only there and be about our work. */
export const theirTypes = ['Invoice', 'CreditMemo', 'Payment'] as const
export type TheirType = (typeof theirTypes)[number]

/** What can be done about a record that stands only there. */
export const repairs = ['link', 'bring_in', 'take_out', 'leave', 'list_again'] as const
export type Repair = (typeof repairs)[number]

/**
 * What can be done about a record that stands only there.
 * @param hasTwin whether one of ours is probably the same
 * @param isUsed whether something was paid on it or with it there, so that it cannot just go
 */
export const repairsOf = (type: TheirType, hasTwin: boolean, isUsed: boolean): Repair[] => {
  if (type === 'Payment') return ['bring_in', 'leave']
  return [...(hasTwin ? (['link'] as const) : []), ...(isUsed ? [] : (['take_out'] as const)), 'leave']
}

/** How long after a lost answer it is tried again, in seconds: half a minute, then longer, an hour at most. */
export const waitAfterLost = (tries: number): number => Math.min(3600, 30 * 2 ** Math.max(0, tries - 1))
/** After so many lost answers somebody has to look. */
export const mostTries = 10
/** How long a company that was asked too much is left alone, in seconds. */
export const busySeconds = 60

export type AccountRole =
  | 'income'
  | 'deposit'
  | 'bank'
  | 'card'
  | 'cash'
  | 'expense'
  | 'receivable'
  | 'tax'
  | 'tips'
  | 'discounts'
/** Roles that not every business needs: what would be booked there asks for one first, but for discounts, which lower the income. */
export const optionalRoles: readonly AccountRole[] = ['card', 'cash', 'tips', 'discounts']
/** What is booked where, with the types of account that QuickBooks takes there. */
export const accountRoles: Record<AccountRole, { label: string; hint: string; types: readonly string[] }> = {
  income: { label: 'Income account', hint: 'What you invoice is booked here.', types: ['Income', 'Other Income'] },
  deposit: {
    label: 'Where payments go',
    hint: 'Undeposited Funds, so that a card payout becomes one deposit of its payments less the fee.',
    types: ['Other Current Asset', 'Bank'],
  },
  bank: {
    label: 'Bank account',
    hint: 'Checks and transfers are paid from it, and payouts arrive on it.',
    types: ['Bank'],
  },
  card: {
    label: 'Company card account',
    hint: 'What is paid by company card. For a debit card choose its bank account.',
    types: ['Credit Card', 'Bank'],
  },
  cash: { label: 'Cash account', hint: 'What is paid or given back in cash leaves it.', types: ['Bank'] },
  expense: {
    label: 'Expense account',
    hint: 'For expenses whose category has no account of its own.',
    types: ['Expense', 'Other Expense', 'Cost of Goods Sold'],
  },
  receivable: {
    label: 'Receivable account',
    hint: 'What customers owe you. Refunds are booked against it.',
    types: ['Accounts Receivable'],
  },
  tax: {
    label: 'Sales tax account',
    hint: 'Tax that you collect is owed from here.',
    types: ['Other Current Liability'],
  },
  tips: {
    label: 'Tips account',
    hint: 'Tips are owed to the crew from here, as Tips payable.',
    types: ['Other Current Liability'],
  },
  discounts: {
    label: 'Discounts account',
    hint: 'What you take off for paying without a card is booked here, as Discounts given.',
    types: ['Income', 'Other Income', 'Expense', 'Other Expense'],
  },
}
export const roleNames = Object.keys(accountRoles) as AccountRole[]

export const taxModes = ['line', 'code'] as const
export type TaxMode = (typeof taxModes)[number]

type Ours = { id: string; name: string; email: string | null; phone: string | null }
type Theirs = { id: string; name: string; email: string; phone: string }
export type Pair<O extends Ours = Ours> = { customer: O; remote: Theirs; by: ('email' | 'phone' | 'name')[] }

const digits = (text: string): string => text.replace(/\D/g, '').slice(-10)
const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

/**
 * Who there is probably one of ours: the same e-mail, phone or name, letter by letter. Each of both sides stands in one pair at most, the ones that
 * agree in most go first. Only a proposal: a person says yes.
 */
export const pairsOf = <O extends Ours>(ours: readonly O[], theirs: readonly Theirs[]): Pair<O>[] => {
  const byEmail = Map.groupBy(theirs, (one) => plain(one.email))
  const byPhone = Map.groupBy(theirs, (one) => digits(one.phone))
  const byName = Map.groupBy(theirs, (one) => plain(one.name))
  const found = ours.flatMap((customer) => {
    const email = customer.email ? (byEmail.get(plain(customer.email)) ?? []) : []
    const phone =
      customer.phone && digits(customer.phone).length === 10 ? (byPhone.get(digits(customer.phone)) ?? []) : []
    const name = byName.get(plain(customer.name)) ?? []
    return [...new Set([...email, ...phone, ...name])].map(
      (remote): Pair<O> => ({
        customer,
        remote,
        by: [
          ...(email.includes(remote) ? (['email'] as const) : []),
          ...(phone.includes(remote) ? (['phone'] as const) : []),
          ...(name.includes(remote) ? (['name'] as const) : []),
        ],
      }),
    )
  })
  const [mine, yours] = [new Set<string>(), new Set<string>()]
  return found
    .sort((a, b) => b.by.length - a.by.length)
    .filter(({ customer, remote }) => {
      if (mine.has(customer.id) || yours.has(remote.id)) return false
      mine.add(customer.id)
      yours.add(remote.id)
      return true
    })
}

export type BooksFacts = { state: BooksState; reason: string | null }
export const booksActions = ['connect', 'disconnect', 'setUp', 'send'] as const
export type BooksAction = (typeof booksActions)[number]

const notConnected = 'QuickBooks is not connected. Nothing was changed.'

/** Why something cannot be done with the books now. */
export const booksRefusals: Record<BooksAction, Refusal<BooksFacts>> = {
  connect: ({ state, reason }) =>
    state === 'unavailable' ? `${reason ?? 'This server is not set up for QuickBooks.'} Nothing was changed.` : null,
  disconnect: ({ state }) => (state === 'none' || state === 'unavailable' ? notConnected : null),
  setUp: ({ state }) =>
    state === 'connected' || state === 'setUp'
      ? null
      : state === 'reconnect'
        ? 'Connect QuickBooks again first. Nothing was changed.'
        : notConnected,
  send: ({ state }) =>
    state === 'connected'
      ? null
      : state === 'setUp'
        ? 'Choose your accounts first. Nothing was sent.'
        : state === 'reconnect'
          ? 'Connect QuickBooks again first. What waits is kept.'
          : notConnected,
}

import { dollarsOf, type Ref, type RemoteLine } from '../../../../platform/books/client.ts'
import { type Document, noteOf, quote, type Setup } from './shapes.ts'

// What leaves the bank, as the books have it: refunds and expenses.

/** Payments that go straight to the bank account leave nothing to deposit: then a payout is only its fee. */
export const hasDeposits = ({ deposit, bank }: Setup['accounts']): boolean => deposit !== bank

export const spent = (accountId: string, cents: number, description: string, customer?: Ref): RemoteLine => ({
  ...(description ? { Description: description.slice(0, 4000) } : {}),
  Amount: dollarsOf(cents),
  DetailType: 'AccountBasedExpenseLineDetail',
  AccountBasedExpenseLineDetail: { ...(customer ? { CustomerRef: customer } : {}), AccountRef: { value: accountId } },
})

type Paid = Pick<Document, 'state'> & Partial<Pick<Document, 'because' | 'byHand' | 'tryAgain'>>

/** From which account something was paid, and as what: a card is no check, and cash never left the bank. */
const paidBy = (
  method: string,
  { bank, card, cash, cardIsDebit }: Setup['accounts'],
): { account: string | null; type: 'Check' | 'Cash' | 'CreditCard'; word: string } => {
  if (method === 'card') return { account: card, type: cardIsDebit ? 'Cash' : 'CreditCard', word: 'the company card' }
  if (method === 'cash') return { account: cash, type: 'Cash', word: 'cash' }
  return { account: bank, type: method === 'check' ? 'Check' : 'Cash', word: 'the bank' }
}

/** What has no account yet waits for a person, who says which one it is. */
const askFor = (state: Document['state'], { account, word }: ReturnType<typeof paidBy>): Paid =>
  account === null && state === 'live'
    ? {
        state: 'none',
        because: `Choose the account for ${word} in the set-up of QuickBooks, then try this again.`,
        byHand: true,
        tryAgain: true,
      }
    : { state }

export type RefundFacts = {
  id: string
  customerId: string
  amountCents: number
  method: string
  /** Who took the payment gives it back, or a bank took it there: it is held back from the next payout, and the bank sees only that. */
  isHeldBack: boolean
  day: string
  reason: string
  state: Document['state']
}

/**
 * Money that went back: paid from where payments wait if a payout is less by it, else from the bank or from cash, against what the customer owes, so that it takes nothing off the income a second
 * time.
 */
export const refundDocument = (one: RefundFacts, { accounts }: Setup): Document => {
  // what goes back to a customer's card leaves the bank: it is no purchase with the company's own
  const from = one.isHeldBack
    ? { account: accounts.deposit, type: 'Cash' as const, word: 'payments' }
    : paidBy(one.method === 'card' ? 'bank' : one.method, accounts)
  return {
    kind: 'refund',
    id: one.id,
    type: 'Purchase',
    label: 'Refund',
    ...askFor(one.state, from),
    day: one.day,
    totalCents: one.amountCents,
    needs: [{ kind: 'customer', id: one.customerId }],
    body: (ref) => ({
      TxnDate: one.day,
      PrivateNote: noteOf(one.id, one.reason),
      Line: [
        spent(accounts.receivable, one.amountCents, `Refund. ${one.reason}`.trim(), ref('customer', one.customerId)),
      ],
      AccountRef: { value: from.account ?? accounts.bank },
      PaymentType: from.type,
      EntityRef: { ...ref('customer', one.customerId), type: 'Customer' },
    }),
    lookFor: () => `TxnDate = ${quote(one.day)}`,
  }
}

export type ExpenseFacts = {
  id: string
  day: string
  categoryId: string
  category: string
  vendor: string
  note: string
  totalCents: number
  method: string
  reimbursedOn: string | null
  isVoid: boolean
}

/** What was spent. Own money of somebody goes once it is paid back; what was bought on account is a bill, which is entered there. */
export const expenseDocument = (one: ExpenseFacts, { accounts }: Setup): Document => {
  const onAccount = one.method === 'account'
  const waits = one.method === 'personal' && one.reimbursedOn === null
  // what a card provider kept is a line of its payout's deposit, where there is one
  const isKept = one.method === 'payout' && hasDeposits(accounts)
  const day = one.method === 'personal' ? (one.reimbursedOn ?? one.day) : one.day
  const from = paidBy(one.method, accounts)
  return {
    kind: 'expense',
    id: one.id,
    type: 'Purchase',
    label: `Expense ${one.vendor || one.category}`,
    ...askFor(one.isVoid ? 'void' : onAccount || waits || isKept ? 'none' : 'live', from),
    ...(onAccount ? { because: 'Bought on account: enter the vendor’s bill in QuickBooks.' } : {}),
    day,
    totalCents: one.totalCents,
    needs: [],
    body: () => ({
      TxnDate: day,
      PrivateNote: noteOf(one.id, [one.vendor, one.note].filter(Boolean).join(', ')),
      Line: [
        spent(
          accounts.categories[one.categoryId] ?? accounts.expense,
          one.totalCents,
          [one.category, one.vendor, one.note].filter(Boolean).join(' · '),
        ),
      ],
      AccountRef: { value: from.account ?? accounts.bank },
      PaymentType: from.type,
    }),
    lookFor: () => `TxnDate = ${quote(day)}`,
  }
}

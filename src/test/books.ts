import { quickbooksApi } from '../features/quickbooks/contract.ts'
import { giveCode, realmNamed } from '../local/books/ledger.ts'
import { listThere } from '../local/books/play.ts'
import { openCompany } from '../local/books/store.ts'
import { addDays, type Day } from '../shared/dates.ts'
import { apiFor, runTasks } from './api.ts'
import type { TestBusiness } from './factories.ts'
import { today } from './field.ts'

/** Comes back from the page of the books as a browser does, for a company by its name. */
export const comeBack = async (own: TestBusiness, company: string) => {
  const { url } = await own.api.ok(quickbooksApi.connect, {})
  const state = new URL(url, 'http://localhost').searchParams.get('state') ?? ''
  const realmId = realmNamed(company)
  await openCompany(realmId, company)
  return { state, realmId, code: await giveCode(realmId), error: '' }
}

/** A business whose books are connected and set up. */
export const withBooks = async (own: TestBusiness, startOn: Day = addDays(today(), -60), company: string = own.id) => {
  const body = await comeBack(own, company)
  const { version } = await own.api.ok(quickbooksApi.finish, { body })
  const { accounts } = await own.api.ok(quickbooksApi.choices, {})
  const pick = (role: keyof typeof accounts, name: string) => accounts[role]?.find((one) => one.name === name)?.id ?? ''
  const chosen = {
    income: pick('income', 'Landscaping Services'),
    deposit: pick('deposit', 'Undeposited Funds'),
    bank: pick('bank', 'Checking'),
    card: pick('card', 'Company Credit Card'),
    cash: pick('cash', 'Petty Cash'),
    cardIsDebit: false,
    expense: pick('expense', 'Uncategorized Expense'),
    receivable: pick('receivable', 'Accounts Receivable (A/R)'),
    tax: pick('tax', 'Sales Tax Payable'),
    tips: pick('tips', 'Tips Payable'),
    discounts: pick('discounts', 'Discounts given'),
    categories: {},
  }
  await own.api.ok(quickbooksApi.setUp, { body: { accounts: chosen, taxMode: 'line', startOn, version } })
  const realm = body.realmId
  return {
    realm,
    accounts: chosen,
    there: (type: string) => listThere(realm, type),
    /** What waits goes, as it would at its minute. */
    send: async () => {
      await runTasks()
      await own.api.ok(quickbooksApi.send, {})
      await runTasks()
    },
    get: () => own.api.ok(quickbooksApi.get, {}),
    failed: async () => (await own.api.ok(quickbooksApi.queue, { query: { status: 'failed' } })).items,
    waiting: async () => (await own.api.ok(quickbooksApi.queue, { query: { status: 'waiting' } })).items,
    fix: async (id: string, how: 'link' | 'suffix' | 'follow' | 'retry' | 'again' | 'accept' | 'skip', reason = '') => {
      await own.api.ok(quickbooksApi.fix, { params: { id }, body: { how, reason } })
      await runTasks()
    },
  }
}

/** The owner signs in anew: a clock that was moved ends what was signed before. */
export const signInAgain = async (own: TestBusiness): Promise<void> => {
  own.api = await apiFor({
    businessId: own.id,
    userId: own.owner.userId,
    sessionId: own.owner.sessionId,
    role: 'Owner',
  })
}

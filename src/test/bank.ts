import { businessesApi } from '../features/businesses/contract.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { letDaysPass } from '../local/payments/clearing.ts'
import { localPaymentsApi } from '../local/payments/contract.ts'
import { runTasks, stranger } from './api.ts'
import { accountOf, office, openPage } from './cards.ts'
import { aBusiness, type TestBusiness } from './factories.ts'

/** Payments from bank accounts of the test provider, and the days that pass until their banks answer. */

/** Bank accounts by what comes of a debit days later. */
export const accounts = {
  good: '000123456789',
  poor: '000222222227',
  closed: '000111111113',
  notAllowed: '000333333335',
  takenBack: '000555555559',
}

/** A business whose customers may pay from a bank account. */
export const aBankBusiness = async (): Promise<TestBusiness> => {
  const own = await aBusiness()
  await setBank(own, true)
  return own
}

export const setBank = async (own: TestBusiness, bankDebits: boolean): Promise<void> => {
  const api = await office(own)
  const { version } = await api.ok(businessesApi.get, {})
  await api.ok(businessesApi.update, { body: { bankDebits, version } })
}

/** What is typed in on a payment page for a bank account. */
export const payFromBank = (url: string, bankAccount = accounts.good) =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId: url.split('/').at(-1) ?? '' }, body: { bankAccount } })

/** Pays an invoice from a bank account on its page: the bank was asked, and nothing has come yet. */
export const payByBank = async (token: string, bankAccount = accounts.good): Promise<void> => {
  const answer = await payFromBank(await openPage(token), bankAccount)
  if (answer.body.result !== 'paid') throw new Error(`The account was not taken: ${answer.text}`)
  await runTasks()
}

/** Banks answer what they were asked, or take back what they may. */
export const passDays = async (own: TestBusiness): Promise<void> => {
  await letDaysPass(await accountOf(own))
  await runTasks()
}

export const publicPage = (token: string) => stranger.ok(paymentsApi.publicInvoice, { params: { token } })

import { beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payByBank } from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  anInvoice,
  cards,
  leaveCard,
  office,
  openPage,
  payPage,
  runCards,
} from '../../../../test/cards.ts'
import type { TestBusiness } from '../../../../test/factories.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { cardLinksApi } from '../../cardlinks/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { statementPageApi } from '../contract.ts'

/** Who reads Spanish reads nothing of ours in English: a text that is missing in Spanish is an English word here. */

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const english =
  /\b(the|your|you|is|was|are|of|and|for|from|by|with|invoice|invoices|paid|pay|due|open|receipt|thank|see|please|card|bank|account|charged|nothing|balance|amount|issued|statement|hello|we|page|test)\b/i

/** What stands there without what the business itself wrote, as words that a person reads. */
const bare = (text: string, name: string): string =>
  text
    .replaceAll(name, '')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/Mowing|Test Bank|Green Test Lawns|\S+@\S+/g, '')
const readsSpanish = (text: string, name: string) =>
  expect(english.exec(bare(text, name))?.[0] ?? null, text).toBeNull()
/** What a page shows. */
const shown = (html: string) =>
  html
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')

const aSpanish = async (own: TestBusiness) => {
  const customerId = await aCustomer(own, 'ana@test.swath.test')
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ language: 'es', name: 'Ana Ruiz' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return customerId
}
const mails = async (own: TestBusiness) =>
  (await (await office(own)).ok(messagesApi.list, { query: { channel: 'email', limit: 100 } })).items

it('every mail about money is in Spanish: invoice, reminder, receipt, autopay, bank, card link, statement', async () => {
  const own = await aBankBusiness()
  const ana = await aSpanish(own)
  const first = await anInvoice(own, ana)
  await (await office(own)).ok(invoicesApi.remind, { params: { id: first.id } })
  await runTasks()
  await payPage(await openPage(first.token))
  await stranger.ok(paymentsApi.sync, { params: { token: first.token } })
  await runTasks()
  await payByBank((await anInvoice(own, ana)).token, accounts.poor)
  await leaveCard((await anInvoice(own, ana)).token, cards.poor)
  const api = await office(own)
  await api.ok(cardLinksApi.send, { params: { id: ana }, body: { by: 'email' } })
  await anInvoice(own, ana, 4)
  for (const day of [1, 2, 3, 4, 5, 6]) {
    at.onDay(day)
    await passDays(own)
    await runCards(own)
  }
  const period = { from: at.day(-20), to: at.day(6) }
  await (await office(own)).ok(statementsApi.send, { params: { id: ana }, body: period })
  await runTasks()
  const all = await mails(own)
  const subjects = all.map(({ subject }) => subject)
  for (const said of [
    'vence el',
    'Un recordatorio',
    'Pagada',
    'va en camino',
    'no se pudo hacer',
    'cobra',
    'rechazada',
    'deje una tarjeta',
    'Estado de cuenta',
  ])
    expect(
      subjects.some((subject) => subject.includes(said)),
      `${said} in ${subjects.join(' | ')}`,
    ).toBe(true)
  for (const { subject, text } of all) readsSpanish(`${subject}\n${text}`, 'Ana Ruiz')
})

it('so are the pages that open without a script: statement and card link', async () => {
  const own = await aBankBusiness()
  const ana = await aSpanish(own)
  const { token } = await anInvoice(own, ana)
  await payByBank((await anInvoice(own, ana)).token, accounts.good)
  await payPage(await openPage(token))
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await anInvoice(own, ana, 1)
  const api = await office(own)
  const { url } = await api.ok(cardLinksApi.send, { params: { id: ana }, body: { by: 'hand' } })
  const statement = await api.ok(statementsApi.link, { params: { id: ana } })
  at.onDay(4)
  const tokenOf = (address: string) => address.split('/').at(-1) ?? ''
  const pages = [
    await stranger.call(cardLinksApi.page, { params: { token: tokenOf(url) }, query: {} }),
    await stranger.call(statementPageApi.page, { params: { token: tokenOf(statement.url) }, query: {} }),
  ]
  for (const { text } of pages) {
    expect(text).toContain('lang="es"')
    readsSpanish(shown(text), 'Ana Ruiz')
  }
})

import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import {
  aCardClock,
  anInvoice,
  cards,
  invoiceOf,
  office,
  runCards as run,
  tries,
  withCard,
} from '../../../../test/cards.ts'
import type { TestBusiness } from '../../../../test/factories.ts'
import { refuseRows, tryAgain } from '../../../../test/refuse.ts'
import { notificationsApi } from '../../../notifications/contract.ts'

/** What the office hears of autopay: a charge that fails on our side, and the first one that a bank declines. */

const { begin, onDay } = aCardClock()
let heal: () => Promise<void> = async () => undefined
beforeEach(begin)
afterEach(async () => {
  resetClock()
  await heal()
})

const breakFor = async (table: 'checkout_sessions' | 'autopay_charges', invoiceId: string) => {
  heal = await refuseRows(table, `new.invoice_id = '${invoiceId}'`)
}
const again = (own: TestBusiness) => tryAgain(`payments.autopayInvoice:${own.id}:`)
const titles = async (own: TestBusiness, what: RegExp) =>
  (await (await office(own)).ok(notificationsApi.list, {})).notifications.filter(({ title }) => what.test(title))

it('a charge that fails on our side keeps no other, and is tried again by itself', async () => {
  const { own, id, customerId } = await withCard()
  const other = await anInvoice(own, customerId)
  onDay(7)
  await run(own)
  onDay(10)
  await breakFor('checkout_sessions', id)
  await run(own)
  expect([(await invoiceOf(own, id)).status, (await invoiceOf(own, other.id)).status]).toEqual(['issued', 'paid'])
  await heal()
  await again(own)
  expect((await invoiceOf(own, id)).status).toBe('paid')
  expect(await titles(own, /stuck/)).toEqual([])
})

it('one that fails at every try is told to the office, once a day, and the next hour asks anew', async () => {
  const { own, id, customerId } = await withCard()
  const other = await anInvoice(own, customerId)
  await breakFor('autopay_charges', id)
  onDay(7)
  await run(own)
  for (let n = 0; n < 6; n++) await again(own)
  const { number } = await invoiceOf(own, id)
  expect(await titles(own, /stuck/)).toMatchObject([
    { title: `Autopay of INV-${number} is stuck`, content: expect.stringContaining('could not be announced') },
  ])
  await run(own)
  for (let n = 0; n < 6; n++) await again(own)
  expect(await titles(own, /stuck/)).toHaveLength(1)
  await heal()
  await run(own)
  onDay(10)
  await run(own)
  expect([(await invoiceOf(own, id)).status, (await invoiceOf(own, other.id)).status]).toEqual(['paid', 'paid'])
})

it('one whose turn comes in the night waits for the day', async () => {
  const { own, id } = await withCard()
  onDay(7)
  await run(own)
  onDay(10)
  await breakFor('checkout_sessions', id)
  await run(own)
  await heal()
  onDay(10, 22 * 60)
  await again(own)
  expect(await tries(own)).toEqual([])
  onDay(11)
  await run(own)
  expect((await invoiceOf(own, id)).status).toBe('paid')
})

it('the first charge that a bank declines is told to the office, the next ones are not', async () => {
  const { own, id } = await withCard(cards.poor)
  const { number } = await invoiceOf(own, id)
  onDay(7)
  await run(own)
  for (const ahead of [10, 13, 15]) {
    onDay(ahead)
    await run(own)
  }
  expect(await tries(own)).toHaveLength(3)
  expect(await titles(own, /^Autopay could not charge/)).toMatchObject([
    {
      title: `Autopay could not charge INV-${number}`,
      content: expect.stringContaining('There was not enough money on the card. Nothing was charged.'),
    },
  ])
})

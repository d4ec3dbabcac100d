import sharp from 'sharp'
import { extractText } from 'unpdf'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { stepLocalDispute } from '../../../../local/payments/disputes.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { storeObject } from '../../../../platform/storage.ts'
import { dayOf, instantAt } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aPaid, books, dispute, first, invoiceOf, titles, zone } from '../../../../test/disputes.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { disputesApi } from '../contract.ts'
import { sweepDisputes } from './sync.ts'

/** What reaches the bank, and what of the bank does not reach us. */

let restore: () => void = () => undefined
beforeEach(() => {
  const today = dayOf(clock.now(), zone)
  setClock(() => new Date(instantAt(today, 600, zone)))
})
afterEach(() => {
  restore()
  resetClock()
})

type Kept = { status?: string; returnedCents?: number; dueAt?: string; papers?: { invoice: string; work: string } }
const atBank = async (id: string): Promise<Kept> =>
  (await database().selectFrom('localBillingObjects').select('payload').where('id', '=', id).executeTakeFirstOrThrow())
    .payload as Kept
/** The bank says otherwise, and no word of it arrives. */
const quietly = async (id: string, change: Kept) =>
  database()
    .updateTable('localBillingObjects')
    .set({ payload: JSON.stringify({ ...(await atBank(id)), ...change }) })
    .where('id', '=', id)
    .execute()

it('a decision whose word got lost is asked for at night, and ends what waited for it', async () => {
  const paid = await aPaid()
  const { own, api } = paid
  const night = () => sweepDisputes(systemActor(own.id))
  const bank = await dispute(paid)
  restore = setLocalPost(async () => 200)
  const later = new Date(clock.nowMs() + 20 * 86_400_000).toISOString()
  await quietly(bank, { dueAt: later })
  await night()
  expect((await first(paid)).dueAt).toBe(later)
  // decided, and paid back days later
  await quietly(bank, { status: 'won' })
  await night()
  expect(await invoiceOf(paid)).toMatchObject({ status: 'issued', disputed: false })
  expect((await first(paid)).state).toBe('Won: the money is on its way back')
  await quietly(bank, { returnedCents: 5500 })
  await night()
  await night()
  expect(await invoiceOf(paid)).toMatchObject({ status: 'paid', disputed: false })
  expect((await titles(api)).filter((title) => title.startsWith('Dispute')).sort()).toEqual([
    'Dispute won: $55.00 of Rebecca Odom comes back',
    'Dispute won: $55.00 of Rebecca Odom is back',
  ])
  expect(await books(own)).toEqual([])
  restore()
  const other = await aPaid()
  const second = await dispute(other)
  restore = setLocalPost(async () => 200)
  await stepLocalDispute(second, 'lose')
  await sweepDisputes(systemActor(other.own.id))
  expect((await first(other)).status).toBe('lost')
})

it('the bank has every invoice, photos that can be looked at, and the address that the mail went to', async () => {
  const paid = await aPaid()
  const { own, api, customerId, visit } = paid
  const bytes = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#3a7d44' } })
    .jpeg()
    .toBuffer()
  const { storageKey, byteCount, sha256 } = await storeObject(own.id, bytes)
  const fileId = newId()
  const more = await api.ok(invoicesApi.create, {
    body: { customerId, lines: [{ description: 'Hedge', quantity: 1, unitPriceCents: 900 }] },
  })
  await api.ok(invoicesApi.issue, { params: { id: more.id } })
  await own.db(async (db) => {
    const file = { businessId: own.id, id: fileId, kind: 'photo', mime: 'image/jpeg', byteCount, sha256, storageKey }
    await db.insertInto('files').values(file).execute()
    await db
      .insertInto('visitPhotos')
      .values({ businessId: own.id, id: newId(), visitId: visit.visitId, fileId, kind: 'after' })
      .execute()
  })
  const bank = await dispute(paid)
  const { id } = await first(paid)
  await own.db(async (db) => {
    await db.insertInto('disputeInvoices').values({ businessId: own.id, disputeId: id, invoiceId: more.id }).execute()
    await db.updateTable('customers').set({ email: 'new@test.swath.test' }).where('id', '=', customerId).execute()
  })
  const { text, version } = await first(paid)
  expect(text).toContain('mailed to ann@test.swath.test')
  expect(text).not.toContain('new@')
  expect(text).toContain('Photos of the work are in the attached paper.')
  await api.ok(disputesApi.submitEvidence, { params: { id }, body: { text, version } })
  await runTasks()
  const { papers } = await atBank(bank)
  const invoices = await extractText(new Uint8Array(Buffer.from(papers?.invoice ?? '', 'base64')), {
    mergePages: false,
  })
  const number = (await invoiceOf(paid)).number
  expect(invoices.text.map((page) => /INV-\d+/.exec(page)?.[0])).toEqual([`INV-${number}`, `INV-${more.number}`])
  expect(Buffer.from(papers?.work ?? '', 'base64').toString('latin1')).toContain('/Width 1280')
})

it('a visit that was booked as done later names no times: nobody clocked it', async () => {
  const paid = await aPaid()
  const { own, visit } = paid
  const at = clock.iso()
  await own.db((db) =>
    db
      .updateTable('visits')
      .set({ startedAt: at, finishedAt: at })
      .where('businessId', '=', own.id)
      .where('id', '=', visit.visitId)
      .execute(),
  )
  await dispute(paid)
  const begun = await first(paid)
  expect(begun.evidence).toMatchObject({ visits: [{ times: null }] })
  expect(begun.text).not.toContain('On the property')
})

it('the page says why what was paid is asked for again, until it is paid anew', async () => {
  const paid = await aPaid()
  const { own, api } = paid
  const { id } = await invoiceOf(paid)
  const page = async () => {
    const { publicPath } = await api.ok(invoicesApi.get, { params: { id } })
    return api.ok(paymentsApi.publicInvoice, { params: { token: publicPath?.split('/').at(-1) ?? '' } })
  }
  const bank = await dispute(paid)
  expect((await page()).takenBack).toBeNull()
  await stepLocalDispute(bank, 'lose')
  await sweepDisputes(systemActor(own.id))
  await runTasks()
  const today = dayOf(clock.now(), zone)
  expect((await page()).takenBack).toEqual({ cents: 5500, paidOn: expect.any(String), onDay: today })
  await api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: 5500, receivedOn: today },
  })
  expect((await page()).takenBack).toBeNull()
})
